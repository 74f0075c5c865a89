/* Figures that cross from one process to another: whole or not at all, strings and lists included. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/inside/shared_snapshot.h"
#include "tap.h"

static struct gput_usage example(void)
{
    static const char why[] = "because";
    struct gput_usage u = {
        .size = sizeof(u), .ram_unit = "megabytes", .gpu_ram_unit = "bytes", .time_unit = "days"
    };

    u.max_ram.main.total_rss = (struct gput_figure){ 5e8, GPUT_SAMPLED, why };
    u.max_ram.combined.total_rss = (struct gput_figure){ 6e8, GPUT_EXACT, NULL };
    u.tracker.n_records = (struct gput_figure){ 7, GPUT_SAMPLED, why };
    u.job.command = "sh -c 'a \"b\"'";
    u.gpu.attribution = "by process id";
    return u;
}

static void nothing_shown_is_no_data(void)
{
    struct gput__shared *b;
    struct gput__shared_slot *room = NULL;
    struct gput_usage u = { .size = 99 };
    struct gput_now now;
    int fd;

    OK(gput__shared_create(0, &b, &fd) == 0, "a shared snapshot can be made");
    OK(gput__shared_read(b, &room, &u, &now) == -ENODATA && u.size == 99,
       "nothing was shown yet: no data, and ret is left alone");
    free(room);
    gput__shared_unmap(b, gput__shared_size(0));
    close(fd);
}

static void figures_come_back(void)
{
    struct gput__shared *b, *other = NULL;
    struct gput__shared_slot *room = NULL;
    struct gput_usage in = example(), out;
    struct gput_now now_in = { .elapsed = 1.5, .n_processes = 3 }, now_out;
    size_t size = 0;
    int fd;

    OK(gput__shared_create(0, &b, &fd) == 0 && gput__shared_map(fd, &other, &size) == 0,
       "both sides map the same memory");
    gput__shared_show(other, &in, &now_in);
    OK(gput__shared_read(b, &room, &out, &now_out) == 0, "what one shows the other reads");
    OK(out.max_ram.main.total_rss.value == 5e8 && out.max_ram.main.total_rss.source == GPUT_SAMPLED,
       "a figure");
    OK(!strcmp(out.max_ram.main.total_rss.why, "because"), "why it is not exact");
    OK(out.max_ram.combined.total_rss.why == NULL, "no reason stays none");
    OK(!strcmp(out.tracker.n_records.why, "because"), "the same words for another figure");
    OK(!strcmp(out.ram_unit, "megabytes") && !strcmp(out.time_unit, "days"), "the units");
    OK(!strcmp(out.job.command, in.job.command), "the command");
    OK(!strcmp(out.gpu.attribution, "by process id") && !out.gpu.note, "words on GPUs");
    OK(now_out.elapsed == 1.5 && now_out.n_processes == 3, "the present state");
    free(room);
    gput__shared_unmap(b, gput__shared_size(0));
    gput__shared_unmap(other, size);
    close(fd);
}

static void lists_of_gpus_come_back(void)
{
    struct gput_gpu gpus[200];
    struct gput_gpu_process processes[100];
    struct gput_usage in = example(), out;
    struct gput_now now = { 0 };
    struct gput__shared_slot *room = NULL;
    struct gput__shared *b;
    char names[200][16];
    int fd;

    memset(gpus, 0, sizeof(gpus));
    memset(processes, 0, sizeof(processes));
    for (int i = 0; i < 200; i++) {
        snprintf(names[i], sizeof(names[i]), "GPU-%d", i);
        gpus[i] = (struct gput_gpu){ .index = i, .name = "H200", .uuid = names[i], .state = "ok" };
        gpus[i].max_memory = (struct gput_figure){ i, GPUT_SAMPLED, names[i] };
    }
    for (int i = 0; i < 100; i++)
        processes[i] = (struct gput_gpu_process){ .pid = i + 1, .attribution = "by process id" };
    in.gpu.gpus = gpus;
    in.gpu.processes = processes;
    in.gpu.n_gpus = 200;
    in.gpu.n_processes = 100;
    OK(gput__shared_create(0, &b, &fd) == 0, "a shared snapshot can be made");
    gput__shared_show(b, &in, &now);
    OK(gput__shared_read(b, &room, &out, &now) == 0, "and read");
    OK(out.gpu.n_gpus == GPUT__MOST_GPUS && out.gpu.n_processes == GPUT__SHARED_GPU_PROCESSES,
       "as many GPUs and processes as there is room for");
    OK(!strcmp(out.gpu.gpus[63].uuid, "GPU-63") && out.gpu.gpus[63].max_memory.value == 63 &&
           !strcmp(out.gpu.gpus[63].max_memory.why, "GPU-63"),
       "the last of them with its strings");
    OK(out.gpu.processes[63].pid == 64 &&
           !strcmp(out.gpu.processes[63].attribution, "by process id"),
       "the last process too");
    free(room);
    gput__shared_unmap(b, gput__shared_size(0));
    close(fd);
}

static void text_without_room_is_left_out(void)
{
    struct gput_usage in = example(), out;
    struct gput_now now = { 0 };
    struct gput__shared_slot *room = NULL;
    struct gput__shared *b;
    char *longest = malloc(GPUT__SHARED_TEXT + 1);
    int fd;

    memset(longest, 'x', GPUT__SHARED_TEXT);
    longest[GPUT__SHARED_TEXT] = '\0';
    in.job.command = longest;
    OK(gput__shared_create(0, &b, &fd) == 0, "a shared snapshot can be made");
    gput__shared_show(b, &in, &now);
    OK(gput__shared_read(b, &room, &out, &now) == 0 && out.job.command == NULL,
       "a command that is longer than the slot is not told");
    OK(!strcmp(out.ram_unit, "megabytes") && !strcmp(out.gpu.attribution, "by process id"),
       "everything else is");
    free(room);
    free(longest);
    gput__shared_unmap(b, gput__shared_size(0));
    close(fd);
}

/* All figures of a slot hold the same number. */
static void show_number(struct gput__shared *b, double n)
{
    struct gput_usage u = example();
    struct gput_now now = { .elapsed = n };

    u.max_ram.main.total_rss.value = n;
    u.tracker.n_polls.value = n;
    gput__shared_show(b, &u, &now);
}

