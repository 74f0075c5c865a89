/* shared_snapshot.c - the memory that a helper shares with its client: the figures so far. */
#include "api/inside/shared_snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.h"
#include "model/unit.h"
#include "model/usage_rows.h"

#ifndef F_ADD_SEALS /* older C libraries do not know it, older kernels refuse it */
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define F_SEAL_SEAL 1
#define F_SEAL_SHRINK 2
#define F_SEAL_GROW 4
#endif

/* A slot is copied faster than the helper shows two: more tries than this are never needed. */
#define MOST_TRIES 100
/* Seconds: no run takes so long. */
#define LONGEST_S 1e15
/* Strings told apart by where they stand: the library's own occur again and again. */
#define MOST_SEEN 256

/* --- the memory ----------------------------------------------------------------------------- */

#define ALIGNED(n) (((n) + 4095) & ~(size_t)4095)

static int map(int fd, size_t size, int protection, struct gput__shared **ret_shared)
{
    void *p = mmap(NULL, size, protection, MAP_SHARED, fd, 0);

    if (p == MAP_FAILED)
        return -errno;
    *ret_shared = p;
    return 0;
}

/* A program that may not write files of this size gets an error, not the signal that goes with it. */
static int without_signal(int fd, size_t from, size_t n, int (*grow)(int, off_t, off_t))
{
    sigset_t set, old;
    int r;

    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    r = grow(fd, (off_t)from, (off_t)n);
    if (r == -EFBIG && !sigismember(&old, SIGXFSZ))
        (void)sigtimedwait(&set, NULL, &(struct timespec){ 0 });
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return r;
}

static int allocate(int fd, off_t from, off_t n)
{
    return -posix_fallocate(fd, from, n);
}

static int lengthen(int fd, off_t from, off_t n)
{
    return ftruncate(fd, from + n) < 0 ? -errno : 0;
}

int gput__shared_allocate(int fd, size_t from, size_t n)
{
    return without_signal(fd, from, n, allocate);
}

/* The shared snapshot is allocated now: a full memory must not kill either side when a
 * page of it is first touched.  The series behind it is large and mostly never filled: that is done as it grows. */
static int make_room(int fd, size_t size)
{
    int r = gput__shared_allocate(fd, 0, sizeof(struct gput__shared));

    return r < 0 ? r : without_signal(fd, 0, size, lengthen);
}

size_t gput__shared_series_at(void)
{
    return ALIGNED(sizeof(struct gput__shared));
}

size_t gput__shared_size(size_t series_size)
{
    return series_size ? gput__shared_series_at() + ALIGNED(series_size)
                       : sizeof(struct gput__shared);
}

int gput__shared_create(size_t series_size, struct gput__shared **ret_shared, int *ret_fd)
{
    size_t size = gput__shared_size(series_size);
    int fd = gput__memory_file("gput-shared");
    int r;

    if (fd < 0)
        return -errno;
    r = make_room(fd, size);
    if (r == 0)
        r = map(fd, size, PROT_READ | PROT_WRITE, ret_shared);
    if (r < 0) {
        close(fd);
        return r;
    }
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    (*ret_shared)->size = size;
    *ret_fd = fd;
    return 0;
}

/* By a descriptor that cannot write: what was mapped through one that can, mprotect() could open again. */
void gput__shared_protect(struct gput__shared *b, size_t size, int fd)
{
    char name[40];
    int own;
    void *p = MAP_FAILED;

    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    own = open(name, O_RDONLY | O_CLOEXEC);
    if (own >= 0) {
        p = mmap(b, size, PROT_READ, MAP_SHARED | MAP_FIXED, own, 0);
        close(own);
    }
    if (p == MAP_FAILED)
        (void)mprotect(b, size, PROT_READ);
}

/* Memory that its giver could take away would kill us at the next touch. */
static bool can_shrink(int fd)
{
    int seals = fcntl(fd, F_GET_SEALS);

    return seals < 0 || !(seals & F_SEAL_SHRINK);
}

