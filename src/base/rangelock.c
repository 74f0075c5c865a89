/* rangelock.c - locks between processes that belong to an open file. */
#include "base/rangelock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"

#define FIRST_BYTE (INT64_C(1) << 62)
/* Writing a marker takes microseconds and a network's round trip a fraction of a millisecond. */
#define FIRST_STEP_NS (GPUT__NS_PER_MS / 20)
#define LONGEST_STEP_NS (5 * GPUT__NS_PER_MS)

static int try_lock(int fd, enum gput__rangelock which, int kind)
{
    struct flock lock = {
        .l_type = (short)kind, .l_whence = SEEK_SET, .l_start = FIRST_BYTE + which, .l_len = 1
    };

    if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
        return 0;
    return errno == EACCES ? -EAGAIN : -errno;
}

/* Tries instead of a blocking call: that one has no time limit, and a server that is gone must not
 * keep a job for ever. */
int gput__rangelock(int fd, enum gput__rangelock which, int kind, int64_t patience_ns)
{
    int64_t until = patience_ns ? gput__now() + patience_ns : 0;
    struct timespec step = { .tv_nsec = FIRST_STEP_NS };
    int r;

    while ((r = try_lock(fd, which, kind)) == -EAGAIN || r == -EINTR) {
        if (!patience_ns || gput__now() >= until)
            return -EAGAIN;
        nanosleep(&step, NULL);
        step.tv_nsec = 2 * step.tv_nsec < LONGEST_STEP_NS ? 2 * step.tv_nsec : LONGEST_STEP_NS;
    }
    return r;
}