static void *show_many(void *shared)
{
    for (int i = 1; i <= 200000; i++)
        show_number(shared, i);
    return NULL;
}

static void slots_are_whole(void)
{
    struct gput__shared *b;
    struct gput__shared_slot *room = NULL;
    struct gput_usage u;
    struct gput_now now;
    pthread_t writer;
    int fd, torn = 0, backwards = 0, reads = 0;
    double last = 0;

    OK(gput__shared_create(0, &b, &fd) == 0, "a shared snapshot can be made");
    show_number(b, 0);
    pthread_create(&writer, NULL, show_many, b);
    while (last < 200000) {
        if (gput__shared_read(b, &room, &u, &now) < 0)
            continue;
        reads++;
        torn += u.max_ram.main.total_rss.value != now.elapsed ||
                u.tracker.n_polls.value != now.elapsed || strcmp(u.ram_unit, "megabytes") != 0;
        backwards += now.elapsed < last;
        last = now.elapsed;
    }
    pthread_join(writer, NULL);
    OK(reads > 0 && torn == 0 && backwards == 0,
       "while snapshots are shown as fast as can be no reader sees two at once, or an older one");
    free(room);
    gput__shared_unmap(b, gput__shared_size(0));
    close(fd);
}

static void a_dead_writer_leaves_the_last_snapshot(void)
{
    struct gput__shared *b;
    struct gput__shared_slot *room = NULL;
    struct gput_usage u;
    struct gput_now now;
    int fd;
    pid_t pid;

    OK(gput__shared_create(0, &b, &fd) == 0, "a shared snapshot can be made");
    pid = fork();
    if (pid == 0) {
        show_number(b, 1);
        show_number(b, 2);
        memset(&b->slots[1], 0xff, sizeof(b->slots[1]) / 2); /* in the middle of the third */
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    OK(gput__shared_read(b, &room, &u, &now) == 0 && now.elapsed == 2 &&
           !strcmp(u.ram_unit, "megabytes"),
       "a writer that dies in the middle of a slot leaves the one before");
    free(room);
    gput__shared_unmap(b, gput__shared_size(0));
    close(fd);
}

static void other_memory_is_refused(void)
{
    struct gput__shared *b = NULL;
    size_t size = 0;
    int fd = open("/dev/null", O_RDWR);

    OK(gput__shared_map(fd, &b, &size) == -EPROTO && !b, "what is no shared snapshot is refused");
    OK(gput__shared_map(-1, &b, &size) == -EBADF && !b, "and so is nothing");
    close(fd);
}

static void it_keeps_its_size(void)
{
    struct gput__shared *b, *other = NULL;
    size_t size = 0;
    int fd, loose = memfd_create("loose", 0);

    OK(gput__shared_create(100000, &b, &fd) == 0, "a shared snapshot with a series can be made");
    OK(ftruncate(fd, 0) < 0 && ftruncate(fd, 1 << 30) < 0, "it becomes neither smaller nor larger");
    OK(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) < 0, "nor can it be shut");
    OK(gput__shared_map(fd, &other, &size) == 0 && size == gput__shared_size(100000),
       "the other side sees its size");
    OK(loose >= 0 && ftruncate(loose, (off_t)size) == 0 && write(loose, b, sizeof(b->size)) > 0 &&
           gput__shared_map(loose, &other, &size) == -EPROTO,
       "memory that could be taken away again is refused");
    gput__shared_unmap(other, size);
    gput__shared_unmap(b, size);
    close(loose);
    close(fd);
}

