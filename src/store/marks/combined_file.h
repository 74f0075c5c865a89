/* combined_file.h - writes a new sub-tracking file as a whole: there with all marks or not at all. */
#ifndef GPUT_STORE_COMBINED_FILE_H
#define GPUT_STORE_COMBINED_FILE_H

#include <stdio.h>

#include "store/files/db.h"
#include "store/marks/sub_tracking_file.h"

struct gput__combined_file {
    char *path, *aside; /* written there, then put in its place */
    bool has_exact;     /* with the two further columns */
    FILE *csv;          /* one of the two */
    struct gput__db db;
    sqlite3_stmt *insert;
};

/* The end of the name decides on the kind.  -EEXIST: it is there already. */
int gput__combined_file_open(struct gput__combined_file *f, const char *path, bool has_exact);
int gput__combined_file_add(struct gput__combined_file *f, const struct gput__read_mark *mark,
                            const struct gput__name *name);
/* Puts it in its place. */
int gput__combined_file_finish(struct gput__combined_file *f);
/* In any case; what was not finished is removed. */
void gput__combined_file_close(struct gput__combined_file *f);

#endif
