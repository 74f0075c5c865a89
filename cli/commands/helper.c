/* helper.c - gpu-tracker gput-helper: the mode that the library and the Python packages start.
 *
 *     gput-helper FD                      measures the program at the other end of a socket
 *     gput-helper once [PID [main]]       figures of a process or of the machine until now
 *     gput-helper discover ...            as the subcommand, under the name of a helper */
#include "commands/commands.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Whoever types it by hand has no socket to talk over. */
static int is_socket(int fd)
{
    int type;
    socklen_t len = sizeof(type);

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_SEQPACKET;
}

static int number_of(const char *word, long *ret)
{
    char *end;

    errno = 0;
    *ret = strtol(word, &end, 10);
    return *end || end == word || errno || *ret < 0 || *ret > INT32_MAX ? -1 : 0;
}

static int print_once(int argc, char **argv)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_error err = { 0 };
    long pid = 0;
    char *text = NULL;
    int r;

    if (argc > 1 && number_of(argv[1], &pid) < 0)
        return EXIT_USAGE;
    o.flags = argc > 2 ? GPUT_MAIN_ONLY : 0;
    r = gput_stats_format(&o, (pid_t)pid, &text, &err);
    if (r < 0) {
        say("gput-helper: %s", err.text);
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}

int command_helper(const struct command *command, int argc, char **argv)
{
    long fd = -1;

    (void)command;
    /* by which trackers leave it out of their figures */
    (void)pthread_setname_np(pthread_self(), "gput-helper");
    if (argc > 1 && strcmp(argv[1], "once") == 0)
        return print_once(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "discover") == 0)
        return command_discover(command_find(gpu_tracker.subcommands, "discover"), argc - 1,
                                argv + 1);
    if (argc != 2 || number_of(argv[1], &fd) < 0 || !is_socket((int)fd)) {
        say("gput-helper: this mode is started by the library");
        return EXIT_USAGE;
    }
    gput_helper_run((int)fd);
}
