/* expand.c - %h, %p, %r and %% in the names of files. */
#include "expand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *expand_rank(void)
{
    /* The innermost launcher first: mpirun within a Slurm batch job inherits SLURM_PROCID=0 for
     * all of its ranks. */
    static const char *const variables[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID" };

    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
        const char *rank = getenv(variables[i]);

        if (rank && *rank)
            return rank;
    }
    return NULL;
}

void expand_here(char host[256], struct expansion *ret)
{
    if (gethostname(host, 255) < 0)
        host[0] = '\0';
    host[255] = '\0'; /* a name that was cut may lack it */
    *ret = (struct expansion){ .host = host, .pid = getpid(), .rank = expand_rank() };
}

/* What stands for the letter behind '%', or NULL with the reason. */
static const char *replacement(const char *label, char letter, const struct expansion *by,
                               const char *pid, struct refusal *ret_why)
{
    switch (letter) {
    case '%':
        return "%";
    case 'h':
        return by->host;
    case 'p':
        return pid;
    case 'r':
        if (!by->rank)
            refuse(ret_why,
                   "%s: %%r is the rank, but none of OMPI_COMM_WORLD_RANK, PMI_RANK and "
                   "SLURM_PROCID is set",
                   label);
        return by->rank;
    case '\0':
        refuse(ret_why, "%s: a last '%%' stands for nothing (%%%% is a '%%')", label);
        return NULL;
    default:
        refuse(ret_why, "%s: '%%%c' stands for nothing; there are %%h, %%p, %%r and %%%%", label,
               letter);
        return NULL;
    }
}

int expand(const char *label, const char *pattern, const struct expansion *by, char **ret_name,
           struct refusal *ret_why)
{
    char pid[16], *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);

    if (!out)
        return refuse(ret_why, "%s: %s", label, strerror(errno));
    snprintf(pid, sizeof(pid), "%d", (int)by->pid);
    for (; *pattern; pattern++) {
        const char *text;

        if (*pattern != '%') {
            putc(*pattern, out);
            continue;
        }
        text = replacement(label, *++pattern, by, pid, ret_why);
        if (!text)
            goto fail;
        fputs(text, out);
    }
    if (fclose(out) != 0) {
        free(name);
        return refuse(ret_why, "%s: %s", label, strerror(errno));
    }
    *ret_name = name;
    return 0;
fail:
    fclose(out);
    free(name);
    return -EINVAL;
}
