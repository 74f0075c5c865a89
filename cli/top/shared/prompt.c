/* prompt.c - a word that is typed in the lowest row. */
#include "top/shared/prompt.h"

#include "top/shared/curses.h"

#if TOP_HAS_CURSES
#include <stdio.h>
#include <string.h>

enum { ESCAPE = 27, DELETE = 127, NEWLINE = '\n', RETURN = '\r', BACKSPACE = 8 };

void top_prompt_begin(struct top_prompt *p, enum top_prompt_kind what, const char *word)
{
    p->what = what;
    snprintf(p->word, sizeof(p->word), "%s", word);
}

/* True: the word is ready. */
static bool type(struct top_prompt *p, int key)
{
    size_t len = strlen(p->word);

    switch (key) {
    case ESCAPE:
    case NEWLINE:
    case RETURN:
    case KEY_ENTER:
        p->what = TOP_NO_PROMPT;
        return key != ESCAPE;
    case KEY_BACKSPACE:
    case DELETE:
    case BACKSPACE:
        p->word[len ? len - 1 : 0] = '\0';
        return false;
    default:
        if (key >= ' ' && key < DELETE && len + 1 < sizeof(p->word)) {
            p->word[len] = (char)key;
            p->word[len + 1] = '\0';
        }
        return false;
    }
}

bool top_prompt_key(struct top_prompt *p, int key, char *search, char *filter)
{
    enum top_prompt_kind what = p->what;

    if (!type(p, key))
        return false;
    memcpy(what == TOP_FILTER ? filter : search, p->word, sizeof(p->word));
    return what == TOP_SEARCH;
}

void top_prompt_write(const struct top_prompt *p, char *ret, size_t size)
{
    snprintf(ret, size, "%s: %s_", p->what == TOP_SEARCH ? "Search" : "Filter", p->word);
}
#else
typedef int top_no_prompt; /* a file must not be empty */
#endif
