/* json.h - a JSON writer: one blank a level, as Python's json.dumps(indent=1) lays it out. */
#ifndef GPUT_REPORT_JSON_H
#define GPUT_REPORT_JSON_H

#include <stdbool.h>

#include "base/buf.h"

struct gput__json {
    struct gput__buf *out;
    unsigned depth;
    bool has_member; /* in the object under way */
    bool is_compact; /* all on one line, without a blank and without a newline at the end */
};

/* `key` NULL: the outermost value, or one of a list. */
void gput__json_open(struct gput__json *j, const char *key);
void gput__json_close(struct gput__json *j);
void gput__json_open_list(struct gput__json *j, const char *key);
void gput__json_close_list(struct gput__json *j);
void gput__json_string(struct gput__json *j, const char *key, const char *value); /* NULL: null */
/* null for what is no number. */
void gput__json_double(struct gput__json *j, const char *key, double value);
void gput__json_count(struct gput__json *j, const char *key, double value);
void gput__json_bool(struct gput__json *j, const char *key, bool value);
void gput__json_null(struct gput__json *j, const char *key);

/* A value that is JSON already; "": null. */
void gput__json_raw(struct gput__json *j, const char *key, const char *text);

/* Members of the object under way that are JSON already, with commas between them. */
void gput__json_members(struct gput__json *j, const char *text);

/* Takes newlines and blanks between the parts out of what was written; returns its length. */
size_t gput__json_compact(char *text);

#endif
