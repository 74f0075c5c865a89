/* marks.h - writes a sub-tracking file: when code blocks begin and end, by many at once. */
#ifndef GPUT_STORE_MARKS_H
#define GPUT_STORE_MARKS_H

#include <stdatomic.h>

#include "base/buf.h"
#include "gput.h"
#include "source/proc/proc_cost.h"
#include "store/records/records.h"

struct gput__marks_db; /* marks_sqlite.c */

struct gput_marks {
    enum gput__file_format format;
    char *path;     /* the file itself, not a link to it */
    int fd;         /* holds GPUT__LOCK_ALIVE; CSV marks are appended through it */
    off_t header;   /* CSV: where the rows begin */
    bool is_exact;  /* the file has the two further columns */
    bool is_shared; /* other machines may write to it: a lock for each mark */
    struct gput__own_status status;
    atomic_int failed; /* the errno that ended it; 0: none */
    struct gput__marks_db *db;
};

/* One row, complete. */
struct gput__mark_row {
    int64_t process_id;
    const char *name;
    bool is_end;
    int64_t real_us; /* since 1970 */
    double cpu_seconds, peak_rss_bytes;
};

/* As gput_marks_...; tests give their own answer to whether the file is on a network. */
int gput__marks_open(const char *path, uint32_t flags, bool (*is_on_network)(int fd),
                     struct gput_marks **ret, struct gput_error *ret_err);
/* `since_ns` 0: the same. */
int gput__marks_open_since(const char *path, uint32_t flags, int64_t since_ns,
                           bool (*is_on_network)(int fd), struct gput_marks **ret,
                           struct gput_error *ret_err);
int gput__marks_add(struct gput_marks *m, const struct gput_mark *mark);
int gput__marks_close(struct gput_marks *m);

/* marks_file.c: opens or makes the file, so that exactly one of many writes its head. */
int gput__marks_file_open(struct gput_marks *m, const char *path, uint32_t flags, int64_t since_ns,
                          struct gput_error *ret_err);

/* marks_csv.c */
int gput__marks_csv_begin(struct gput_marks *m); /* writes the header into an empty file */
/* Finds out which columns a file has; cuts off an unfinished last row if `is_alone`.  -EINVAL: not
 * a sub-tracking file. */
int gput__marks_csv_join(struct gput_marks *m, bool is_alone);
int gput__marks_csv_add(struct gput_marks *m, const struct gput__mark_row *row);
/* The text of a row, with its end of line; and of the header. */
void gput__mark_line(struct gput__buf *b, const struct gput__mark_row *row, bool is_exact);
void gput__mark_header(struct gput__buf *b, bool is_exact);

/* marks_sqlite.c: the same.  Begun or joined, a file is closed by close. */
int gput__marks_sqlite_begin(struct gput_marks *m);
int gput__marks_sqlite_join(struct gput_marks *m);
int gput__marks_sqlite_add(struct gput_marks *m, const struct gput__mark_row *row);
/* Closes m->fd too. */
int gput__marks_sqlite_close(struct gput_marks *m);

#endif
