/* beside_process.c - what a process beside the tracker hears from it, and tells it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "api/beside/beside.h"

#define LARGEST_TEXT (64u << 20)

void gput__beside_tell(int socket, uint32_t kind, const char *line)
{
    struct gput__beside_packet p;

    memset(&p, 0, sizeof(p));
    p.kind = kind;
    p.pid = getpid();
    if (line)
        snprintf(p.line, sizeof(p.line), "%s", line);
    (void)send(socket, &p, sizeof(p), MSG_NOSIGNAL | MSG_DONTWAIT);
}

int gput__beside_hear(int socket, struct gput__beside_packet *ret, int *ret_fd)
{
    struct iovec iov = { .iov_base = ret, .iov_len = sizeof(*ret) };
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = { 0 };
    struct msghdr m = { .msg_iov = &iov,
                        .msg_iovlen = 1,
                        .msg_control = control.room,
                        .msg_controllen = sizeof(control.room) };
    ssize_t n = recvmsg(socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    struct cmsghdr *c;

    *ret_fd = -1;
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (n != (ssize_t)sizeof(*ret))
        return -1;
    c = CMSG_FIRSTHDR(&m);
    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(ret_fd, CMSG_DATA(c), sizeof(*ret_fd));
    return 1;
}

static char *read_text(int fd)
{
    struct stat st;
    char *text = NULL;
    size_t n = 0;

    if (fstat(fd, &st) < 0 || st.st_size > (off_t)LARGEST_TEXT)
        return NULL;
    text = malloc((size_t)st.st_size + 1);
    while (text && n < (size_t)st.st_size) {
        ssize_t r = pread(fd, text + n, (size_t)st.st_size - n, (off_t)n);

        if (r <= 0)
            break;
        n += (size_t)r;
    }
    if (text)
        text[n] = '\0';
    return text;
}

char *gput__beside_text(int fd)
{
    char *text;

    if (fd < 0)
        return NULL;
    text = read_text(fd);
    close(fd);
    return text;
}
