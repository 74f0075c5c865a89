/* proc_io.h - /proc/<pid>/io: bytes that a process and the children it waited for moved to and from
 * disks.  Only a process that may trace it can read it. */
#ifndef GPUT_SOURCE_PROC_IO_H
#define GPUT_SOURCE_PROC_IO_H

#include <stdint.h>

struct gput__proc_io {
    uint64_t read_bytes,
        write_bytes; /* written: without what was dropped before it reached a disk */
};

/* -EBADMSG: not such a file. */
int gput__proc_io_parse(const char *text, struct gput__proc_io *ret);

#endif
