/* test_gpu_share.c - whose a GPU's memory and work is, as a driver names processes or does not. */
#include "sample/gpu/gpu_share.h"

#include <errno.h>
#include <stdlib.h>

#include "fixture.h"
#include "tap.h"

#define MIB UINT64_C(1048576)
#define MAIN 100
#define CHILD 101
#define OTHER 900   /* a process here that is not the job's */
#define STRANGER 77 /* a number that names nobody here */

/* A job of two processes, and GPUs as their thread would leave them. */
struct scene {
    struct fixture f;
    struct gput__tree tree;
    struct gput__gpus g;
    struct gput__gpu_device devices[3];
    struct gput__gpu_lane lanes[3];
    struct gput__gpu_process named[3][80];
    struct gput__gpu_share share;
    struct gput__sample sample;
};

static void write_process(const struct scene *s, pid_t pid, const char *namespaces)
{
    char name[32], text[100];

    snprintf(name, sizeof(name), "%d/status", pid);
    snprintf(text, sizeof(text), "Name:\ta\n%sVmHWM:\t9 kB\nVmRSS:\t9 kB\n", namespaces);
    fixture_write(&s->f, name, text);
}

static void add_task(struct scene *s, pid_t pid)
{
    s->tree.tasks[s->tree.n] =
        (struct gput__task){ .pid = pid,
                             .is_main = pid == MAIN,
                             .life = { .state = 'S', .threads = 1, .is_past_exec = true },
                             .files = { -1, -1, -1 } };
    gput__pidmap_set(&s->tree.index, pid, s->tree.n++);
    s->tree.version++;
}

static struct scene *begin(unsigned n_devices)
{
    struct scene *s = calloc(1, sizeof(*s));

    fixture_need(s != NULL, "calloc");
    fixture_begin(&s->f);
    s->tree = (struct gput__tree){ .proc = &s->f.root,
                                   .births = { .events = -1, .fd_loadavg = -1 },
                                   .cap = 80,
                                   .who.main_pid = MAIN };
    s->tree.tasks = calloc(s->tree.cap, sizeof(*s->tree.tasks));
    fixture_need(s->tree.tasks != NULL, "calloc");
    add_task(s, MAIN);
    add_task(s, CHILD);
    write_process(s, MAIN, "");
    write_process(s, CHILD, "");
    write_process(s, OTHER, "");
    s->g = (struct gput__gpus){
        .found = { .state = GPUT__GPUS_READY, .devices = s->devices, .n = n_devices },
        .changed = -1,
        .busy.lanes = s->lanes
    };
    pthread_mutex_init(&s->g.lock, NULL);
    pthread_cond_init(&s->g.wake, NULL);
    for (unsigned i = 0; i < n_devices; i++) {
        s->devices[i].processes.all.list = s->named[i];
        s->devices[i].memory.is_known = s->devices[i].utilization.was_read = true;
        s->lanes[i].counts = true;
    }
    return s;
}

static void end(struct scene *s)
{
    free(s->g.asked.job);
    gput__tree_close(&s->tree);
    fixture_end(&s->f);
    free(s);
}

static void name(struct scene *s, unsigned device, pid_t pid, uint64_t mib)
{
    struct gput__gpu_processes *p = &s->devices[device].processes.all;

    p->list[p->n++] =
        (struct gput__gpu_process){ .pid = pid, .has_memory = mib > 0, .memory = mib * MIB };
}

static void update(struct scene *s)
{
    s->g.found.seq++;
    s->sample = (struct gput__sample){ 0 };
    gput__gpu_share_update(&s->share, &s->g, &s->tree, &s->sample);
}

static bool is(const struct scene *s, enum gput__metric m, double value)
{
    if (gput__sample_has(&s->sample, m) && s->sample.value[m] == value)
        return true;
    printf("# %s: %g%s\n", gput__metrics[m].name, s->sample.value[m],
           gput__sample_has(&s->sample, m) ? "" : " (not known)");
    return false;
}

/* --- memory --------------------------------------------------------------------------------- */

static void by_pid(void)
{
    struct scene *s = begin(2);

    s->devices[0].memory.used = 900 * MIB;
    s->devices[1].memory.used = 50 * MIB;
    name(s, 0, MAIN, 100);
    name(s, 0, CHILD, 20);
    name(s, 0, OTHER, 700);
    name(s, 1, CHILD, 30);
    update(s);
    OK(is(s, GPUT__MAIN_GPU_RAM, 100 * (double)MIB) &&
           is(s, GPUT__DESCENDANTS_GPU_RAM, 50 * (double)MIB) &&
           is(s, GPUT__COMBINED_GPU_RAM, 150 * (double)MIB) &&
           is(s, GPUT__SYSTEM_GPU_RAM, 950 * (double)MIB),
       "main, its child on two devices, and the devices as they are");
    OK(s->share.how == GPUT__BY_PID && s->share.others && s->share.n_users == 3,
       "by pid, and somebody else is there");
    end(s);
}

