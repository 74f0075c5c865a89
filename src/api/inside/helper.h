/* helper.h - what a tracker and its helper process say to each other, and the two ends.
 *
 * One socket that keeps messages apart.  First the question, with descriptors: the shared snapshot, then the
 * pidfds of who is tracked and of who asks.  Then answers: that it measures or why not, warnings
 * whenever there are any, and at the end that all is done.  A byte the other way is a word: stop, or a lap,
 * which is answered by what was used since the one before. */
#ifndef GPUT_API_HELPER_H
#define GPUT_API_HELPER_H

#include "api/inside/shared_snapshot.h"
#include "api/tracker.h"

#define GPUT__LONGEST_QUESTION (64 * 1024)

struct gput__question {
    char version[32];
    uint32_t options_size;
    uint32_t only_check; /* answer whether the options are good, and end */
    uint32_t has_pidfds;
    int32_t segment; /* the shared snapshot is in it; -1: behind the first descriptor */
    pid_t target, client;
    struct gput_options options; /* its strings follow: for each '-', or '+' and the text with its
                                    NUL, in the order of gput__options_strings() */
};

#define GPUT__WORD_STOP "s"
#define GPUT__WORD_LAP "l"
#define GPUT__WORD_LAP_WITH_GPUS "g" /* what they hold at this moment is waited for */

enum gput__answer_kind {
    GPUT__ANSWER_READY,
    GPUT__ANSWER_REFUSED,
    GPUT__ANSWER_WARNING,
    GPUT__ANSWER_DONE,
    GPUT__ANSWER_LAP,
};

/* What was used in a lap; NAN: not known.  Levels are what the largest one exceeded the first by. */
#define GPUT__LAP_PIDS 32
struct gput__lap {
    double seconds, main_cpu, descendants_cpu;
    double ram, gpu_ram, n_processes, n_threads;
    bool cpu_is_exact, ram_is_exact;
    int n_left; /* descendants that live and did not when it began; the first of them: */
    pid_t left[GPUT__LAP_PIDS];
};

struct gput__answer {
    uint32_t kind;
    int32_t code; /* of a refusal: a negative errno */
    struct gput_error error;
    struct gput__lap lap;
};

/* --- the asking end, beside or inside of what is tracked (client.c) -------------------------- */

struct gput__client {
    pid_t owner;       /* who asked: a forked copy of it has no say */
    pid_t pid;         /* the helper; 0: none, or waited for */
    ino_t socket_ino;  /* by which it is known to be still ours */
    int socket, pidfd; /* pidfd: of the helper, -1: the kernel has none */
    struct gput__shared *shared;
    size_t shared_size;
    struct gput__shared_slot *slot; /* what the last figures point into */
    struct gput__series *series;    /* behind the shared snapshot; NULL: no rows were asked for */
    size_t series_size;
    struct gput__rows_copy *rows; /* of it, so far */
    uint32_t n_warnings;          /* of the shared snapshot's that were handed on */
    bool stopped;
    struct gput__lap lap; /* the last one; written by client_lap.c */
};

/* client_process.c */
int gput__client_launch(struct gput__client *c, const char *path, int fd);
bool gput__client_has_ended(const struct gput__client *c);
void gput__client_kill(const struct gput__client *c);
void gput__client_reap(struct gput__client *c);

/* Kernels without pidfds are asked again and again whether the helper has ended. */
#define GPUT__PAUSE_MS 2

/* client_talk.c */
struct gput__request { /* what the helper is asked, and the descriptors handed over */
    bool only_check;
    pid_t target;
    int fds[3]; /* the shared snapshot, the pidfds of who is tracked and of us */
    size_t n_fds;
    int segment; /* that the shared snapshot is in instead, -1: none */
};
int gput__client_ask(const struct gput_tracker *t, const struct gput__client *c,
                     const struct gput__request *req);
/* The next message but warnings, which are handed on: 1.  0: the helper is gone.  -EAGAIN: there is
 * none. */
int gput__client_next(const struct gput_tracker *t, const struct gput__client *c,
                      struct gput__answer *ret);
/* Waits for one.  -EPIPE: the helper has ended without; -ETIMEDOUT. */
int gput__client_await(const struct gput_tracker *t, const struct gput__client *c, int64_t until,
                       struct gput__answer *ret);

/* rows.c: the rows by columns, as long as the tracker is not asked again; free() the list.  -ENODATA:
 * none are kept. */
int gput__rows_columns(struct gput_tracker *t, const struct gput__series **ret_series,
                       double ***ret_columns, size_t *ret_n);

void gput__client_close(struct gput__client *c); /* NULL is fine */
/* Whether the descriptors are still those that it was made with. */
bool gput__client_is_ours(struct gput__client *c);
int gput__client_usage(const struct gput_tracker *t, struct gput_usage *ret_usage);
void gput__client_now(const struct gput_tracker *t, struct gput_now *ret_now);

/* --- the helper's end (helper.c) -------------------------------------------------------------- */

/* Written by helper.c alone. */
struct gput__service {
    int socket;
    int client_fd; /* pidfd, -1: none */
    pid_t client;
    struct gput__shared *shared;
    size_t shared_size;
    const char *usage_file;
    bool usage_file_failed;
    bool has_told; /* what was found out of the server and its cloud */
    int64_t shown_ns, written_ns, peak_ns;
    uint64_t own_peak;       /* of the helper, as read at `peak_ns` */
    unsigned n_deaf;         /* tries to hear a word that failed, in a row */
    struct gput__laps *laps; /* NULL: nobody has asked for one; written by laps.c */
};

/* laps.c: ends a lap, if there was one, and begins the next. */
void gput__laps_turn(struct gput_tracker *t, bool wait_for_gpus, struct gput__lap *ret);
/* A poll or record was made. */
void gput__laps_see(struct gput_tracker *t, const struct gput__sample *sample);

/* rights.c: a negative errno: it has more than who asks, and cannot give them up. */
int gput__give_up_rights(void);
/* Takes what was said over the socket; true: stop.  Not `is_called`: nothing came, and the client
 * lives, as far as the kernel tells that by itself. */
bool gput__service_told(struct gput_tracker *t, bool is_called);
/* When something is to be written, whatever else there is to do. */
int64_t gput__service_due(const struct gput_tracker *t);
/* A poll or record has been made: shows it, unless the last figures are fresh enough. */
void gput__service_show(struct gput_tracker *t, int64_t now);

#endif