static int map_whole(int fd, int protection, struct gput__shared **ret_shared, size_t *ret_size)
{
    struct gput__shared *b = NULL;
    struct stat st;
    int r;

    if (fstat(fd, &st) < 0)
        return -errno;
    if (st.st_size < (off_t)sizeof(struct gput__shared) || can_shrink(fd))
        return -EPROTO;
    r = map(fd, (size_t)st.st_size, protection, &b);
    if (r < 0)
        return r;
    if (b->size != (uint64_t)st.st_size) {
        (void)munmap(b, (size_t)st.st_size);
        return -EPROTO;
    }
    *ret_shared = b;
    *ret_size = (size_t)st.st_size;
    return 0;
}

int gput__shared_map(int fd, struct gput__shared **ret_shared, size_t *ret_size)
{
    return map_whole(fd, PROT_READ | PROT_WRITE, ret_shared, ret_size);
}

int gput__shared_view(int fd, const struct gput__shared **ret_shared, size_t *ret_size)
{
    struct gput__shared *b;
    int r = map_whole(fd, PROT_READ, &b, ret_size);

    if (r == 0)
        *ret_shared = b;
    return r;
}

struct gput__series *gput__shared_series(struct gput__shared *b, size_t size, size_t *ret_size)
{
    if (size <= gput__shared_series_at())
        return NULL;
    *ret_size = size - gput__shared_series_at();
    return (struct gput__series *)((char *)b + gput__shared_series_at());
}

void gput__shared_unmap(struct gput__shared *b, size_t size)
{
    if (b)
        (void)munmap(b, size);
}

/* --- strings -------------------------------------------------------------------------------- */

struct packer {
    struct gput__shared_slot *slot;
    unsigned n_seen;
    struct {
        const char *string;
        uintptr_t place;
    } seen[MOST_SEEN];
};

/* What does not fit is left out. */
static uintptr_t add_text(struct packer *p, const char *s)
{
    size_t len = strlen(s) + 1;
    uintptr_t place = p->slot->text_used + 1;

    if (len > GPUT__SHARED_TEXT - p->slot->text_used)
        return 0;
    memcpy(p->slot->text + p->slot->text_used, s, len);
    p->slot->text_used += (uint32_t)len;
    return place;
}

static const char *pack(void *ctx, const char *s)
{
    struct packer *p = ctx;
    uintptr_t place;

    if (!s)
        return NULL;
    for (unsigned i = 0; i < p->n_seen; i++)
        if (p->seen[i].string == s)
            return (const char *)p->seen[i].place;
    place = add_text(p, s);
    if (p->n_seen < MOST_SEEN) {
        p->seen[p->n_seen].string = s;
        p->seen[p->n_seen++].place = place;
    }
    return (const char *)place;
}

static const char *unpack(void *ctx, const char *s)
{
    const struct gput__shared_slot *slot = ctx;
    uintptr_t place = (uintptr_t)s;

    return place == 0 || place > slot->text_used ? NULL : slot->text + (place - 1);
}

typedef const char *convert(void *ctx, const char *s);

/* All strings of a struct: where they are follows from the table of what a result shows. */
static void convert_rows(const struct gput__rows *rows, const void *from, void *to, convert *fn,
                         void *ctx)
{
    for (size_t i = 0; i < rows->n; i++) {
        size_t at = rows->row[i].offset;

        if (rows->row[i].kind == GPUT__ROW_TEXT || rows->row[i].kind == GPUT__ROW_PAIRS)
            *(const char **)((char *)to + at) =
                fn(ctx, *(const char *const *)((const char *)from + at));
        else if (gput__row_is_figure(&rows->row[i]))
            ((struct gput_figure *)((char *)to + at))->why =
                fn(ctx, ((const struct gput_figure *)((const char *)from + at))->why);
    }
}

static void convert_usage(const struct gput_usage *from, struct gput_usage *to, convert *fn,
                          void *ctx)
{
    for (int which = GPUT__DEFAULT_ROWS; which <= GPUT__FULL_ROWS; which++) {
        struct gput__row room[GPUT__MOST_ROWS];
        struct gput__rows rows = gput__usage_rows((enum gput__rows_of)which, room);

        convert_rows(&rows, from, to, fn, ctx);
    }
    to->gpu.attribution = fn(ctx, from->gpu.attribution);
    to->gpu.note = fn(ctx, from->gpu.note);
}

/* --- the slots ------------------------------------------------------------------------------ */

