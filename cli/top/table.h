/* table.h - a line of the table of processes, the same on paper and on the screen. */
#ifndef CLI_TOP_TABLE_H
#define CLI_TOP_TABLE_H

#include "top/model.h"
#include "top/shared/lines.h"

/* What is shown: narrow screens go without what matters least. */
struct top_columns {
    int width;
    bool has_gpu, has_utf8;
    bool is_flat; /* no tree: the processes stand in the order of a column */
};

/* The heads of the columns, a process, and those that have ended; no line is wider, nor ends in a
 * newline. */
void top_table_head(const struct top_columns *c, char ret[TOP_ROW_SIZE]);
void top_table_process(const struct top_columns *c, const struct top_process *p, bool is_folded,
                       char ret[TOP_ROW_SIZE]);
/* False: nobody has, or that is not known. */
bool top_table_exited(const struct top_columns *c, const struct top_model *m,
                      char ret[TOP_ROW_SIZE]);

#endif
