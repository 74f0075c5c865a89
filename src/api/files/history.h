/* history.h - what the calls that read a history share. */
#ifndef GPUT_API_HISTORY_H
#define GPUT_API_HISTORY_H

#include "store/history/history.h"

/* The file that is meant; NULL or "" is the user's own.  free() it. */
int gput__history_name(const char *file, char **ret, struct gput_error *err);
struct gput_history_query gput__history_query_of(const struct gput_history_query *q);
struct gput__history_filter gput__history_filter_of(const struct gput_history_query *q);

#endif
