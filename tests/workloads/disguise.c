/* disguise.c - a process that does not want to be counted: under another name, another parent, another
 * session, or with nothing of it readable.  Other words than its own are left alone: they are part of
 * the disguise. */
#include "appetite.h"

static void become_orphan(void)
{
    if (fork_or_die() != 0)
        _exit(0);
}

/* A reaper of its own: orphans never reach the tracker. */
static void have_own_reaper(void)
{
    pid_t child;

    prctl(PR_SET_CHILD_SUBREAPER, 1);
    child = fork_or_die();
    if (child == 0) {
        become_orphan();
        return;
    }
    while (waitpid(-1, NULL, 0) > 0)
        ;
    _exit(0);
}

static void hide(const char *how)
{
    if (!strcmp(how, "orphan")) {
        become_orphan();
    } else if (!strcmp(how, "session")) {
        become_orphan();
        setsid();
        become_orphan();
    } else if (!strcmp(how, "reaper")) {
        have_own_reaper();
    } else if (!strcmp(how, "undumpable")) {
        prctl(PR_SET_DUMPABLE, 0);
    }
}

/* All of a company have what they want before the first goes: `place`/PID says so, `place`/go ends it. */
static void wait_for_the_others(const char *place)
{
    struct timespec step = { .tv_nsec = 10000000 };
    char path[4096];
    int fd;

    snprintf(path, sizeof(path), "%s/%d", place, (int)getpid());
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        die(path);
    close(fd);
    snprintf(path, sizeof(path), "%s/go", place);
    for (int i = 0; i < 3000 && access(path, F_OK) < 0; i++)
        nanosleep(&step, NULL);
}

int main(int argc, char **argv)
{
    size_t bytes = arg_bytes(argv, "bytes", 20e6);
    const char *name = arg_text(argv, "name", NULL);
    const char *place = arg_text(argv, "place", NULL);
    double cpu = arg_num(argv, "cpu", 0.1);
    char *p;

    (void)argc;
    hide(arg_text(argv, "how", ""));
    if (name)
        prctl(PR_SET_NAME, name);
    p = take(bytes);
    burn(cpu);
    if (place)
        wait_for_the_others(place);
    give_back(p, bytes);
    return 0;
}
