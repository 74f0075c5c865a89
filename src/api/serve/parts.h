/* parts.h - what of the live page is new: the sections and the series, each with the version that it is of. */
#ifndef GPUT_API_SERVE_PARTS_H
#define GPUT_API_SERVE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/serve/watch.h"
#include "base/buf.h"
#include "report/html/html.h"

/* Written by parts.c alone. */
struct gput__part {
    struct gput__buf text;
    uint64_t version; /* when it last changed; 0: never */
};
struct gput__parts {
    uint64_t version;                       /* counts refreshs */
    struct gput__part of[GPUT__LIVE_PARTS]; /* HTML */
    struct gput__part charts;               /* which charts there are */
    struct gput__part data, now;            /* JSON: the series; figures and processes */
    double data_at;                         /* how long the run was at that data */
};

void gput__parts_free(struct gput__parts *p);
/* Takes in what is watched now. */
int gput__parts_refresh(struct gput__parts *p, const struct gput__watch *w);
/* An event of what a viewer of the page lacks that has all up to *mark, which is moved. */
void gput__parts_event(const struct gput__parts *p, uint64_t *mark, struct gput__buf *out);
/* The whole page. */
int gput__parts_page(const struct gput__parts *p, const struct gput__watch *w, char **ret_html);

#endif
