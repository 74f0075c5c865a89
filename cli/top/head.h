/* head.h - the lines above the processes: the job, how far it is from each limit, the verdict so far. */
#ifndef CLI_TOP_HEAD_H
#define CLI_TOP_HEAD_H

#include "top/model.h"
#include "top/shared/lines.h"

/* `command`: what runs, as it is to be shown. */
void top_head_write(const struct top_model *m, const char *command, struct top_head *ret);

#endif
