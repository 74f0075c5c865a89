/* test_json_pull.c - JSON a token at a time, and its values by their paths. */
#include "base/text/json_pull.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text/json_leaves.h"
#include "fixture.h"
#include "tap.h"

static void open_text(const char *text, struct gput__input *in)
{
    int fd = memfd_create("json", MFD_CLOEXEC);
    size_t n = strlen(text);

    fixture_need(fd >= 0 && write(fd, text, n) == (ssize_t)n && lseek(fd, 0, SEEK_SET) == 0 &&
                     gput__input_open_fd(fd, in) == 0,
                 "memfd");
}

/* The tokens as "{ k:name 12 "text" }", or the error. */
static const char *tokens_of(const char *text)
{
    static const char *const plain[] = { "END", "{", "}",    "[",     "]",   "",
                                         "",    "",  "true", "false", "null" };
    static char shown[512];
    struct gput__input in;
    struct gput__json_pull p;
    size_t n = 0;
    int token;

    open_text(text, &in);
    gput__json_pull_begin(&p, &in);
    shown[0] = '\0';
    while ((token = gput__json_pull_next(&p)) > 0) {
        char *at = shown + n;
        size_t room = sizeof(shown) - n;

        if (token == GPUT__JSON_KEY)
            n += (size_t)snprintf(at, room, "%s: ", gput__buf_text(&p.text));
        else if (token == GPUT__JSON_STRING)
            n += (size_t)snprintf(at, room, "\"%s\" ", gput__buf_text(&p.text));
        else if (token == GPUT__JSON_NUMBER)
            n += (size_t)snprintf(at, room, "%g ", p.number);
        else
            n += (size_t)snprintf(at, room, "%s ", plain[token]);
    }
    if (token < 0)
        snprintf(shown, sizeof(shown), "line %d: %s", (int)p.line, p.error ? p.error : "?");
    gput__json_pull_end(&p);
    gput__input_close(&in);
    return shown;
}

static int gives(const char *text, const char *want)
{
    const char *got = tokens_of(text);

    if (strcmp(got, want) == 0)
        return 1;
    printf("# got: %s\n", got);
    return 0;
}

static void tokens(void)
{
    OK(gives("{\"a\": [1, -2.5e1, {}], \"b\" : \"x\"}", "{ a: [ 1 -25 { } ] b: \"x\" } "),
       "objects and lists");
    OK(gives("[true,false,null,NaN,Infinity,-Infinity]", "[ true false null null null null ] "),
       "names; what Python writes for numbers that are none");
    OK(gives("\"\\\"\\\\\\/\\n\\u00e9\\ud83d\\ude00\"", "\"\"\\/\n\xC3\xA9\xF0\x9F\x98\x80\" "),
       "escapes");
    OK(gives("[1e999]", "[ null ] "), "a number beyond all doubles");
    OK(gives("\"\\ud83d\"", "\"\xEF\xBF\xBD\" "), "half of a character");
    OK(gives("", "line 1: the text ends too early"), "nothing");
    OK(gives("[1 2]", "line 1: a comma is missing"), "no comma");
    OK(gives("[1,\n]", "line 2: this is no value"), "a comma too many");
    OK(gives("{1: 2}", "line 1: a name in quotes is missing"), "a name that is none");
    OK(gives("[1}", "line 1: a comma is missing"), "the wrong bracket");
    OK(gives("[+1]", "line 1: this is no value") && gives("[.5]", "line 1: this is no value") &&
           gives("[1x]", "line 1: this is no value"),
       "numbers that are none");
    OK(gives("\"a\nb\"", "line 1: a string is not closed"), "a newline in a string");
    OK(gives("{} {}", "line 1: something follows the end"), "two values");
}

