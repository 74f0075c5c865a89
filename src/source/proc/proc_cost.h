/* proc_cost.h - what one process has cost so far: CPU time and the peak of its memory. */
#ifndef GPUT_SOURCE_PROC_COST_H
#define GPUT_SOURCE_PROC_COST_H

#include <stdint.h>
#include <sys/types.h>

/* CPU seconds of a process without its children; pid 0: this one. */
int gput__proc_cpu(pid_t pid, double *ret);
/* The kernel's high-water mark of the RSS, bytes; pid 0: this one. */
int gput__proc_peak(pid_t pid, uint64_t *ret);

/* Of this process, to be asked again and again: half the price.  Not getrusage()'s, which begins at
 * the size of the process that started us and is rounded by some pages for each core. */
struct gput__own_status {
    int fd;    /* -1: none is kept */
    pid_t pid; /* of the process that opened it: a child of fork() differs */
};
struct gput__own_status gput__own_status_open(void);
void gput__own_status_close(struct gput__own_status *s);
int gput__own_status_peak(const struct gput__own_status *s, uint64_t *ret);

#endif
