/* test_proc_io.c - bytes that a process moved to and from disks. */
#include "source/proc/proc_io.h"

#include <errno.h>

#include "tap.h"

static const char text[] = "rchar: 323934931\nwchar: 323929600\nsyscr: 632687\nsyscw: 632675\n"
                           "read_bytes: 4096\nwrite_bytes: 323932160\n"
                           "cancelled_write_bytes: 32160\n";

int main(void)
{
    struct gput__proc_io io = { 0 };

    OK(gput__proc_io_parse(text, &io) == 0 && io.read_bytes == 4096, "what was read from a disk");
    OK(io.write_bytes == 323900000, "what was dropped before it was written does not count");
    OK(gput__proc_io_parse("read_bytes: 1\nwrite_bytes: 5\ncancelled_write_bytes: 9\n", &io) == 0 &&
           io.write_bytes == 0,
       "more dropped than written (another process wrote it) is nothing, not less");
    OK(gput__proc_io_parse("read_bytes: 1\n", &io) == -EBADMSG, "a file without one is none");
    OK(gput__proc_io_parse("", &io) == -EBADMSG, "nor is an empty one");
    return DONE();
}
