/* launch.c - who this process is in a job of many. */
#include "api/host/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/root.h"
#include "gput.h"
#include "source/launcher/launcher.h"
#include "source/proc/proc_stat.h"

static const char *from_environment(const void *ctx, const char *name)
{
    (void)ctx;
    return getenv(name);
}

/* Processes that one shell or script has started belong together. */
static void make_job_id(const char *host, struct gput_launch *l)
{
    struct gput__proc_stat st = { 0 };
    struct gput__root proc;
    char name[32], text[1024];
    int used;

    if (gput__root_open(NULL, "/proc", &proc) == 0) {
        snprintf(name, sizeof(name), "%d/stat", (int)getppid());
        if (gput__root_read(&proc, name, text, sizeof(text)) > 0)
            (void)gput__proc_stat_parse(text, &st);
        gput__root_close(&proc);
    }
    used = snprintf(l->job_id, sizeof(l->job_id), "plain-%.64s-%d-%llu", host, (int)getppid(),
                    (unsigned long long)st.starttime);
    for (int i = 0; i < used; i++)
        if (l->job_id[i] == '/')
            l->job_id[i] = '_';
}

void gput_launch_detect(struct gput_launch *ret)
{
    struct gput__environment env = { from_environment, NULL };
    char host[256] = "";

    if (gethostname(host, sizeof(host) - 1) < 0)
        host[0] = '\0';
    gput__launch_read(&env, host, ret);
    if (!ret->has_job_id)
        make_job_id(ret->node, ret);
}

static void add_number(char *text, size_t size, const char *before, int n, const char *of, int all)
{
    size_t len = strlen(text);

    if (n < 0)
        return;
    snprintf(text + len, size - len, "%s%s%d", len ? ", " : "", before, n);
    len = strlen(text);
    if (all >= 0)
        snprintf(text + len, size - len, "%s%d", of, all);
}

void gput__launch_check(struct gput__findings *f)
{
    static const char group[] = "Parallel job", step[] = "name it with --rank, --size and --job-id";
    struct gput_launch l;
    char text[200] = "";

    gput_launch_detect(&l);
    if (strcmp(l.launcher, "plain") == 0) {
        gput__findings_add(f, group, "launcher", GPUT__PARTLY, step,
                           "none was found: a job by itself");
        return;
    }
    gput__findings_add(f, group, "launcher", GPUT__GOOD, NULL, "%s", l.launcher);
    if (l.has_job_id)
        gput__findings_add(f, group, "job", GPUT__GOOD, NULL, "%s, step %s%s%s", l.job_id, l.step,
                           l.array_task[0] ? ", task of an array: " : "", l.array_task);
    else
        gput__findings_add(f, group, "job", GPUT__PARTLY, "name it with --job-id",
                           "no id that is the same on all nodes");
    add_number(text, sizeof(text), "rank ", l.rank, " of ", l.n_ranks);
    add_number(text, sizeof(text), "on its node ", l.local_rank, " of ", l.n_local);
    gput__findings_add(f, group, "rank", text[0] ? GPUT__GOOD : GPUT__PARTLY,
                       "name it with --rank and --size", "%s", text[0] ? text : "not known");
    text[0] = '\0';
    add_number(text, sizeof(text), "", l.node_index, " of ", l.n_nodes);
    gput__findings_add(f, group, "node", GPUT__GOOD, NULL, "%s%s%s", l.node, text[0] ? ", " : "",
                       text);
}
