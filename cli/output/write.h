/* write.h - a whole text to a descriptor. */
#ifndef CLI_WRITE_H
#define CLI_WRITE_H

#include <stddef.h>

/* Goes on after interruptions and short writes, and waits where the descriptor is non-blocking
 * (the job may have made it so).  0 or a negative errno. */
int write_all(int fd, const char *text, size_t length);

/* The end of a command that prints a text, which is freed; `r` and `err` are of the call that made it.
 * Returns the exit status. */
struct gput_error;
int print_text(const char *command, int r, char *text, const struct gput_error *err);

#endif
