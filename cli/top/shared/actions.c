/* actions.c - what a key asks for, whatever is shown. */
#include "top/shared/actions.h"

#include "top/shared/curses.h"

#if TOP_HAS_CURSES
#include <stddef.h>

static const struct {
    int key;
    enum top_action action;
} keys[] = {
    { 'q', TOP_QUIT },        { KEY_F(10), TOP_QUIT },      { '?', TOP_HELP },
    { KEY_F(1), TOP_HELP },   { '/', TOP_ASK_SEARCH },      { KEY_F(3), TOP_ASK_SEARCH },
    { '\\', TOP_ASK_FILTER }, { KEY_F(4), TOP_ASK_FILTER }, { 'n', TOP_FIND_NEXT },
    { 'Z', TOP_PAUSE },       { ' ', TOP_PAUSE },           { '\t', TOP_NEXT_JOB },
};

enum top_action top_action_of(int key)
{
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (keys[i].key == key)
            return keys[i].action;
    return TOP_NO_ACTION;
}
#else
typedef int top_no_actions; /* a file must not be empty */
#endif
