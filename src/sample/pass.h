/* pass.h - a memory pass: what the processes of the job have of their own and what they share.
 *
 * Its cost grows with the memory of the job, so it runs on a thread of its own: looks, records and
 * the end of the run never wait for it. */
#ifndef GPUT_SAMPLE_PASS_H
#define GPUT_SAMPLE_PASS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

struct gput__pass_task {
    pid_t pid, via; /* see struct gput__task */
    bool is_main;
    bool is_forked; /* and has not become another program: it shares with its parent */
    bool counts;    /* false: forked a moment ago; its pages are the job's, but not yet its own */
    uint64_t known_rss; /* what a look said; all there is where smaps may not be read */
    uint64_t known_faults;
    /* the result, bytes */
    int error;
    uint64_t rss, pss, anon, private_rss, shared_rss, pss_anon, private_anon;
};

struct gput__rss {
    uint64_t total, private_rss, shared_rss;
};

struct gput__pass {
    const struct gput__root *proc;
    const bool *stop; /* set from another thread: nobody wants it any more; NULL: never */
    struct gput__pass_task *tasks;
    uint32_t n, cap;
    bool only_sums;   /* of each process: many times cheaper; who shares which file is not told */
    uint64_t version; /* of the tree when it was asked for */
    uint32_t id;
    /* the result */
    struct gput__rss main, descendants, combined;
    bool complete;   /* nobody vanished under it */
    bool has_young;  /* a forked child was among them: what descendants share is not known */
    uint32_t hidden; /* processes whose smaps may not be read */
    int64_t cost_ns; /* CPU time that it took */
};

/* Reads and sums up, on the calling thread. */
void gput__pass_run(struct gput__pass *pass);
void gput__pass_free(struct gput__pass *pass);

/* A thread that runs passes, one at a time; started at the first one. */
struct gput__passer {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asked;
    struct gput__pass *pass; /* asked for and not yet taken; NULL: none */
    struct gput__pass *todo; /* the same until the thread has begun it */
    bool started, ending, finished;
    int done; /* eventfd: readable when a pass is finished; -1: nobody is woken then */
};

void gput__passer_open(struct gput__passer *p);
/* A pass under way ends with the process that it is at. */
void gput__passer_close(struct gput__passer *p);
/* The pass must stay untouched until gput__passer_take() has returned it.
 * -EBUSY: one is under way. */
int gput__passer_ask(struct gput__passer *p, struct gput__pass *pass);
/* The finished pass, or NULL. */
struct gput__pass *gput__passer_take(struct gput__passer *p);

#endif
