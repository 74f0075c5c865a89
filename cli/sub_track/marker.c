/* marker.c - the two marks of `gpu-tracker sub-track run`, by a thread with a time limit. */
#include "sub_track/marker.h"

#include "gput.h"
#include "sub_track/marks.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

static const struct timespec patience = { .tv_sec = 1, .tv_nsec = 200000000 };

/* Stays where it is: a thread that nobody waits for any more may still look at it. */
static struct marker {
    const struct marks_options *o;
    int (*step)(struct refusal *why); /* what the thread does */
    struct gput_marks *m;             /* the thread's while it works */
    pthread_mutex_t lock;
    pthread_cond_t has_done;
    bool is_done, is_given_up; /* below `lock` */
    int r;
    struct refusal why;
} marker = { .lock = PTHREAD_MUTEX_INITIALIZER, .has_done = PTHREAD_COND_INITIALIZER };

/* The figures are the command's and those of all that it waited for: nothing at the beginning. */
static int write_mark(struct gput_marks *m, const char *name, bool is_end)
{
    struct rusage children = { 0 };
    struct gput_mark mark = { .name = name, .is_end = is_end, .process_id = getpid() };

    (void)getrusage(RUSAGE_CHILDREN, &children);
    mark.cpu_seconds = seconds_of(&children);
    mark.peak_rss_bytes = (double)children.ru_maxrss * 1024;
    return gput_marks_add(m, &mark);
}

static int tell_errno(int r, const char *file, struct refusal *why)
{
    if (r < 0)
        (void)refuse(why, "%s: %s", file, strerror(-r));
    return r;
}

static bool is_given_up(void)
{
    bool is;

    pthread_mutex_lock(&marker.lock);
    is = marker.is_given_up;
    pthread_mutex_unlock(&marker.lock);
    return is;
}

static int mark_start(struct refusal *why)
{
    int r = marks_open(marker.o, &marker.m, why);

    if (r < 0)
        return r;
    if (!is_given_up())
        r = write_mark(marker.m, marker.o->name, false);
    if (r < 0) {
        (void)gput_marks_close(marker.m);
        marker.m = NULL;
    }
    return tell_errno(r, marker.o->file, why);
}

static int mark_stop(struct refusal *why)
{
    int r = write_mark(marker.m, marker.o->name, true), closed = gput_marks_close(marker.m);

    return tell_errno(r < 0 ? r : closed, marker.o->file, why);
}

static void *work(void *ctx)
{
    struct refusal why = { "" };
    int r = marker.step(&why);

    (void)ctx;
    pthread_mutex_lock(&marker.lock);
    marker.r = r;
    marker.why = why;
    marker.is_done = true;
    pthread_cond_signal(&marker.has_done);
    pthread_mutex_unlock(&marker.lock);
    return NULL;
}

static struct timespec deadline(void)
{
    struct timespec at;

    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += patience.tv_sec + (at.tv_nsec + patience.tv_nsec) / 1000000000;
    at.tv_nsec = (at.tv_nsec + patience.tv_nsec) % 1000000000;
    return at;
}

static int with_patience(int (*step)(struct refusal *why), struct refusal *why)
{
    struct timespec until = deadline();
    pthread_t thread;
    int r;

    marker.is_done = false;
    marker.step = step;
    r = pthread_create(&thread, NULL, work, NULL);
    if (r != 0)
        return tell_errno(-r, marker.o->file, why);
    (void)pthread_detach(thread);
    pthread_mutex_lock(&marker.lock);
    while (!marker.is_done && r == 0)
        r = pthread_cond_timedwait(&marker.has_done, &marker.lock, &until);
    marker.is_given_up = !marker.is_done;
    r = marker.is_done ? marker.r : -ETIMEDOUT;
    if (marker.is_done)
        *why = marker.why;
    else
        (void)refuse(why, "%s: somebody else holds the file", marker.o->file);
    pthread_mutex_unlock(&marker.lock);
    return r;
}

int marker_start(const struct marks_options *o, struct refusal *ret_why)
{
    marker.o = o;
    return with_patience(mark_start, ret_why);
}

int marker_stop(struct refusal *ret_why)
{
    return with_patience(mark_stop, ret_why);
}
