/* system.h - system calls that only Linux has: another system would have its own system.c. */
#ifndef GPUT_BASE_SYSTEM_H
#define GPUT_BASE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A descriptor that becomes readable when the process ends; -1 with errno. */
int gput__process_handle(pid_t pid);
/* A signal to the process behind it, and to no other that got its pid; -1 with errno. */
int gput__process_handle_kill(int handle, int signal);

/* Whether two processes run in the same memory, as a child of vfork does in its parent's.  False
 * where the kernel does not say. */
bool gput__same_memory(pid_t a, pid_t b);

/* A descriptor for poll(2) that a thread raises and the loop clears; -1 with errno. */
int gput__event_open(void);
void gput__event_raise(int event);
void gput__event_clear(int event);

/* Memory that processes share by its descriptor and that can be sealed against shrinking; -1 with
 * errno. */
int gput__memory_file(const char *name);

/* Which file a name leads to, from what the kernel has in mind: a file system of the job's own could
 * let us wait for ever where it is asked.  0 or negative errno. */
struct gput__file_id {
    uint64_t device, inode;
};
int gput__identify_file(int folder, const char *name, struct gput__file_id *ret);

/* Whether the program runs with rights that its user does not have. */
bool gput__has_more_rights(void);
/* Gives them up, for what this process still does.  0 or negative errno. */
int gput__drop_capabilities(void);
/* No program that this process starts may gain any. */
void gput__never_gain_rights(void);

/* Renames a file unless there is one of the new name: 0, -EEXIST, or -EINVAL where a file system cannot. */
int gput__rename_to_new(const char *from, const char *to);

/* Closes all descriptors from that one on: 0 or negative errno, then none is closed. */
int gput__close_from(int first);

/* The wall clock: whether something keeps it right, and the kernel's bound on its error in seconds. */
void gput__clock_quality(bool *ret_is_synchronized, double *ret_max_error);

pid_t gput__thread_id(void);
/* As the kernel and other trackers see it. */
void gput__name_process(const char *name);
/* The headers of the program that runs, in its memory. */
const void *gput__program_headers(void);

#endif
