/* proc_events.h - births and deaths told by the kernel (proc connector), where it tells this user.
 *
 * System-wide and lossy: a hint where to look, never the truth. */
#ifndef GPUT_SOURCE_PROC_EVENTS_H
#define GPUT_SOURCE_PROC_EVENTS_H

#include <stddef.h>
#include <sys/types.h>

enum gput__proc_event_kind { GPUT__EVENT_FORK, GPUT__EVENT_EXEC, GPUT__EVENT_EXIT };

struct gput__proc_event {
    enum gput__proc_event_kind kind;
    pid_t pid, parent; /* processes, never threads; parent only with a fork */
};

/* Returns a descriptor that polls readable when something happened.  -ENOTSUP: the kernel does not
 * tell us (another namespace, no permission). */
int gput__proc_events_open(void);

/* Tells the kernel first: older ones count listeners and would go on telling nobody.  -1 is fine. */
void gput__proc_events_close(int fd);

/* -ENODATA: a message of no interest; -EBADMSG: not one. */
int gput__proc_event_parse(const void *msg, size_t len, struct gput__proc_event *ret);

/* The next event.  -EAGAIN: no more for now; -ENOBUFS: some were lost. */
int gput__proc_events_next(int fd, struct gput__proc_event *ret);

#endif
