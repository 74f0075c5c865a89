/* test_cli_expand.c - %h, %p, %r and %% in the names of files. */
#include "expand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static const struct expansion full = { .host = "node7", .pid = 4711, .rank = "3" };

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

static void the_rank_is_the_innermost_launchers(void)
{
    unsetenv("OMPI_COMM_WORLD_RANK");
    unsetenv("PMI_RANK");
    unsetenv("SLURM_PROCID");
    OK(!expand_rank(), "no launcher, no rank");
    setenv("SLURM_PROCID", "0", 1);
    OK(strcmp(expand_rank(), "0") == 0, "Slurm's");
    setenv("PMI_RANK", "5", 1);
    OK(strcmp(expand_rank(), "5") == 0, "MPICH's within Slurm");
    setenv("OMPI_COMM_WORLD_RANK", "6", 1);
    OK(strcmp(expand_rank(), "6") == 0, "Open MPI's within Slurm");
    setenv("OMPI_COMM_WORLD_RANK", "", 1);
    OK(strcmp(expand_rank(), "5") == 0, "an empty one is none");
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
    no_rank.rank = NULL;
    refused("x%r", &no_rank, "SLURM_PROCID");
    the_rank_is_the_innermost_launchers();
    return DONE();
}
