/* open_page.c - shows an HTML page in the user's browser. */
#include "commands/open_page.h"

#include "output/exit_codes.h"
#include "output/say.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
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

int open_page(const char *file)
{
    const char *wanted = secure_getenv("BROWSER");
    char *browser = wanted && *wanted ? strndup(wanted, strcspn(wanted, ":")) : strdup("xdg-open");
    char *path = realpath(file, NULL);
    char *argv[] = { browser, path, NULL };
    int r = browser && path ? start(argv) : -1;

    if (r != 0)
        say("report: --open: cannot start '%s': %s; the page is '%s'", browser ? browser : "",
            r > 0 ? strerror(r) : "no memory", file);
    free(browser);
    free(path);
    return r == 0 ? 0 : EXIT_FAILED;
}
