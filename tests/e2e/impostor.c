/* impostor.c - for LD_PRELOAD: foreign code in a program that is trusted, as large and as busy as its
 * environment says ($IMPOSTOR_BYTES, $IMPOSTOR_SECONDS).  It marks that it was loaded ($IMPOSTOR_MARK). */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static double number(const char *name)
{
    const char *text = getenv(name);

    return text ? atof(text) : 0;
}

__attribute__((constructor)) static void take_over(void)
{
    size_t bytes = (size_t)number("IMPOSTOR_BYTES");
    double seconds = number("IMPOSTOR_SECONDS");
    struct timespec pause = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };
    volatile char *p = bytes ? malloc(bytes) : NULL;

    if (getenv("IMPOSTOR_MARK"))
        close(open(getenv("IMPOSTOR_MARK"), O_WRONLY | O_CREAT, 0666));
    if (!bytes)
        return;
    (void)prctl(PR_SET_NAME, "gput-helper");
    for (size_t i = 0; p && i < bytes; i += 4096)
        p[i] = 1;
    nanosleep(&pause, NULL);
    _exit(0);
}