static bool dies_of_writing(struct gput__shared *b, size_t size)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        (void)signal(SIGSEGV, SIG_DFL);
        (void)mprotect(b, size, PROT_READ | PROT_WRITE);
        b->turn = 7;
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

/* Whom it is read by, and whatever that one forks, cannot change the figures. */
static void only_the_helper_writes(void)
{
    struct gput__shared *ours, *helpers;
    struct gput__shared_slot *room = NULL;
    struct gput_usage u = example(), got = { .size = sizeof(got) };
    struct gput_now now = { 0 };
    size_t size;
    int fd;

    OK(gput__shared_create(0, &ours, &fd) == 0, "a shared snapshot");
    gput__shared_protect(ours, gput__shared_size(0), fd);
    OK(gput__shared_map(fd, &helpers, &size) == 0, "the helper maps it");
    OK(dies_of_writing(ours, size), "who reads cannot write, not by mprotect() either");
    gput__shared_show(helpers, &u, &now);
    OK(gput__shared_read(ours, &room, &got, &now) == 0 && got.max_ram.main.total_rss.value == 5e8,
       "and sees what the helper shows");
    free(room);
    gput__shared_unmap(ours, size);
    gput__shared_unmap(helpers, size);
    close(fd);
}

/* Whatever the other side writes: figures that may be wrong, but can be told, or none. */
static void garbage_is_survived(void)
{
    struct gput__shared *b;
    struct gput__shared_slot *room = NULL;
    struct gput_usage good = example(), u;
    struct gput_now now = { .elapsed = 1 };
    int fd, n_read = 0, n_refused = 0, n_told = 0;
    unsigned seed = 7;

    OK(gput__shared_create(0, &b, &fd) == 0, "a shared snapshot can be made");
    memset(b->slots, 0xFF, sizeof(b->slots));
    atomic_store(&b->turn, 1);
    OK(gput__shared_read(b, &room, &u, &now) == -EPROTO, "noise is no snapshot");
    for (int round = 0; round < 2000; round++) {
        char *slot, *text;
        int r;

        gput__shared_show(b, &good, &now);
        slot = (char *)&b->slots[atomic_load(&b->turn) & 1];
        slot[(size_t)rand_r(&seed) % sizeof(good)] = (char)rand_r(&seed);
        r = gput__shared_read(b, &room, &u, &now);
        n_read += r == 0;
        n_refused += r == -EPROTO;
        if (r == 0 && gput_usage_format(&u, GPUT_JSON, 1, &text) == 0) {
            n_told++;
            free(text);
        }
    }
    OK(n_read > 0 && n_refused > 0 && n_read + n_refused == 2000 && n_told == n_read,
       "one wrong byte in a slot: it can be told or is refused (%d of 2000)", n_refused);
    b->size = UINT64_MAX;
    gput__shared_unmap(b, gput__shared_size(0));
    free(room);
    close(fd);
}

int main(void)
{
    nothing_shown_is_no_data();
    figures_come_back();
    lists_of_gpus_come_back();
    text_without_room_is_left_out();
    slots_are_whole();
    a_dead_writer_leaves_the_last_snapshot();
    other_memory_is_refused();
    it_keeps_its_size();
    only_the_helper_writes();
    garbage_is_survived();
    return DONE();
}
