/* helper.c - gpu-tracker gput-helper FD: the mode that the library starts to measure a program. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "say.h"

#include <stdlib.h>
#include <sys/socket.h>

/* Whoever types it by hand has no socket to talk over. */
static int is_socket(int fd)
{
    int type;
    socklen_t len = sizeof(type);

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_SEQPACKET;
}

int command_helper(int argc, char **argv)
{
    char *end = NULL;
    long fd = argc == 2 ? strtol(argv[1], &end, 10) : -1;

    if (!end || *end || fd < 0 || fd > INT32_MAX || !is_socket((int)fd)) {
        say("gput-helper: this mode is started by the library");
        return EXIT_USAGE;
    }
    gput_helper_run((int)fd);
}
