/* history.c - the run that has just ended goes into a history. */
#include "run/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int run_history_choose(struct run_history *h, const struct options *o, struct refusal *ret_why)
{
    const char *always = getenv("GPUT_HISTORY");
    struct gput_error err;
    char label[LABEL_SIZE];

    if (!o->history && !(always && *always))
        return 0;
    if (o->fleet && o->history)
        return refuse(
            ret_why,
            "%s: below --fleet each rank would be a run of its own: 'gpu-tracker merge' tells "
            "of the job as a whole",
            option_label(&o->given, OPT_HISTORY, label));
    if (o->fleet)
        return 0;
    if (gput_history_check(o->history, &err) == 0) {
        h->file = strdup(o->history ? o->history : "");
        return h->file ? 0 : refuse(ret_why, "%s", strerror(ENOMEM));
    }
    if (o->history)
        return refuse(ret_why, "%s: %s", option_label(&o->given, OPT_HISTORY, label), err.text);
    say("GPUT_HISTORY: the run is kept in no history: %s", err.text);
    return 0;
}

void run_history_record(struct run_history *h, const struct options *o, const struct gput_usage *u)
{
    if (h->file && gput_history_entry(u, o->no_redact, &h->entry) < 0)
        say("the run is not in the history: %s", strerror(ENOMEM));
}

void run_history_add(struct run_history *h)
{
    struct gput_error err;

    if (h->entry && gput_history_add(h->file, h->entry, &err) < 0)
        say("the run is not in the history: %s", err.text);
    h->entry = gput_history_entry_close(h->entry);
}

void run_history_free(struct run_history *h)
{
    h->entry = gput_history_entry_close(h->entry);
    free(h->file);
    h->file = NULL;
}
