/* test_marks_locks.c - sub-tracking files where locks do not work, or are held by others.
 *
 * The linker puts a lock of the test's own into the place of gput__rangelock(). */
#include "base/rangelock.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

#include "marks_fixture.h"
#include "tap.h"

#define HEADER "process_id,code_block_name,position,timestamp\r\n"

int __wrap_gput__rangelock(int fd, enum gput__rangelock which, int kind, int64_t patience_ns);
int __real_gput__rangelock(int fd, enum gput__rangelock which, int kind, int64_t patience_ns);

static enum { WORKS, NO_LOCKS, MAKER_HANGS, MAKER_DIES } world;
static unsigned n_calls;

int __wrap_gput__rangelock(int fd, enum gput__rangelock which, int kind, int64_t patience_ns)
{
    n_calls++;
    if (world == NO_LOCKS)
        return -ENOLCK;
    if (world == MAKER_HANGS)
        return -EAGAIN;
    if (world == MAKER_DIES && n_calls == 1)
        return -EAGAIN; /* somebody has it alone, and has it no more when we ask to share it */
    return __real_gput__rangelock(fd, which, kind, patience_ns);
}

static void without_locks(void)
{
    struct gput_marks *m, *second;

    world = NO_LOCKS;
    m = opened("m.csv", 0);
    second = opened("m.csv", 0);
    mark_twice(m);
    mark_twice(second);
    OK(count("m.csv") == 4, "one header, and the marks of both");
    gput_marks_close(second);
    gput_marks_close(m);
    m = opened("m.csv", GPUT_MARKS_OVERWRITE);
    OK(count("m.csv") == 4, "nobody knows who lives: a file of this run is not replaced");
    gput_marks_close(m);
    make_old("m.csv");
    OK(open_marks("m.csv", 0, &m) == -EEXIST, "an old one is refused");
    m = opened("m.csv", GPUT_MARKS_OVERWRITE);
    OK(holds("m.csv", HEADER), "or replaced");
    gput_marks_close(m);
    fixture_remove(&f, "m.csv");
}

static void *write_header(void *ctx)
{
    int fd = open(path_of("m.csv"), O_WRONLY | O_APPEND);

    (void)ctx;
    usleep(50000);
    fixture_need(write(fd, HEADER, strlen(HEADER)) == (ssize_t)strlen(HEADER), "write");
    close(fd);
    return NULL;
}

static void a_header_that_is_still_to_come(void)
{
    struct gput_marks *m;
    pthread_t thread;

    world = NO_LOCKS;
    fixture_write(&f, "m.csv", "");
    fixture_need(pthread_create(&thread, NULL, write_header, NULL) == 0, "pthread_create");
    m = opened("m.csv", 0);
    pthread_join(thread, NULL);
    OK(holds("m.csv", HEADER), "who did not make the file waits for its header");
    gput_marks_close(m);
    fixture_write(&f, "m.csv", "");
    m = opened("m.csv", 0);
    OK(holds("m.csv", HEADER), "and writes it where nobody else does");
    gput_marks_close(m);
    fixture_remove(&f, "m.csv");
}

static void who_makes_it(void)
{
    struct gput_error e = { .text = "" };
    struct gput_marks *m = NULL;

    world = MAKER_HANGS;
    OK(gput__marks_open(path_of("m.csv"), 0, is_local, &m, &e) == -ETIMEDOUT && !m &&
           strstr(e.text, "another process has been opening it for long"),
       "a maker that hangs is not waited for for ever: %s", e.text);
    fixture_remove(&f, "m.csv");
    world = MAKER_DIES;
    n_calls = 0;
    fixture_write(&f, "m.csv", "");
    m = opened("m.csv", 0);
    OK(holds("m.csv", HEADER), "one that was killed is followed by whoever comes next");
    gput_marks_close(m);
    fixture_remove(&f, "m.csv");
}

static void what_is_no_file(void)
{
    struct gput_error e = { .text = "" };
    struct gput_marks *m = NULL;

    world = WORKS;
    fixture_need(mkfifo(path_of("m.csv"), 0600) == 0, "mkfifo");
    OK(gput__marks_open(path_of("m.csv"), 0, is_local, &m, &e) == -EINVAL && !m &&
           strstr(e.text, "is not a file"),
       "a pipe is refused, and nobody waits for its other end: %s", e.text);
    fixture_remove(&f, "m.csv");
}

int main(void)
{
    fixture_begin(&f);
    without_locks();
    a_header_that_is_still_to_come();
    who_makes_it();
    what_is_no_file();
    fixture_end(&f);
    return DONE();
}
