/* impostor.c - for LD_PRELOAD: foreign code in a program that is trusted, as large as its
 * environment says ($IMPOSTOR_BYTES), for as long as there is no $IMPOSTOR_PLACE/go.  It marks that it was loaded ($IMPOSTOR_MARK). */
#include <fcntl.h>
#include <stdio.h>
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
    const char *place = getenv("IMPOSTOR_PLACE");
    struct timespec step = { .tv_nsec = 10000000 };
    char path[4096];
    volatile char *p = bytes ? malloc(bytes) : NULL;

    if (getenv("IMPOSTOR_MARK"))
        close(open(getenv("IMPOSTOR_MARK"), O_WRONLY | O_CREAT, 0666));
    if (!bytes)
        return;
    (void)prctl(PR_SET_NAME, "gput-helper");
    for (size_t i = 0; p && i < bytes; i += 4096)
        p[i] = 1;
    snprintf(path, sizeof(path), "%s/%d", place, (int)getpid());
    close(open(path, O_WRONLY | O_CREAT, 0666));
    snprintf(path, sizeof(path), "%s/go", place);
    for (int i = 0; i < 3000 && access(path, F_OK) < 0; i++)
        nanosleep(&step, NULL);
    _exit(0);
}
