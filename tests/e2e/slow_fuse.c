/* slow_fuse.c - a file system in memory on which every operation takes its time, as on a network.
 *
 * slow_fuse FOLDER MILLISECONDS LOG COMMAND...: mounts it at FOLDER for this command alone, and exits as the
 * command does.  LOG gets a line for each operation: its name and a name of a file.  Nothing is cached by
 * the kernel, so each path is looked up again, part by part. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIP 77 /* it cannot be mounted here */
#define LONGEST_SECONDS 200
#define MOST_WRITE 65536
#define MOST_NODES 256

/* Number 1 is the root; 0 is no node. */
static struct node {
    uint64_t parent; /* 0: it is gone, or never was */
    char name[256];
    mode_t mode;
    char *data;
    size_t size;
} nodes[MOST_NODES];

static FILE *log_file;
static useconds_t delay;

static void tell(const char *what, const char *name)
{
    fprintf(log_file, "%s %s\n", what, name);
    fflush(log_file);
    usleep(delay);
}

static void reply(int fd, const struct fuse_in_header *in, int error, const void *body, size_t size)
{
    struct fuse_out_header head = { .len = (uint32_t)(sizeof(head) + size),
                                    .error = error,
                                    .unique = in->unique };
    struct iovec parts[] = { { &head, sizeof(head) }, { (void *)body, size } };

    if (writev(fd, parts, size ? 2 : 1) < 0 && errno != ENOENT)
        perror("slow_fuse: writev");
}

static uint64_t find(uint64_t parent, const char *name)
{
    for (uint64_t i = 2; i < MOST_NODES; i++)
        if (nodes[i].parent == parent && strcmp(nodes[i].name, name) == 0)
            return i;
    return 0;
}

static uint64_t add(uint64_t parent, const char *name, mode_t mode)
{
    uint64_t i = 2;

    while (i < MOST_NODES && (nodes[i].parent || nodes[i].mode))
        i++;
    if (i == MOST_NODES)
        return 0;
    nodes[i] = (struct node){ .parent = parent, .mode = mode };
    snprintf(nodes[i].name, sizeof(nodes[i].name), "%s", name);
    return i;
}

static struct fuse_attr attributes(uint64_t i)
{
    return (struct fuse_attr){ .ino = i,
                               .size = nodes[i].size,
                               .mode = i == 1 ? S_IFDIR | 0755 : nodes[i].mode,
                               .nlink = 1,
                               .blksize = 4096 };
}

static void reply_entry(int fd, const struct fuse_in_header *in, uint64_t i)
{
    struct fuse_entry_out entry = { .nodeid = i, .attr = attributes(i) };

    reply(fd, in, i ? 0 : -ENOENT, &entry, i ? sizeof(entry) : 0);
}

static void create(int fd, const struct fuse_in_header *in)
{
    const char *name = (const char *)(in + 1) + sizeof(struct fuse_create_in);
    uint64_t i = add(in->nodeid, name, S_IFREG | 0644);
    struct {
        struct fuse_entry_out entry;
        struct fuse_open_out open;
    } out = { .entry = { .nodeid = i, .attr = attributes(i) } };

    tell("create", name);
    reply(fd, in, i ? 0 : -ENOSPC, &out, i ? sizeof(out) : 0);
}

static void write_data(int fd, const struct fuse_in_header *in)
{
    const struct fuse_write_in *w = (const struct fuse_write_in *)(in + 1);
    struct node *n = &nodes[in->nodeid];
    struct fuse_write_out out = { .size = w->size };

    if (w->offset + w->size > n->size) {
        n->size = w->offset + w->size;
        n->data = realloc(n->data, n->size);
    }
    memcpy(n->data + w->offset, w + 1, w->size);
    tell("write", n->name);
    reply(fd, in, 0, &out, sizeof(out));
}

static void read_data(int fd, const struct fuse_in_header *in)
{
    const struct fuse_read_in *r = (const struct fuse_read_in *)(in + 1);
    const struct node *n = &nodes[in->nodeid];
    size_t left = r->offset < n->size ? n->size - r->offset : 0;

    reply(fd, in, 0, n->data + r->offset, left < r->size ? left : r->size);
}

