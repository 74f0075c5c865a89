/* sub_tracking_file.h - reads a sub-tracking file: the marks of code blocks. */
#ifndef GPUT_STORE_SUB_TRACKING_FILE_H
#define GPUT_STORE_SUB_TRACKING_FILE_H

#include "base/names.h"
#include "store/files/table.h"

/* One mark as it stands in the file. */
struct gput__read_mark {
    int64_t process_id;
    double timestamp;      /* seconds since 1970 */
    double cpu_seconds;    /* of the process; NAN: not told */
    double peak_rss_bytes; /* likewise */
    uint32_t name;         /* number in the list of names */
    bool is_stop;
    uint64_t row; /* line or row of the file, for messages */
};

struct gput__sub_tracking_file {
    struct gput__table *table;
};

/* Close it in any case. */
int gput__sub_tracking_file_open(struct gput__sub_tracking_file *f, const char *path,
                                 const struct gput_callbacks *on, struct gput_error *ret_err);
/* The same with a table that is open; it becomes the file's. */
int gput__sub_tracking_file_begin(struct gput__sub_tracking_file *f, struct gput__table *table,
                                  struct gput_error *ret_err);
/* 1: a mark, its name added to `names` if it is new; 0: no more. */
int gput__sub_tracking_file_next(struct gput__sub_tracking_file *f, struct gput__names *names,
                                 struct gput__read_mark *ret, struct gput_error *ret_err);
void gput__sub_tracking_file_close(struct gput__sub_tracking_file *f);

/* The columns: four, and two more of marks with the process's own figures. */
extern const struct gput__columns gput__mark_columns;

#endif
