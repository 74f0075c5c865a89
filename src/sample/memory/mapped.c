/* mapped.c - how much the job holds, from what all processes around it hold together. */
#include "sample/memory/mapped.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/least.h"
#include "source/cgroup/cgroup_use.h"
#include "source/machine/sys_memory.h"

/* Others that seem to move by more than this part of the job, or by this many bytes, are no base to
 * on. */
#define MOST_NOISE_PART 10
#define LEAST_NOISE (4 * 1024 * 1024)
/* What one moment says of that is weighed against what earlier ones did: of a poll, of a scan. */
#define POLL_WEIGHT 16
#define SCAN_WEIGHT 4
/* What a scan finds may be wrong by this part of it; by more while processes come and go, and
 * then it may find no more than half. */
#define SCAN_PART 6
#define MOVING_SCAN_PART 3
/* How fast it is forgotten what was lately taken for the others'. */
#define LATELY_PARTS 8
/* What processes take while others are polled is no more than this for each core; and no more bytes for
 * each nanosecond, where the poll itself had to wait for a core. */
#define MOST_LATELY (2 * 1024 * 1024)
#define MOST_RATE 4
/* A process that gives much back at once, as at its end, took that before, and it may have been taken for
 * the job's: for so long others that did are no base. */
#define JOLT_NS GPUT__NS_PER_S
/* How much of a difference to a scan without such is taken for the others'. */
#define LEARN_SLOWLY 8

/* The group's file, if it is in one that is not the first: that has the whole machine. */
static char *group_file(const struct gput__root *proc, const struct gput__root *sys, pid_t pid)
{
    struct gput__cgroup_place *place = malloc(sizeof(*place));
    const char *folder;
    char *name = NULL;
    size_t n;

    if (!place)
        return NULL;
    gput__cgroup_find(proc, sys, pid, place);
    folder = place->folder[GPUT__CGROUP_MEMORY];
    n = strlen(folder);
    if (n > place->mount[GPUT__CGROUP_MEMORY] + 1 && (name = malloc(n + sizeof("/memory.stat"))))
        sprintf(name, "%s/memory.stat", folder);
    free(place);
    return name;
}

void gput__mapped_open(struct gput__mapped *m, const struct gput__root *proc,
                       const struct gput__root *sys, pid_t pid)
{
    *m = (struct gput__mapped){ .root = sys, .fd = -1, .name = group_file(proc, sys, pid) };
    if (m->name)
        gput__mapped_read(m);
    if (!m->all) {
        gput__mapped_close(m);
        m->root = proc;
    }
    m->n_cores = sysconf(_SC_NPROCESSORS_ONLN);
}

void gput__mapped_close(struct gput__mapped *m)
{
    if (m->root && m->fd >= 0)
        close(m->fd);
    free(m->name);
    *m = (struct gput__mapped){ .fd = -1 };
}

static uint64_t of_group(const char *text)
{
    struct gput__cgroup_use use = { 0 };

    gput__cgroup_parse_memory_stat(text, &use);
    if (!gput__cgroup_knows(&use, GPUT__CGROUP_ANON) ||
        !gput__cgroup_knows(&use, GPUT__CGROUP_MAPPED_FILE))
        return 0;
    return use.value[GPUT__CGROUP_ANON] + use.value[GPUT__CGROUP_MAPPED_FILE];
}

static uint64_t of_machine(const char *text)
{
    struct gput__sys_memory memory;

    return gput__sys_memory_parse(text, &memory) == 0 ? memory.mapped : 0;
}

void gput__mapped_read(struct gput__mapped *m)
{
    char text[8192];

    m->all = 0;
    if (gput__root_reread(m->root, m->name ? m->name : "meminfo", &m->fd, text, sizeof(text)) > 0)
        m->all = m->name ? of_group(text) : of_machine(text);
}

/* --- the others ----------------------------------------------------------------------------- */

static void note(struct gput__mapped *m, int64_t moved, int64_t weight)
{
    m->noise += ((moved > 0 ? moved : 0) - m->noise) / weight;
}

void gput__mapped_learn(struct gput__mapped *m, int64_t now, uint64_t job)
{
    int64_t others = (int64_t)m->all - (int64_t)job;

    if (!m->all)
        return;
    if (m->has_others)
        note(m, others > m->others ? others - m->others : m->others - others, 2);
    m->others = others;
    m->has_others = true;
    m->learned_ns = now;
}

