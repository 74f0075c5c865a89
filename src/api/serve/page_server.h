/* page_server.h - the live page: one thread that watches, makes the page and answers those who look at it. */
#ifndef GPUT_API_SERVE_PAGE_SERVER_H
#define GPUT_API_SERVE_PAGE_SERVER_H

#include "api/beside/beside.h"
#include "api/serve/door.h"
#include "gput.h"

/* What the tracker sends beside the messages of beside.h. */
enum gput__page_message {
    GPUT__PAGE_REPORT = GPUT__BESIDE_OWN, /* of the finished run */
};

struct gput__page_plan {
    int listen_fd; /* becomes the server's */
    int control;   /* where the tracker sends the finished report; -1: nobody does */
    struct gput__door *door;
    struct gput_viewer *viewer; /* becomes the server's; NULL: `report` is all there is */
    const char *report;         /* a finished one, shown until somebody ends us; NULL: none yet */
    bool no_redact;
    int64_t linger_ns; /* how long the finished report waits for those who have the page open */
};

/* Until all is over: then each viewer has the report, or it was waited for in vain. */
int gput__page_serve(const struct gput__page_plan *plan);

#endif