static int at_most(int n, int most)
{
    return n < 0 ? 0 : n > most ? most : n;
}

static void write_slot(struct gput__shared_slot *slot, const struct gput_usage *u,
                       const struct gput_now *now)
{
    struct packer p = { .slot = slot };
    int n_gpus = at_most(u->gpu.n_gpus, GPUT__MOST_GPUS);
    int n_processes = at_most(u->gpu.n_processes, GPUT__SHARED_GPU_PROCESSES);
    int n_groups = at_most(u->processes.n_groups, GPUT__SHARED_GROUPS);

    slot->text_used = 0;
    slot->usage = *u;
    slot->now = *now;
    memset(&slot->usage.budget, 0, sizeof(slot->usage.budget)); /* who reads it judges */
    convert_usage(u, &slot->usage, pack, &p);
    for (int i = 0; i < n_gpus; i++) {
        slot->gpus[i] = u->gpu.gpus[i];
        convert_rows(&gput__gpu_rows, &u->gpu.gpus[i], &slot->gpus[i], pack, &p);
        slot->work[i] = u->gpu.work ? u->gpu.work[i] : (struct gput_gpu_work){ 0 };
        convert_rows(&gput__gpu_work_rows, &slot->work[i], &slot->work[i], pack, &p);
    }
    for (int i = 0; i < n_processes; i++) {
        slot->processes[i] = u->gpu.processes[i];
        convert_rows(&gput__gpu_process_rows, &u->gpu.processes[i], &slot->processes[i], pack, &p);
    }
    for (int i = 0; i < n_groups; i++) {
        slot->groups[i] = u->processes.groups[i];
        convert_rows(&gput__process_group_rows, &u->processes.groups[i], &slot->groups[i], pack,
                     &p);
    }
    slot->usage.processes.n_groups = n_groups;
    slot->usage.gpu.n_gpus = n_gpus;
    slot->usage.gpu.n_processes = n_processes;
}

void gput__shared_show(struct gput__shared *b, const struct gput_usage *u,
                       const struct gput_now *now)
{
    uint64_t turn = atomic_load_explicit(&b->turn, memory_order_relaxed) + 1;

    write_slot(&b->slots[turn & 1], u, now);
    atomic_store_explicit(&b->turn, turn, memory_order_release);
}

/* Only what is in use: the rest of the slot need not even be mapped. */
static void copy_slot(const struct gput__shared_slot *from, struct gput__shared_slot *to)
{
    size_t n_gpus, n_processes, n_groups;

    to->usage = from->usage;
    to->now = from->now;
    to->usage.gpu.n_gpus = at_most(to->usage.gpu.n_gpus, GPUT__MOST_GPUS);
    to->usage.gpu.n_processes = at_most(to->usage.gpu.n_processes, GPUT__SHARED_GPU_PROCESSES);
    to->usage.processes.n_groups = at_most(to->usage.processes.n_groups, GPUT__SHARED_GROUPS);
    n_groups = (size_t)to->usage.processes.n_groups;
    memcpy(to->groups, from->groups, n_groups * sizeof(*to->groups));
    n_gpus = (size_t)to->usage.gpu.n_gpus;
    n_processes = (size_t)to->usage.gpu.n_processes;
    memcpy(to->gpus, from->gpus, n_gpus * sizeof(*to->gpus));
    memcpy(to->work, from->work, n_gpus * sizeof(*to->work));
    memcpy(to->processes, from->processes, n_processes * sizeof(*to->processes));
    to->text_used = from->text_used < GPUT__SHARED_TEXT ? from->text_used : GPUT__SHARED_TEXT;
    memcpy(to->text, from->text, to->text_used);
    if (to->text_used)
        to->text[to->text_used - 1] = '\0';
}

/* Whether a slot that was copied from `turn` on was left alone meanwhile: the next one goes to the
 * other slot, and the one after that is begun once that is shown. */
static bool is_whole(const struct gput__shared *b, uint64_t turn)
{
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&b->turn, memory_order_relaxed) == turn;
}