static void wrong_escapes(void)
{
    OK(gives("\"\\u12g4\"", "line 1: \\u without four digits"), "a digit that is none");
    OK(gives("\"\\q\"", "line 1: an unknown escape in a string"), "an escape that nobody knows");
    OK(gives("\"\\ud83d\\n\"", "line 1: half of a character of two parts"),
       "a first half with another escape behind it");
    OK(gives("\"\\ud83d\\ug000\"", "line 1: \\u without four digits"),
       "or a second half that is none");
    OK(gives("\"\\ud83d\\u0041\"", "\"\xEF\xBF\xBD\" "), "or one of another character");
    OK(gives("\"a\\u0000b\\udc00c\"", "\"a\xEF\xBF\xBD"
                                      "b\xEF\xBF\xBD"
                                      "c\" "),
       "NUL and a second half alone are replaced");
}

static void every_cut_is_refused(void)
{
    static const char full[] = "{\"a\": [1, {\"b\": \"\\u00e9\"}], \"c\": null}";
    char cut[sizeof(full)] = "";
    int taken = 0;

    for (size_t n = 0; n < sizeof(full) - 1; n++) {
        memcpy(cut, full, n);
        cut[n] = '\0';
        taken += strncmp(tokens_of(cut), "line", 4) != 0;
    }
    OK(taken == 0, "no beginning is taken for the whole");
}

static void deep_ones(void)
{
    char text[2 * GPUT__JSON_DEEPEST + 8] = "", number[500];

    memset(number, '1', sizeof(number) - 1);
    number[sizeof(number) - 1] = '\0';
    OK(gives(number, "line 1: a number is too long"), "more digits than any number needs");

    memset(text, '[', GPUT__JSON_DEEPEST + 1);
    OK(gives(text, "line 1: too many values within each other"), "too deep");
}

/* Across the border of a piece that is read at once. */
static void long_ones(void)
{
    enum { N = 300000 };
    char *text = malloc(N + 64);
    struct gput__json_pull p;
    struct gput__input in;

    fixture_need(text != NULL, "malloc");
    memset(text, ' ', N);
    text[0] = '[';
    strcpy(text + 262144 - 3, "12345678, \"abcdefgh\"]");
    open_text(text, &in);
    gput__json_pull_begin(&p, &in);
    OK(gput__json_pull_next(&p) == GPUT__JSON_OPEN_LIST &&
           gput__json_pull_next(&p) == GPUT__JSON_NUMBER && p.number == 12345678 &&
           gput__json_pull_next(&p) == GPUT__JSON_STRING &&
           strcmp(gput__buf_text(&p.text), "abcdefgh") == 0,
       "values across the border of a piece");
    gput__json_pull_end(&p);
    gput__input_close(&in);
    free(text);
}

static void leaves(void)
{
    struct gput__json_leaves l = { 0 };
    struct gput__json_pull p;
    struct gput__input in;
    const struct gput__json_leaf *leaf;

    open_text("{\"a\": {\"b\": [1, {\"c\":\n \"x\"}, []], \"d\": true}}", &in);
    gput__json_pull_begin(&p, &in);
    OK(gput__json_leaves_add(&l, &p, gput__json_pull_next(&p), "") == 0 && l.n == 3,
       "three values");
    gput__json_leaves_sort(&l);
    leaf = gput__json_leaf(&l, "a.b.1.c");
    OK(leaf && leaf->kind == GPUT__JSON_STRING && strcmp(leaf->text, "x") == 0 && leaf->line == 2,
       "by path, with its line");
    leaf = gput__json_leaf(&l, "a.b.0");
    OK(leaf && leaf->number == 1 && gput__json_leaf(&l, "a.d")->kind == GPUT__JSON_TRUE &&
           !gput__json_leaf(&l, "a.b"),
       "numbers and truths; a list is no value");
    gput__json_leaves_free(&l);
    gput__json_pull_end(&p);
    gput__input_close(&in);
}

int main(void)
{
    tokens();
    wrong_escapes();
    every_cut_is_refused();
    deep_ones();
    long_ones();
    leaves();
    return DONE();
}
