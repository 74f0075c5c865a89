/* pages.c - pages of text, one every few seconds. */
#include "top/shared/pages.h"

#include "output/write.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

int top_page_write(void (*print)(const void *what, FILE *out), const void *what)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    int r = 0;

    if (!out)
        return -ENOMEM;
    print(what, out);
    if (fclose(out) != 0)
        r = -ENOMEM;
    if (r == 0)
        r = write_all(STDOUT_FILENO, text, len);
    free(text);
    return r;
}

void top_page_wait(struct timespec *next, double interval)
{
    double whole = floor(interval);
    struct timespec now;

    next->tv_sec += (time_t)whole;
    next->tv_nsec += (long)((interval - whole) * 1e9);
    if (next->tv_nsec >= 1000000000) {
        next->tv_sec++;
        next->tv_nsec -= 1000000000;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > next->tv_sec)
        *next = now;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL) == EINTR)
        ;
}
