/* ci.c - what a run leaves for a CI server. */
#include "run/ci.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SUMMARY_VARIABLE "GITHUB_STEP_SUMMARY"

int run_ci_expand(struct run_ci *ci, const struct options *o, const struct expansion *by,
                  struct refusal *ret_why)
{
    option_label(&o->given, OPT_JUNIT, ci->junit_label);
    if (o->junit && strcmp(o->junit, "-") == 0)
        return refuse(ret_why, "%s: the job writes to standard output; name a file",
                      ci->junit_label);
    return o->junit ? expand(ci->junit_label, o->junit, by, &ci->junit_file, ret_why) : 0;
}

int run_ci_prepare(struct run_ci *ci, const struct options *o, struct refusal *ret_why)
{
    const char *file = getenv(SUMMARY_VARIABLE);

    if (o->github_summary && file && *file)
        ci->summary_file = file;
    else if (o->github_summary && !o->disable_logs)
        say("--github-summary: there is no summary: " SUMMARY_VARIABLE
            " is not set, as it is in a job of GitHub Actions");
    return ci->junit_file ? output_prepare(ci->junit_label, ci->junit_file, &ci->junit, ret_why)
                          : 0;
}

void run_ci_record(struct run_ci *ci, const struct options *o, const struct gput_usage *u)
{
    struct gput_usage shown = *u;
    char *command = o->no_redact ? NULL : gput_redacted(u->job.command);

    if (!o->no_redact)
        shown.job.command = command;
    if (ci->junit_file && gput_usage_format(&shown, GPUT_JUNIT, 0, &ci->junit_text) < 0)
        say("%s: %s", ci->junit_label, strerror(ENOMEM));
    if (ci->summary_file && gput_usage_format(&shown, GPUT_MARKDOWN, 0, &ci->summary_text) < 0)
        say("--github-summary: %s", strerror(ENOMEM));
    free(command);
}

void run_ci_write(const struct run_ci *ci)
{
    int r = ci->junit_text ? output_finish(&ci->junit, ci->junit_text) : 0;

    if (r < 0)
        say("cannot write the test cases to %s: %s", ci->junit_file, output_why(r));
    /* Behind what other steps of the build have written there. */
    r = ci->summary_text ? output_file_append(ci->summary_file, ci->summary_text, false) : 0;
    if (r < 0)
        say("cannot add the summary to %s: %s", ci->summary_file, output_why(r));
}

void run_ci_free(struct run_ci *ci)
{
    output_free(&ci->junit);
    free(ci->junit_file);
    free(ci->junit_text);
    free(ci->summary_text);
}
