/* sender.h - one receiver that figures are sent to, by a thread of its own. */
#ifndef GPUT_API_EXPORT_SENDER_H
#define GPUT_API_EXPORT_SENDER_H

#include <stdbool.h>
#include <stdint.h>

struct gput__sender; /* opaque */

struct gput__sender_options {
    const char *what; /* the option that asked for it: "--push" */
    const char *url;
    const char *headers; /* lines of "Name: value"; NULL: none */
    const char *type;    /* Content-Type */
    const char *token;   /* NULL: none */
    const char *ca_file; /* NULL: the system's */
    bool is_packed;      /* bodies go as gzip */
    bool last_alone;     /* nothing is sent before the end */
    bool is_deleted;     /* and at the end what was sent is taken back */
    double interval;     /* seconds from one to the next */
    const char *spool;   /* where the last text is kept if it could not be sent; NULL: nowhere */
    int event;           /* raised when it is done */
};

/* NULL: out of memory, or of threads. */
struct gput__sender *gput__sender_start(const struct gput__sender_options *o);
/* The newest text takes the place of one that has not been sent; it becomes the sender's. */
void gput__sender_add(struct gput__sender *s, char *text);
/* What it has is the last; `until_ns` is when it must be over. */
void gput__sender_end(struct gput__sender *s, int64_t until_ns);
bool gput__sender_is_done(struct gput__sender *s);
/* After the end: what could not be sent is kept; false: all is well, else a line says what and where. */
bool gput__sender_keep_unsent(struct gput__sender *s, char *ret_line, unsigned long size);

#endif
