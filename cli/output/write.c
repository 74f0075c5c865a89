/* write.c - a whole text to a descriptor. */
#include "output/write.h"

#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, text, length);

        if (n >= 0) {
            text += n;
            length -= (size_t)n;
        } else if (errno == EAGAIN) {
            struct pollfd ready = { .fd = fd, .events = POLLOUT };

            if (poll(&ready, 1, -1) < 0 && errno != EINTR)
                return -errno;
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

int print_text(const char *command, int r, char *text, const struct gput_error *err)
{
    if (r < 0) {
        say("%s: %s", command, err->text);
        return r == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}
