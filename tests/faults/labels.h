/* labels.h - system calls as texts: the number, and what the call is about.
 *
 *     257 N/stat        openat(); each row of digits in a name is one N
 *     17 /proc/N/stat   pread64() of a descriptor that is open on that
 *     157 36            prctl(PR_SET_CHILD_SUBREAPER)
 *     9                 mmap() */
#ifndef LABELS_H
#define LABELS_H

#include <sys/types.h>

enum { LABEL_SIZE = 300 };

void label_of(pid_t tid, long nr, const unsigned long long args[6], char ret[LABEL_SIZE]);

#endif