static void by_number_in_a_container(void)
{
    struct scene *s = begin(1);

    write_process(s, CHILD, "NSpid:\t101\t7\n");
    name(s, 0, 7, 40);
    update(s);
    OK(is(s, GPUT__DESCENDANTS_GPU_RAM, 40 * (double)MIB) && s->share.how == GPUT__BY_NAMESPACE &&
           s->share.users[0].pid == CHILD && s->share.users[0].named == 7,
       "a driver that names a process as its container does");
    write_process(s, 7, "");
    s->share = (struct gput__gpu_share){ 0 };
    update(s);
    OK(is(s, GPUT__COMBINED_GPU_RAM, 0) && s->share.others,
       "unless the number is somebody's here: then it is theirs");
    end(s);
}

static void by_instance(void)
{
    struct scene *s = begin(2);

    s->devices[1].info.is_mig = true; /* of device 0 */
    s->devices[0].memory.used = s->devices[1].memory.used = 60 * MIB;
    name(s, 0, MAIN, 60);
    name(s, 1, MAIN, 60);
    update(s);
    OK(is(s, GPUT__COMBINED_GPU_RAM, 60 * (double)MIB) &&
           is(s, GPUT__SYSTEM_GPU_RAM, 60 * (double)MIB) && s->share.how == GPUT__BY_MIG,
       "what a GPU and its instance both tell counts once");
    end(s);
}

/* Where processes cannot be told apart the job is what has come since its start. */
static void by_change(void)
{
    struct scene *s = begin(1);

    s->devices[0].processes.error = -ENOTSUP;
    s->devices[0].memory.first = 10 * MIB;
    s->devices[0].memory.used = 35 * MIB;
    update(s);
    OK(is(s, GPUT__MAIN_GPU_RAM, 25 * (double)MIB) && is(s, GPUT__DESCENDANTS_GPU_RAM, 0) &&
           s->share.how == GPUT__BY_CHANGE,
       "a driver that names nobody");
    s->devices[0].memory.used = 5 * MIB;
    update(s);
    OK(is(s, GPUT__COMBINED_GPU_RAM, 0), "less than at the start is none");
    s->devices[0].processes.error = 0;
    s->devices[0].memory.used = 30 * MIB;
    name(s, 0, STRANGER, 20);
    update(s);
    OK(is(s, GPUT__COMBINED_GPU_RAM, 20 * (double)MIB), "or only numbers that mean nobody here");
    s->devices[0].processes.all.n = 0;
    name(s, 0, MAIN, 0);
    update(s);
    OK(is(s, GPUT__COMBINED_GPU_RAM, 20 * (double)MIB), "or does not say how much they have");
    end(s);
    s = begin(1);
    s->devices[0].processes.error = -EACCES;
    s->devices[0].memory.is_known = false;
    update(s);
    OK(!gput__sample_has(&s->sample, GPUT__COMBINED_GPU_RAM) &&
           !gput__sample_has(&s->sample, GPUT__SYSTEM_GPU_RAM),
       "where the device tells nothing either, nothing is known");
    end(s);
}

static void more_than_can_be_kept(void)
{
    struct scene *s = begin(1);
    double all = 0;
    unsigned small = 0;

    for (int i = 0; i < 70; i++) {
        pid_t pid = 1000 + i;

        add_task(s, pid);
        name(s, 0, pid, 1 + (uint64_t)i);
        all += (1 + i) * (double)MIB;
    }
    update(s);
    OK(is(s, GPUT__COMBINED_GPU_RAM, all), "all processes count");
    for (unsigned i = 0; i < s->share.n_users; i++)
        small += s->share.users[i].max_memory <= 6 * MIB;
    OK(s->share.n_users == GPUT__MOST_GPU_USERS && small == 0,
       "of those that are shown afterwards the smallest are left out");
    end(s);
}

/* --- work ----------------------------------------------------------------------------------- */

static void write_use(struct scene *s, pid_t pid, double percent)
{
    struct gput__gpu_uses *u = &s->devices[0].uses;

    u->list[u->n++] = (struct gput__gpu_use){ .pid = pid, .sum = percent, .max = percent };
}

static void shares_of_work(void)
{
    struct scene *s = begin(1);

    s->devices[0].utilization.percent = 80;
    update(s);
    OK(is(s, GPUT__GPU_PERCENT, 80) && is(s, GPUT__JOB_GPU_PERCENT, 0) &&
           is(s, GPUT__SYSTEM_GPUS_IN_USE, 1) && is(s, GPUT__JOB_GPUS_IN_USE, 0),
       "a job that is not there does no work");
    name(s, 0, MAIN, 10);
    update(s);
    OK(is(s, GPUT__JOB_GPU_PERCENT, 80) && is(s, GPUT__JOB_GPUS_IN_USE, 1), "alone it does all");
    name(s, 0, OTHER, 10);
    update(s);
    OK(is(s, GPUT__JOB_GPU_PERCENT, 40), "of two without more to go by, half");
    write_use(s, MAIN, 30);
    write_use(s, OTHER, 90);
    update(s);
    OK(is(s, GPUT__JOB_GPU_PERCENT, 20), "with the driver's own counts, as these say");
    s->lanes[0].counts = false;
    s->share = (struct gput__gpu_share){ 0 };
    update(s);
    OK(!gput__sample_has(&s->sample, GPUT__GPU_PERCENT),
       "a device that was not chosen does not count");
    end(s);
}

int main(void)
{
    by_pid();
    by_number_in_a_container();
    by_instance();
    by_change();
    more_than_can_be_kept();
    shares_of_work();
    return DONE();
}
