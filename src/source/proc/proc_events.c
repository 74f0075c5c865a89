/* proc_events.c - new processes, reported by the kernel (proc connector). */
#include "source/proc/proc_events.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BATCH 16
#define AT_EVENT (NLMSG_HDRLEN + sizeof(struct cn_msg))
#define AT(field) ((unsigned)(AT_EVENT + offsetof(struct proc_event, field)))

/* Threads come and go far more often than processes, and are not wanted here: the kernel
 * drops them. */
static int keep_births_only(int fd)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(what)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(PROC_EVENT_NONE), 5,
                 0), /* the answer to LISTEN */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(PROC_EVENT_FORK), 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(event_data.fork.child_pid)),
        BPF_STMT(BPF_MISC | BPF_TAX, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(event_data.fork.child_tgid)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    struct sock_fprog prog = { sizeof(code) / sizeof(*code), code };

    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &prog, sizeof(prog));
}

static int ask(int fd, enum proc_cn_mcast_op op)
{
    struct {
        struct nlmsghdr head;
        struct cn_msg msg;
        enum proc_cn_mcast_op op;
    } __attribute__((packed)) request = {
        .head = { .nlmsg_len = sizeof(request), .nlmsg_type = NLMSG_DONE },
        .msg = { .id = { CN_IDX_PROC, CN_VAL_PROC }, .len = sizeof(enum proc_cn_mcast_op) },
        .op = op,
    };

    return send(fd, &request, sizeof(request), 0) < 0 ? -errno : 0;
}

static ssize_t receive(int fd, void *msg, size_t cap)
{
    struct sockaddr_nl from = { 0 };
    struct iovec iov = { msg, cap };
    struct msghdr head = {
        .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1
    };
    ssize_t n;

    do
        n = recvmsg(fd, &head, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    return from.nl_pid == 0 ? n : 0; /* only the kernel is believed */
}

/* The answer to LISTEN is in the socket when send() returns; outside the first pid and user
 * namespace the kernel gives none, and would never report anything. */
static int acknowledged(int fd)
{
    char msg[256];
    ssize_t n = receive(fd, msg, sizeof(msg));

    if (n < (ssize_t)(AT_EVENT + sizeof(struct proc_event)))
        return -ENOTSUP;
    return 0;
}

int gput__proc_events_open(void)
{
    struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC };
    int room = 1 << 20;
    int r, fd = socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_CONNECTOR);

    if (fd < 0)
        return -ENOTSUP;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
    (void)keep_births_only(fd);
    r = bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? -ENOTSUP
                                                                   : ask(fd, PROC_CN_MCAST_LISTEN);
    if (r == 0)
        r = acknowledged(fd);
    if (r < 0) {
        close(fd);
        return -ENOTSUP;
    }
    return fd;
}

void gput__proc_events_close(int fd)
{
    if (fd < 0)
        return;
    (void)ask(fd, PROC_CN_MCAST_IGNORE);
    close(fd);
}

int gput__proc_event_parse(const void *msg, size_t len, struct gput__proc_birth *ret)
{
    struct proc_event ev;

    if (len < AT_EVENT + sizeof(ev))
        return -EBADMSG;
    memcpy(&ev, (const char *)msg + AT_EVENT, sizeof(ev));
    if ((unsigned)ev.what != PROC_EVENT_FORK ||
        ev.event_data.fork.child_pid != ev.event_data.fork.child_tgid)
        return -ENODATA;
    *ret = (struct gput__proc_birth){ ev.event_data.fork.child_tgid, ev.event_data.fork.parent_tgid,
                                      (int64_t)ev.timestamp_ns };
    return 0;
}

/* Many at a time: other processes start all the time, and a call costs more than its message. */
int gput__proc_events_drain(int fd, gput__birth_fn *each, void *ctx)
{
    int lost = 0;

    for (;;) {
        char text[BATCH][128];
        struct sockaddr_nl from[BATCH];
        struct iovec parts[BATCH];
        struct mmsghdr heads[BATCH] = { 0 };
        int n;

        for (int i = 0; i < BATCH; i++) {
            parts[i] = (struct iovec){ text[i], sizeof(text[i]) };
            heads[i].msg_hdr = (struct msghdr){ .msg_name = &from[i],
                                                .msg_namelen = sizeof(from[i]),
                                                .msg_iov = &parts[i],
                                                .msg_iovlen = 1 };
        }
        n = recvmmsg(fd, heads, BATCH, MSG_DONTWAIT, NULL);
        if (n < 0 && errno == ENOBUFS)
            lost = -ENOBUFS;
        else if (n < 0 && errno != EINTR)
            return lost;
        for (int i = 0; i < n; i++) {
            struct gput__proc_birth birth;

            if (from[i].nl_pid == 0 && /* only the kernel is believed */
                gput__proc_event_parse(text[i], heads[i].msg_len, &birth) == 0)
                each(ctx, &birth);
        }
        if (n >= 0 && n < BATCH)
            return lost;
    }
}
