/* asleep.c - a job without running processes is polled every two seconds, or when one has a page fault. */
#include "sample/tree/asleep.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "sample/tree/task_poll.h"
#include "source/proc/fault_alarm.h"

/* With more threads polls cost less than alarms. */
#define MOST_ALARMS 256
/* They are set where nothing has moved for so long, and for so many times their price: where the job wakes
 * at once they take no more than 1/SHARE of the time. */
#define STILL_NS (100 * GPUT__NS_PER_MS)
#define SHARE 1000

static uint32_t count_threads(const struct gput__tree *tree)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < tree->n; i++)
        if (gput__task_is_alive(&tree->tasks[i]))
            n += tree->tasks[i].life.threads > 1 ? tree->tasks[i].life.threads : 1;
    return n;
}

void gput__asleep_wake(struct gput__tree *tree)
{
    struct gput__asleep *a = &tree->asleep;

    for (uint32_t i = 0; i < a->n; i++)
        close(a->alarms[i]);
    gput__fds_return(&tree->fds, (int)a->n);
    free(a->alarms);
    a->alarms = NULL;
    a->n = 0;
}

static void set_alarm(struct gput__tree *tree, pid_t pid, pid_t tid)
{
    struct gput__asleep *a = &tree->asleep;
    int fd;

    (void)pid;
    if (a->is_impossible || a->n == a->cap)
        return;
    fd = gput__fault_alarm_open(tid);
    a->is_impossible = fd < 0 && fd != -ESRCH;
    if (fd < 0)
        return;
    a->alarms[a->n++] = fd;
    gput__fds_use(&tree->fds, 1);
}

static void set_alarms(struct gput__tree *tree)
{
    struct gput__asleep *a = &tree->asleep;

    a->cap = count_threads(tree);
    if (a->cap > MOST_ALARMS || (int)a->cap > tree->fds.left)
        return;
    a->alarms = malloc((a->cap + 1) * sizeof(*a->alarms));
    for (uint32_t i = 0; a->alarms && i < tree->n; i++)
        if (gput__task_is_alive(&tree->tasks[i]))
            gput__task_each_thread(tree, tree->tasks[i].pid, set_alarm);
    if (a->is_impossible ||
        a->n < a->cap) /* the next poll sees processes that came or went meanwhile */
        gput__asleep_wake(tree);
}

static void fall_asleep(struct gput__tree *tree)
{
    struct gput__asleep *a = &tree->asleep;
    int64_t still = tree->poll.at_ns - a->moved_ns, begin;

    if (still < STILL_NS || still < a->cost_ns * SHARE)
        return;
    begin = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID);
    a->tried = tree->poll.n_reads;
    set_alarms(tree);
    a->cost_ns = gput__clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
}

bool gput__asleep_see(struct gput__tree *tree, bool may_sleep)
{
    struct gput__asleep *a = &tree->asleep;
    bool is_still = tree->poll.n_reads == a->reads && tree->n > 0;

    a->reads = tree->poll.n_reads;
    a->moved_ns = is_still ? a->moved_ns : tree->poll.at_ns;
    if (!may_sleep || !is_still)
        gput__asleep_wake(tree);
    else if (!a->n && !a->is_impossible && a->tried != tree->poll.n_reads && tree->proc->live)
        fall_asleep(tree);
    return a->n > 0;
}
