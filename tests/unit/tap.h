/* tap.h - the few lines that a test needs to speak TAP.
 *
 *     OK(sum == 3, "one and two make %d", sum);
 *     return DONE(); */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdio.h>

static int tap_run, tap_failed;

__attribute__((format(printf, 4, 5))) static inline int tap_ok(int ok, const char *file, int line,
                                                               const char *fmt, ...)
{
    va_list ap;

    tap_run++;
    printf("%sok %d - ", ok ? "" : "not ", tap_run);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    printf("\n");
    if (!ok) {
        tap_failed++;
        printf("# at %s:%d\n", file, line);
    }
    fflush(stdout); /* so a crash later does not lose it, nor a fork print it twice */
    return ok;
}

static inline int tap_done(void)
{
    printf("1..%d\n", tap_run);
    return tap_failed > 0;
}

/* True when the check held, so that a test can stop where going on makes no sense. */
#define OK(cond, ...) tap_ok(!!(cond), __FILE__, __LINE__, __VA_ARGS__)
#define DONE() tap_done()

#endif
