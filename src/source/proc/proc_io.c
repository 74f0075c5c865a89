/* proc_io.c - /proc/<pid>/io: bytes that a process moved to and from disks. */
#include "source/proc/proc_io.h"

#include <errno.h>

#include "base/text/scan.h"

int gput__proc_io_parse(const char *text, struct gput__proc_io *ret)
{
    struct gput__proc_io io;
    uint64_t cancelled = 0;

    if (gput__scan_key(text, "read_bytes:", &io.read_bytes) < 0 ||
        gput__scan_key(text, "write_bytes:", &io.write_bytes) < 0)
        return -EBADMSG;
    (void)gput__scan_key(text, "cancelled_write_bytes:", &cancelled);
    io.write_bytes -= cancelled < io.write_bytes ? cancelled : io.write_bytes;
    *ret = io;
    return 0;
}