static void rename_node(int fd, const struct fuse_in_header *in)
{
    const struct fuse_rename2_in *r = (const struct fuse_rename2_in *)(in + 1);
    const struct fuse_rename_in *old = (const struct fuse_rename_in *)(in + 1);
    const char *from = in->opcode == FUSE_RENAME ? (const char *)(old + 1) : (const char *)(r + 1);
    const char *to = from + strlen(from) + 1;
    uint64_t folder = in->opcode == FUSE_RENAME ? old->newdir : r->newdir;
    uint64_t i = find(in->nodeid, from), there = find(folder, to);

    tell("rename", to);
    if (there && in->opcode == FUSE_RENAME2 && r->flags) {
        reply(fd, in, -EEXIST, NULL, 0);
        return;
    }
    nodes[there].parent = 0;
    nodes[i].parent = folder;
    snprintf(nodes[i].name, sizeof(nodes[i].name), "%s", to);
    reply(fd, in, i ? 0 : -ENOENT, NULL, 0);
}

static void serve(int fd, const struct fuse_in_header *in)
{
    struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION,
                                  .minor = 31,
                                  .max_write = MOST_WRITE };
    struct fuse_attr_out attr = { .attr = attributes(in->nodeid < MOST_NODES ? in->nodeid : 0) };
    struct fuse_open_out opened = { .open_flags = FOPEN_DIRECT_IO };
    const char *name = (const char *)(in + 1);

    switch (in->opcode) {
    case FUSE_INIT:
        reply(fd, in, 0, &init, sizeof(init));
        break;
    case FUSE_GETATTR:
    case FUSE_SETATTR:
        tell("attributes", nodes[in->nodeid].name);
        reply(fd, in, 0, &attr, sizeof(attr));
        break;
    case FUSE_LOOKUP:
        tell("lookup", name);
        reply_entry(fd, in, find(in->nodeid, name));
        break;
    case FUSE_MKDIR:
        name += sizeof(struct fuse_mkdir_in);
        tell("mkdir", name);
        reply_entry(fd, in, add(in->nodeid, name, S_IFDIR | 0755));
        break;
    case FUSE_CREATE:
        create(fd, in);
        break;
    case FUSE_OPEN:
        tell("open", nodes[in->nodeid].name);
        reply(fd, in, 0, &opened, sizeof(opened));
        break;
    case FUSE_READ:
        read_data(fd, in);
        break;
    case FUSE_WRITE:
        write_data(fd, in);
        break;
    case FUSE_RENAME:
    case FUSE_RENAME2:
        rename_node(fd, in);
        break;
    case FUSE_UNLINK:
        tell("unlink", name);
        nodes[find(in->nodeid, name)].parent = 0;
        reply(fd, in, 0, NULL, 0);
        break;
    case FUSE_FLUSH:
        tell("flush", nodes[in->nodeid].name);
        reply(fd, in, 0, NULL, 0);
        break;
    case FUSE_RELEASE:
        reply(fd, in, 0, NULL, 0);
        break;
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
        break;
    default:
        reply(fd, in, -ENOSYS, NULL, 0);
    }
}

static int mount_at(const char *folder)
{
    char options[100];
    int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

    if (fd < 0 || unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return -1;
    snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%u,group_id=%u", fd, getuid(),
             getgid());
    return mount("slow", folder, "fuse", MS_NOSUID | MS_NODEV, options) < 0 ? -1 : fd;
}

static int serve_until_end_of(pid_t pid, int fd)
{
    _Alignas(struct fuse_in_header) static char room[FUSE_MIN_READ_BUFFER + MOST_WRITE];
    struct pollfd p[] = { { .fd = fd, .events = POLLIN },
                          { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN } };
    int status;

    while (poll(p, 2, -1) >= 0 && !p[1].revents)
        if (p[0].revents && read(fd, room, sizeof(room)) > 0)
            serve(fd, (const struct fuse_in_header *)room);
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    pid_t pid;
    int fd;

    if (argc < 5)
        return 2;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    delay = (useconds_t)atoi(argv[2]) * 1000;
    log_file = fopen(argv[3], "we");
    fd = log_file ? mount_at(argv[1]) : -1;
    if (fd < 0)
        return SKIP;
    alarm(LONGEST_SECONDS);
    pid = fork();
    if (pid == 0) {
        alarm(0);
        execvp(argv[4], argv + 4);
        _exit(127);
    }
    return serve_until_end_of(pid, fd);
}
