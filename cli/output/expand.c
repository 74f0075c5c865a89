/* expand.c - %h, %p, %r, %j, %s, %n and %% in the names of files. */
#include "output/expand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void expand_here(char host[256], struct expansion *ret)
{
    if (gethostname(host, 255) < 0)
        host[0] = '\0';
    host[255] = '\0'; /* a name that was cut may lack it */
    *ret = (struct expansion){ .host = host, .pid = getpid() };
    gput_launch_detect(&ret->launch);
}

static const char *number(char room[16], int n)
{
    snprintf(room, 16, "%d", n);
    return room;
}

/* What stands for the letter behind '%', or NULL with the reason. */
static const char *replacement(const char *label, char letter, const struct expansion *by,
                               char room[16], struct refusal *ret_why)
{
    switch (letter) {
    case '%':
        return "%";
    case 'h':
        return by->host;
    case 'p':
        return number(room, (int)by->pid);
    case 'r':
        if (by->launch.rank >= 0)
            return number(room, by->launch.rank);
        refuse(ret_why,
               "%s: %%r is the rank, but neither srun, mpirun nor another launcher has given one "
               "(gpu-tracker doctor shows what was found)",
               label);
        return NULL;
    case 'j':
        return by->launch.job_id;
    case 's':
        return by->launch.step;
    case 'n':
        return by->launch.node;
    case '\0':
        refuse(ret_why, "%s: a last '%%' stands for nothing (%%%% is a '%%')", label);
        return NULL;
    default:
        refuse(ret_why,
               "%s: '%%%c' stands for nothing; there are %%h, %%p, %%r, %%j, %%s, %%n and %%%%",
               label, letter);
        return NULL;
    }
}

int expand(const char *label, const char *pattern, const struct expansion *by, char **ret_name,
           struct refusal *ret_why)
{
    char room[16], *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);

    if (!out)
        return refuse(ret_why, "%s: %s", label, strerror(errno));
    for (; *pattern; pattern++) {
        const char *text;

        if (*pattern != '%') {
            putc(*pattern, out);
            continue;
        }
        text = replacement(label, *++pattern, by, room, ret_why);
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
