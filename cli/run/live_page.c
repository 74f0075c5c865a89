/* live_page.c - --serve: the live page of the run that begins. */
#include "run/live_page.h"

#include "commands/open_page.h"
#include "output/exit_codes.h"

#include <string.h>

int live_page_start(const struct options *o, struct gput_tracker *t,
                    const struct gput_callbacks *on, struct gput_page **ret)
{
    struct gput_page_options page = GPUT_PAGE_OPTIONS_INIT;
    struct gput_error error = { .field = "" };
    char label[LABEL_SIZE];
    int r;

    if (!o->serve)
        return 0;
    page.listen = o->serve;
    page.no_redact = o->no_redact;
    page.on = *on;
    r = gput_page_start(&page, t, ret, &error);
    if (r < 0) {
        say("%s: %s", option_label(&o->given, OPT_SERVE, label),
            error.text[0] ? error.text : strerror(-r));
        return error.field[0] ? EXIT_USAGE : EXIT_TRACKER_FAILED;
    }
    if (!o->quiet)
        say_bare("Live page: %s", gput_page_url(*ret));
    if (o->open) /* without a browser the job runs all the same */
        (void)open_page("", gput_page_url(*ret));
    return 0;
}
