/* page.c - the report of a run that has just ended. */
#include "page.h"

#include "say.h"

#include <string.h>

char *page_text(struct gput_tracker *t)
{
    struct gput_report_options o = GPUT_REPORT_OPTIONS_INIT;
    struct gput_error err = { .text = "" };
    char *page = NULL;
    int r;

    o.tracker = t;
    o.on.warn = say_warning;
    r = gput_report_html(&o, &page, &err);
    if (r < 0)
        say("no report: %s", err.text[0] ? err.text : strerror(-r));
    return page;
}