static void point_into(struct gput__shared_slot *slot, struct gput_usage *ret)
{
    *ret = slot->usage;
    memset(&ret->budget, 0, sizeof(ret->budget));
    convert_usage(&slot->usage, ret, unpack, slot);
    for (int i = 0; i < ret->gpu.n_gpus; i++) {
        struct gput_gpu packed = slot->gpus[i];

        convert_rows(&gput__gpu_rows, &packed, &slot->gpus[i], unpack, slot);
        convert_rows(&gput__gpu_work_rows, &slot->work[i], &slot->work[i], unpack, slot);
    }
    for (int i = 0; i < ret->gpu.n_processes; i++) {
        struct gput_gpu_process packed = slot->processes[i];

        convert_rows(&gput__gpu_process_rows, &packed, &slot->processes[i], unpack, slot);
    }
    for (int i = 0; i < ret->processes.n_groups; i++) {
        struct gput_process_group packed = slot->groups[i];

        convert_rows(&gput__process_group_rows, &packed, &slot->groups[i], unpack, slot);
        if (!slot->groups[i].name) /* a text that did not fit */
            slot->groups[i].name = "";
    }
    ret->processes.groups = ret->processes.n_groups ? slot->groups : NULL;
    ret->gpu.gpus = ret->gpu.n_gpus ? slot->gpus : NULL;
    ret->gpu.work = ret->gpu.n_gpus ? slot->work : NULL;
    ret->gpu.processes = ret->gpu.n_processes ? slot->processes : NULL;
}

static bool rows_are_sound(const struct gput__rows *rows, const void *of)
{
    for (size_t i = 0; i < rows->n; i++) {
        const void *at = (const char *)of + rows->row[i].offset;

        if (gput__row_is_figure(&rows->row[i]) &&
            ((const struct gput_figure *)at)->source > GPUT_ESTIMATED)
            return false;
    }
    return true;
}

static bool is_unit(const char *name, const struct gput__unit *find(const char *name))
{
    return name && find(name);
}

/* Whether there are words for all of it: a program can write anywhere, here too. */
static bool is_sound(const struct gput_usage *u)
{
    bool is = is_unit(u->ram_unit, gput__unit_of_memory) &&
              is_unit(u->gpu_ram_unit, gput__unit_of_memory) &&
              is_unit(u->time_unit, gput__unit_of_time) && u->job.ending <= GPUT_DETACHED &&
              u->job.oom <= GPUT_OOM_YES;

    for (int which = GPUT__DEFAULT_ROWS; is && which <= GPUT__FULL_ROWS; which++) {
        struct gput__row room[GPUT__MOST_ROWS];
        struct gput__rows rows = gput__usage_rows((enum gput__rows_of)which, room);

        is = rows_are_sound(&rows, u);
    }
    for (int i = 0; is && i < GPUT_CPU_LEVELS; i++)
        is = u->cpu_levels.seconds[i] >= 0 && u->cpu_levels.seconds[i] < LONGEST_S;
    for (int i = 0; is && i < u->gpu.n_gpus; i++)
        is = rows_are_sound(&gput__gpu_rows, &u->gpu.gpus[i]) &&
             rows_are_sound(&gput__gpu_work_rows, &u->gpu.work[i]);
    for (int i = 0; is && i < u->processes.n_groups; i++)
        is = rows_are_sound(&gput__process_group_rows, &u->processes.groups[i]);
    for (int i = 0; is && i < u->gpu.n_processes; i++)
        is = rows_are_sound(&gput__gpu_process_rows, &u->gpu.processes[i]);
    return is;
}

int gput__shared_read(const struct gput__shared *b, struct gput__shared_slot **room,
                      struct gput_usage *ret_usage, struct gput_now *ret_now)
{
    struct gput_usage u;
    uint64_t turn = 0;

    if (!*room)
        *room = calloc(1, sizeof(**room));
    if (!*room)
        return -ENOMEM;
    for (int i = 0; i < MOST_TRIES; i++) {
        turn = atomic_load_explicit(&b->turn, memory_order_acquire);
        if (turn == 0)
            return -ENODATA;
        copy_slot(&b->slots[turn & 1], *room);
        if (is_whole(b, turn))
            break;
        turn = 0;
    }
    if (turn == 0)
        return -EAGAIN;
    point_into(*room, &u);
    if (!is_sound(&u))
        return -EPROTO;
    *ret_usage = u;
    *ret_now = (*room)->now;
    return 0;
}
