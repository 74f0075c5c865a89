/* job.c - what is to be tracked: -e, the words after the options, or --pid. */
#include "options/job.h"

#include "options/words.h"

#include <stdlib.h>

static int check_one(const struct options *o, struct refusal *ret_why)
{
    char label[LABEL_SIZE];
    const char *pid = option_label(&o->given, OPT_PID, label);

    if (o->execute && o->n_words > 0)
        return refuse(ret_why, "two commands: --execute '%s' and '%s'", o->execute, o->words[0]);
    if (o->pid && (o->execute || o->n_words > 0))
        return refuse(ret_why, "%s and a command ('%s') do not go together", pid,
                      o->execute ? o->execute : o->words[0]);
    if (o->pid && o->given.origin[OPT_TIMEOUT])
        return refuse(ret_why,
                      "%s and --timeout do not go together: only a command that the "
                      "tracker started is ended",
                      pid);
    if (!o->pid && !o->execute && o->n_words == 0)
        return refuse(ret_why, "no command to run (see gpu-tracker --help)");
    return 0;
}

int job_choose(const struct options *o, struct job *ret, struct refusal *ret_why)
{
    int r = check_one(o, ret_why);

    *ret = (struct job){ 0 };
    if (r < 0 || o->pid)
        return r;
    if (o->execute) {
        r = words_of_command(o->execute, getenv("PATH"), &ret->made, ret_why);
        ret->argv = ret->made;
        return r;
    }
    if (!*o->words[0])
        return refuse(ret_why, "the command is empty");
    ret->argv = o->words;
    return 0;
}

void job_free(struct job *job)
{
    free(job->made);
    *job = (struct job){ 0 };
}
