/* report.c - the report of a run that has just ended. */
#include "run/report.h"

#include "output/say.h"

#include <string.h>

char *report_html(struct gput_tracker *t, bool no_redact)
{
    struct gput_report_options o = GPUT_REPORT_OPTIONS_INIT;
    struct gput_error err = { .text = "" };
    char *html = NULL;
    int r;

    o.tracker = t;
    o.no_redact = no_redact;
    o.on.warn = say_warning;
    r = gput_report_html(&o, &html, &err);
    if (r < 0)
        say("no report: %s", err.text[0] ? err.text : strerror(-r));
    return html;
}
