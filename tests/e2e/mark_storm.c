/* mark_storm.c - many processes and threads write marks of code blocks into one file.
 *
 * usage: mark_storm FILE PROCESSES THREADS MARKS own|shared [COUNTS [PAUSE]]
 * Each thread writes MARKS marks, a multiple of 4: outer begins, inner begins, inner ends, outer
 * ends.  `own`: each process opens the file for itself, replacing an older one; `shared`: all use a
 * handle from before the fork.  In COUNTS, an array of 64-bit numbers, each process of one thread
 * keeps how many of its marks have been taken.  PAUSE: microseconds between two marks.  Prints
 * nothing; status 0: all were taken. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gput.h"

static const char *const names[] = { "plain", "with, comma", "with \"quotes\"", "two\nlines",
                                     "\xc3\xa9\xe2\x82\xac\r\n" };

static struct gput_marks *marks;
static uint64_t *taken; /* of this process; NULL: nobody counts */
static int n_marks;
static useconds_t pause_us;
static pthread_barrier_t
    *all_are_open; /* who opens when all others have ended begins the file anew */

static int mark(int is_end, const char *kind, int i)
{
    char name[64];
    int r;

    snprintf(name, sizeof(name), "%s %s", kind, names[i % 5]);
    r = is_end ? gput_block_end(marks, name) : gput_block_begin(marks, name);
    if (r == 0 && taken)
        ++*(volatile uint64_t *)taken;
    if (pause_us)
        usleep(pause_us);
    return r;
}

static void *write_marks(void *failed)
{
    for (int i = 0; i < n_marks / 4; i++)
        if (mark(0, "outer", i) < 0 || mark(0, "inner", i) < 0 || mark(1, "inner", i) < 0 ||
            mark(1, "outer", i) < 0)
            *(volatile int *)failed = 1;
    return NULL;
}

static int open_marks(const char *path)
{
    struct gput_error e;
    int r = gput_marks_open(path, GPUT_MARKS_OVERWRITE, &marks, &e);

    if (r < 0)
        fprintf(stderr, "%s\n", e.text);
    return r;
}

static int be_a_process(const char *path, int n_threads)
{
    pthread_t threads[64];
    int failed = 0, r = marks ? 0 : open_marks(path);

    pthread_barrier_wait(all_are_open);
    if (r < 0)
        return 1;
    for (int i = 1; i < n_threads; i++)
        pthread_create(&threads[i], NULL, write_marks, &failed);
    write_marks(&failed);
    for (int i = 1; i < n_threads; i++)
        pthread_join(threads[i], NULL);
    return gput_marks_close(marks) < 0 || failed;
}

static pthread_barrier_t *new_barrier(int n)
{
    pthread_barrierattr_t shared;
    pthread_barrier_t *barrier =
        mmap(NULL, sizeof(*barrier), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (barrier == MAP_FAILED || pthread_barrierattr_init(&shared) ||
        pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED) ||
        pthread_barrier_init(barrier, &shared, (unsigned)n))
        return NULL;
    return barrier;
}

static uint64_t *map_counts(const char *path, int n)
{
    int fd = open(path, O_RDWR | O_CREAT, 0666);
    void *map = MAP_FAILED;

    if (fd >= 0 && ftruncate(fd, (off_t)((size_t)n * sizeof(uint64_t))) == 0)
        map = mmap(NULL, (size_t)n * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return map == MAP_FAILED ? NULL : map;
}

int main(int argc, char **argv)
{
    int n_processes, status, failed = 0;
    uint64_t *counts = NULL;

    if (argc < 6)
        return 2;
    n_processes = atoi(argv[2]);
    n_marks = atoi(argv[4]);
    if (argc > 6)
        counts = map_counts(argv[6], n_processes);
    if (argc > 7)
        pause_us = (useconds_t)atoi(argv[7]);
    all_are_open = new_barrier(n_processes);
    if (!all_are_open)
        return 1;
    if (!strcmp(argv[5], "shared") && open_marks(argv[1]) < 0)
        return 1;
    for (int i = 0; i < n_processes; i++) {
        if (fork() == 0) {
            taken = counts ? counts + i : NULL;
            exit(be_a_process(argv[1], atoi(argv[3])));
        }
    }
    while (wait(&status) > 0)
        failed |= status;
    gput_marks_close(marks);
    return failed != 0;
}
