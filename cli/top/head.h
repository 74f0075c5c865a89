/* head.h - the lines above the processes: the job, how far it is from each limit, the verdict so far. */
#ifndef CLI_TOP_HEAD_H
#define CLI_TOP_HEAD_H

#include "top/model.h"

enum { TOP_MOST_HEAD = 8, TOP_HEAD_SIZE = 400 };

struct top_head {
    int n;
    struct top_line {
        bool is_alarming; /* a limit is near */
        char text[TOP_HEAD_SIZE];
    } lines[TOP_MOST_HEAD];
};

/* `command`: what runs, as it is to be shown. */
void top_head_write(const struct top_model *m, const char *command, struct top_head *ret);

#endif
