/* open_page.c - shows an HTML page in the user's browser. */
#include "commands/open_page.h"

#include "output/exit_codes.h"
#include "output/say.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a session of its own and without our streams: it outlives us and writes nothing here. */
static int start(char *const argv[])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t pid;
    int r;

    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    r = posix_spawnp(&pid, argv[0], &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return r;
}

/* By a process between: a child of a tracker would be taken for one of the job's.  0 or an errno. */
static int start_apart(char *const argv[])
{
    pid_t between = fork();
    int status;

    if (between == 0)
        _exit(start(argv));
    if (between < 0)
        return errno;
    while (waitpid(between, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

int open_page(const char *prefix, const char *page)
{
    const char *wanted = secure_getenv("BROWSER");
    char *browser = wanted && *wanted ? strndup(wanted, strcspn(wanted, ":")) : strdup("xdg-open");
    char *address = strncmp(page, "http", 4) == 0 ? strdup(page) : realpath(page, NULL);
    char *argv[] = { browser, address, NULL };
    int r = browser && address ? start_apart(argv) : ENOMEM;

    if (r != 0)
        say("%s--open: cannot start '%s': %s; the page is '%s'", prefix, browser ? browser : "",
            strerror(r), page);
    free(browser);
    free(address);
    return r == 0 ? 0 : EXIT_FAILED;
}
