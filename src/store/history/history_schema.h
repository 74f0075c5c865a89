/* history_schema.h - the tables of a history, and how an older file is brought up to them. */
#ifndef GPUT_STORE_HISTORY_SCHEMA_H
#define GPUT_STORE_HISTORY_SCHEMA_H

#include "base/buf.h"
#include "store/files/db.h"
#include "store/history/history.h"

/* The columns of the table `runs` before its figures, which have their short names. */
enum gput__history_column {
    GPUT__HISTORY_RUN_ID,
    GPUT__HISTORY_START,
    GPUT__HISTORY_JOB_NAME,
    GPUT__HISTORY_COMMAND,
    GPUT__HISTORY_FOLDER,
    GPUT__HISTORY_HOST,
    GPUT__HISTORY_VERSION,
    GPUT__HISTORY_TAGS,
    GPUT__HISTORY_ENDING,
    GPUT__HISTORY_CODE,
    GPUT__HISTORY_TIMED_OUT,
    GPUT__HISTORY_OOM,
    GPUT__HISTORY_FIGURES,
    GPUT__N_HISTORY_COLUMNS = GPUT__HISTORY_FIGURES + GPUT__N_NAMED_FIGURES
};
const char *gput__history_column(int i);

/* The names of all columns, with commas between. */
void gput__history_columns(struct gput__buf *out);

/* In a transaction that is open: makes the tables of an empty file, and adds the columns that an older
 * one has not.  -EPROTO: a newer version made it; -EINVAL: it is no history. */
int gput__history_bring_up(struct gput__db *d);

#endif
