/* test_cli_expand.c - %h, %p, %r, %j, %s, %n and %% in the names of files. */
#include "output/expand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static const struct expansion full = {
    .host = "node7",
    .pid = 4711,
    .launch = { .rank = 3, .job_id = "815", .step = "2", .node = "n7" },
};

static void becomes(const char *pattern, const char *want)
{
    struct refusal why = { "" };
    char *name = NULL;
    int r = expand("--output", pattern, &full, &name, &why);

    OK(r == 0 && strcmp(name, want) == 0, "%s is %s", pattern, want);
    free(name);
}

static void refused(const char *pattern, const struct expansion *by, const char *part)
{
    struct refusal why = { "" };
    char *name = NULL;
    int r = expand("--tf", pattern, by, &name, &why);

    OK(r == -EINVAL && !name && strstr(why.text, part) && strstr(why.text, "--tf: "), "%s: %s",
       pattern, why.text);
}

static void what_is_here(void)
{
    char host[256];
    struct expansion by;

    setenv("SLURM_JOB_ID", "4711", 1);
    setenv("SLURM_PROCID", "5", 1);
    expand_here(host, &by);
    OK(by.launch.rank == 5 && strcmp(by.launch.job_id, "4711") == 0, "the rank and job of Slurm");
}

int main(void)
{
    struct expansion no_rank = full;

    becomes("result.json", "result.json");
    becomes("%h-%p-%r.csv", "node7-4711-3.csv");
    becomes("%%h%%%h", "%h%node7");
    becomes("a/%r/%r", "a/3/3");
    refused("%q", &full, "'%q' stands for nothing");
    refused("%H", &full, "'%H' stands for nothing");
    refused("100%", &full, "a last '%'");
    becomes("%j/%s/%n", "815/2/n7");
    no_rank.launch.rank = -1;
    refused("x%r", &no_rank, "%r is the rank");
    what_is_here();
    return DONE();
}
