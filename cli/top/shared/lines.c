/* lines.c - the lines above the table. */
#include "top/shared/lines.h"

#include "gput.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct top_line *top_line_new(struct top_head *h)
{
    struct top_line *l = &h->lines[h->n < TOP_MOST_HEAD - 1 ? h->n++ : TOP_MOST_HEAD - 1];

    *l = (struct top_line){ .is_alarming = false };
    return l;
}

void top_line_add(struct top_line *l, const char *fmt, ...)
{
    size_t len = strlen(l->text);
    va_list args;

    va_start(args, fmt);
    vsnprintf(l->text + len, sizeof(l->text) - len, fmt, args);
    va_end(args);
}

/* By columns of the screen: a character takes one, whatever its bytes; what is hidden is none here. */
void top_cut(char *text, int width)
{
    int columns = 0, is_hidden;

    while (*text && columns < width) {
        text += gput_text_next(text, &is_hidden);
        columns++;
    }
    *text = '\0';
}

void top_fit(const char *text, int width, char ret[TOP_ROW_SIZE])
{
    snprintf(ret, TOP_ROW_SIZE, "%s", text);
    top_cut(ret, width);
}
