/* lines.h - the lines above the table: text that is put together, and whether it alarms. */
#ifndef CLI_TOP_LINES_H
#define CLI_TOP_LINES_H

#include <stdbool.h>

enum { TOP_MOST_HEAD = 16, TOP_HEAD_SIZE = 400, TOP_ROW_SIZE = 1024 };

struct top_head {
    int n;
    struct top_line {
        bool is_alarming;
        char text[TOP_HEAD_SIZE];
    } lines[TOP_MOST_HEAD];
};

/* The last line takes what there is no room for. */
struct top_line *top_line_new(struct top_head *h);
__attribute__((format(printf, 2, 3))) void top_line_add(struct top_line *l, const char *fmt, ...);

/* The first `width` columns of a text: of itself, of a copy. */
void top_cut(char *text, int width);
void top_fit(const char *text, int width, char ret[TOP_ROW_SIZE]);

#endif
