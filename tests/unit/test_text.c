/* test_text.c - short texts from outside, made fit to be shown. */
#include "base/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "gput.h"
#include "tap.h"

static void becomes(const char *text, const char *want)
{
    char *copy = strdup(text);

    OK(copy && strcmp(gput_text_plain(copy), want) == 0, "'%s', got '%s'", want, copy);
    OK(gput__text_is_plain(text) == (strcmp(text, want) == 0), "which is told of it beforehand");
    free(copy);
}

/* What a terminal obeys, in 7 bits, in 8 bits and as UTF-8; what turns text round or hides. */
static void what_steers(void)
{
    becomes("\033[2J\a\b\n\r\t\x7f", "?[2J??????");
    becomes("\x9b"
            "2J\x90\x85",
            "?2J??");
    becomes("\xc2\x9b"
            "2J\xc2\x9d"
            "0;title\xc2\x9c\xc2\x80\xc2\x9f",
            "?2J?0;title???");
    becomes("a\u202egpj.exe\u202c", "a?gpj.exe?");
    becomes("\u202a\u202b\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c", "??????????");
    becomes("a\u2028b\u2029c\u200bd\ufeffe\u00adf", "a?b?c?d?e?f");
}

static void what_is_no_utf8(void)
{
    becomes("\xff\xc0\xaf\xe2\x82", "?????");
    becomes("a\xe9", "a?");
    becomes("\xed\xa0\x80", "???");
}

static void what_is_let_through(void)
{
    becomes("", "");
    becomes("gpu-tracker: '/tmp/x' \\ %s", "gpu-tracker: '/tmp/x' \\ %s");
    becomes("\u00a0\u00e9\u65e5\u672c\U0001F680", "\u00a0\u00e9\u65e5\u672c\U0001F680");
    OK(gput_text_plain(NULL) == NULL, "nothing is nothing");
}

/* Cut within a character, control characters after it. */
static void what_is_cut(void)
{
    char room[8];

    OK(!strcmp(gput__text_shown("ab\u65e5\u672c\u8a9e", 11, room, sizeof(room)), "ab..."),
       "a character that is cut goes as a whole, got '%s'", room);
    OK(!strcmp(gput__text_shown("a\u202eb", 5, room, sizeof(room)), "a?b"), "got '%s'", room);
}

static void what_a_spreadsheet_runs(void)
{
    static const char *const formulas[] = {
        "=1", "+1", "-1", "@A1", "\t=1", "\r@x", "'=1", "''\t-x", " =1+1", "=cmd|' /C calc'!A0"
    };
    static const char *const others[] = { "", "a", "'", "'a'", "\r", "\t", "a=b", "1-1", "/=" };
    size_t n = 0, m = 0;

    for (size_t i = 0; i < sizeof(formulas) / sizeof(*formulas); i++)
        n += gput__text_is_formula(formulas[i], strlen(formulas[i]));
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        m += gput__text_is_formula(others[i], strlen(others[i]));
    OK(n == 10 && m == 0, "formulas, and what is none; got %zu and %zu", n, m);
    OK(!gput__text_is_formula("'=", 1), "no further than its length");
}

int main(void)
{
    what_steers();
    what_is_no_utf8();
    what_is_let_through();
    what_is_cut();
    what_a_spreadsheet_runs();
    return DONE();
}