void gput__mapped_check(struct gput__mapped *m, int64_t now, uint64_t job, bool is_exact)
{
    int64_t all = (int64_t)m->all, found = (int64_t)job, counted = all - m->others;
    int64_t may_differ = is_exact ? SCAN_PART : MOVING_SCAN_PART;

    if (!m->all)
        return;
    if (!m->has_others || counted < found - found / may_differ ||
        (is_exact && counted > found + found / may_differ))
        m->others = all - found;
    else if (is_exact)
        m->others += (counted - found) / LEARN_SLOWLY;
    if (m->has_others)
        note(m, counted > found ? counted - 2 * found : found - found / may_differ - counted,
             SCAN_WEIGHT);
    m->has_others = true;
    m->learned_ns = now;
}

static void note_jolt(struct gput__mapped *m, int64_t now, int64_t moved)
{
    int64_t since = now - m->jolt_ns;

    m->jolt = since < JOLT_NS ? m->jolt - m->jolt / 1000 * (since * 1000 / JOLT_NS) : 0;
    m->jolt = moved > m->jolt ? moved : m->jolt;
    m->jolt_ns = now;
}

/* What a process does is seen a moment late: then the job has more room than what moved, and of what
 * was lately taken for the others' so much was not. */
static int64_t mistaken(int64_t lately, int64_t room_up, int64_t room_down)
{
    if (lately > 0 && room_up > 0)
        return lately < room_up ? lately : room_up;
    if (lately < 0 && room_down > 0)
        return lately > -room_down ? lately : -room_down;
    return 0;
}

/* What the job may have gained or lost between the reading of its processes and the count; of an earlier
 * poll some is left. */
static int64_t most_lately(const struct gput__mapped *m, int64_t delay_ns)
{
    int64_t most = delay_ns * MOST_RATE > MOST_LATELY ? delay_ns * MOST_RATE : MOST_LATELY;
    int64_t left = m->most / LATELY_PARTS * (LATELY_PARTS - 1);

    most *= m->n_cores > 2 ? m->n_cores : 2;
    return most > left ? most : left;
}

static void remember(struct gput__mapped *m, int64_t theirs, int64_t back, int64_t delay_ns)
{
    m->most = most_lately(m, delay_ns);
    m->lately = (m->lately - back) / LATELY_PARTS * (LATELY_PARTS - 1) + theirs;
    m->lately = m->lately > m->most ? m->most : m->lately;
    m->lately = m->lately < -m->most ? -m->most : m->lately;
}

void gput__mapped_follow(struct gput__mapped *m, int64_t now, const struct gput__moves *job)
{
    int64_t up = (int64_t)job->up, down = (int64_t)job->down;
    int64_t moved = (int64_t)m->all - (int64_t)m->followed, theirs = 0, back;

    if (m->followed && m->all) {
        if (moved > up)
            theirs = moved - up;
        else if (moved < -down)
            theirs = moved + down;
        back = theirs ? 0
                      : mistaken(m->lately, up - (moved > 0 ? moved : 0),
                                 down + (moved < 0 ? moved : 0));
        m->others += theirs - back;
        remember(m, theirs, back, job->delay_ns);
        note(m, theirs < 0 ? -theirs : theirs, POLL_WEIGHT);
        note_jolt(m, now, theirs < 0 ? -theirs : theirs);
    }
    m->followed = m->all;
}

int gput__mapped_job(struct gput__mapped *m, uint64_t low, uint64_t high, uint64_t *ret)
{
    int64_t job = (int64_t)m->all - m->others;
    int64_t least = (int64_t)low, most = (int64_t)high;
    int64_t may_move = (int64_t)gput__most(high / MOST_NOISE_PART, LEAST_NOISE);

    if (!m->all || !m->has_others)
        return -ENODATA;
    /* Outside of what the job can hold it is the others that have moved. */
    if (job < least || job > most)
        note(m, job < least ? least - job : job - most, POLL_WEIGHT);
    if (m->noise > may_move || m->jolt > may_move)
        return -ENODATA;
    *ret = job > 0 ? (uint64_t)job : 0;
    return 0;
}
