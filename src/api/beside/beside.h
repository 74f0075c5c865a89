/* beside.h - a process beside the tracker, which has to do with others while the tracker measures.
 *
 * It is no child of the tracker's and holds nothing of the job.  The tracker sends it texts over a socket and
 * never waits for it but at the end, for as long as it is told. */
#ifndef GPUT_API_BESIDE_H
#define GPUT_API_BESIDE_H

#include <stdint.h>
#include <sys/types.h>

#include "gput.h"

/* What goes over the socket; a text comes as a descriptor beside its kind. */
enum gput__beside_message {
    GPUT__BESIDE_END, /* no more comes */
    /* The other way: */
    GPUT__BESIDE_READY,
    GPUT__BESIDE_WARNING, /* a line */
    GPUT__BESIDE_DONE,
    GPUT__BESIDE_OWN, /* from here on each such process has its own */
};
struct gput__beside_packet {
    uint32_t kind;
    pid_t pid; /* of the process: with GPUT__BESIDE_READY */
    char line[500];
};

/* --- the tracker's side ---------------------------------------------------------------------- */

/* Written by beside.c alone. */
struct gput__beside {
    int socket, handle; /* of the process; -1: none */
    pid_t pid;          /* 0: it was never started */
};

/* `run` is called in the new process with its end of the socket and does not return; of other descriptors it
 * has only `keep_fd`. */
struct gput__beside_plan {
    const char *name; /* of the process, as trackers know it that leave it out */
    void (*run)(void *ctx, int fd);
    void *ctx;
    int keep_fd; /* -1: none */
};

void gput__beside_init(struct gput__beside *b);
/* Before the job is started, from a process without other threads: it forks.  Returns when it is ready. */
int gput__beside_start(struct gput__beside *b, const struct gput__beside_plan *plan);
/* Never waits: what does not fit is not sent. */
void gput__beside_send(const struct gput__beside *b, uint32_t kind, const char *text);
/* Waits until it is done or gone, at most so long: then it is killed, and `late` is a warning. */
void gput__beside_await(const struct gput__beside *b, int64_t patience_ns, const char *late,
                        const struct gput_callbacks *on);
void gput__beside_close(struct gput__beside *b);

/* --- the process's own ----------------------------------------------------------------------- */

void gput__beside_tell(int socket, uint32_t kind, const char *line);
/* 1: a packet, with a descriptor or -1; 0: none now; -1: the tracker is gone. */
int gput__beside_hear(int socket, struct gput__beside_packet *ret, int *ret_fd);
/* The text behind a descriptor, which is closed; free() it.  NULL: there is none. */
char *gput__beside_text(int fd);

#endif
