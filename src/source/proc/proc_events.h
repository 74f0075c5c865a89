/* proc_events.h - new processes, reported by the kernel (proc connector), where this user may listen.
 *
 * System-wide and lossy: a hint, never complete.  Of exits and of exec it could report
 * too, but these show in a process's CPU clock, and three events more for each process of the whole
 * machine would be to no purpose. */
#ifndef GPUT_SOURCE_PROC_EVENTS_H
#define GPUT_SOURCE_PROC_EVENTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct gput__proc_birth {
    pid_t pid, parent; /* processes, never threads */
    int64_t at_ns;     /* on the monotonic clock, at the end of the fork */
};

/* Returns a descriptor that polls readable when something happened.  -ENOTSUP: the kernel does not
 * report to us (another namespace, no permission). */
int gput__proc_events_open(void);

/* Tells the kernel first: older ones count listeners and would go on sending.  -1 is fine. */
void gput__proc_events_close(int fd);

/* -ENODATA: a message of no interest; -EBADMSG: not one. */
int gput__proc_event_parse(const void *msg, size_t len, struct gput__proc_birth *ret);

/* Calls `each` for all births that wait to be read.  -ENOBUFS: some were lost. */
typedef void gput__birth_fn(void *ctx, const struct gput__proc_birth *birth);
int gput__proc_events_drain(int fd, gput__birth_fn *each, void *ctx);

#endif
