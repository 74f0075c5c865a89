/* fuzz_options.c - the command line of a run: its options, which job it means, names of files. */
#include "commands/commands.h"
#include "options/job.h"
#include "options/options.h"
#include "output/expand.h"

#include "args.h"
#include "fuzz.h"

static void check(const struct options *o)
{
    for (int id = 0; id < N_OPTIONS; id++)
        fuzz_must(o->given.origin[id] == FROM_NOWHERE || o->given.origin[id] == FROM_LINE);
    fuzz_must(!o->given.origin[OPT_ST] || (o->sleep_time > 0 && o->sleep_time < 1e12));
    fuzz_must(!o->given.origin[OPT_TIMEOUT] || o->timeout > 0);
    fuzz_must(!o->given.origin[OPT_NEC] || o->n_expected_cores > 0);
    fuzz_must(!o->given.origin[OPT_PID] || o->pid > 0);
    fuzz_must(!o->given.origin[OPT_TF] || o->tracking_file[0]);
    for (int i = 0; i < o->n_words; i++)
        fuzz_must(o->words[i] != NULL);
}

static void try_job(const struct options *o)
{
    struct refusal why = { "" };
    struct job job = { 0 };

    if (job_choose(o, &job, &why) < 0) {
        fuzz_must(why.text[0]);
        return;
    }
    fuzz_must(job.argv ? job.argv[0] != NULL : o->pid > 0);
    job_free(&job);
}

static void try_name(const char *pattern)
{
    const struct expansion by = { .host = "host", .pid = 77, .launch = { .rank = 3 } };
    struct refusal why = { "" };
    char *name = NULL;

    if (expand("--tf", pattern, &by, &name, &why) < 0)
        fuzz_must(!name && why.text[0]);
    else
        fuzz_must(strchr(pattern, '%') ? name != NULL : !strcmp(name, pattern));
    free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_args args = fuzz_args(data, size);
    struct refusal why = { "" };
    struct options o = { .tconfig = NULL };
    int word = options_parse(&gpu_tracker, &o.given, args.argc, args.argv, &why);

    if (word < 0) {
        fuzz_must(why.text[0]);
    } else {
        o.words = args.argv + word;
        o.n_words = args.argc - word;
        check(&o);
        try_job(&o);
        if (o.tracking_file)
            try_name(o.tracking_file);
    }
    free(args.text);
    return 0;
}
