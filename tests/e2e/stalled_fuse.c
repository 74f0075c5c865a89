/* stalled_fuse.c - a process that holds the lock of its memory map for long, as one on a file system
 * that does not answer does.
 *
 * stalled_fuse FOLDER COMMAND...: mounts a file system of its own with one file, FOLDER/file, whose
 * content never comes, for this command alone, and exits as the command does.
 * stalled_fuse --hold FILE: one process reads the file and so keeps its page locked; another maps the
 * file and waits for that page, in mmap(), with its map locked against every reader.  Prints their
 * numbers.  They go on when the file system is gone. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIP 77 /* it cannot be mounted here */
/* Nobody can list the processes of the machine meanwhile: whatever happens, it is soon over. */
#define LONGEST_SECONDS 20
#define FILE_NODE 2

/* --- the file system ------------------------------------------------------------------------ */

static void reply(int fd, uint64_t unique, int error, const void *body, size_t size)
{
    struct fuse_out_header head = { .len = (uint32_t)(sizeof(head) + size),
                                    .error = error,
                                    .unique = unique };
    struct iovec parts[] = { { &head, sizeof(head) }, { (void *)body, size } };

    if (writev(fd, parts, size ? 2 : 1) < 0 && errno != ENOENT)
        perror("stalled_fuse: writev");
}

static struct fuse_attr attributes(uint64_t node)
{
    bool is_file = node == FILE_NODE;

    return (struct fuse_attr){ .ino = node,
                               .size = is_file ? 1 << 20 : 0,
                               .mode = is_file ? S_IFREG | 0644 : S_IFDIR | 0755,
                               .nlink = 1,
                               .blksize = 4096 };
}

/* The first to open the file reads it through the page cache, those after it map it without. */
static void reply_open(int fd, uint64_t unique)
{
    static unsigned n_opened;
    struct fuse_open_out out = { .open_flags = n_opened++ ? FOPEN_DIRECT_IO : 0 };

    reply(fd, unique, 0, &out, sizeof(out));
}

static void serve(int fd, const struct fuse_in_header *in)
{
    struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096 };
    struct fuse_attr_out attr = { .attr_valid = 3600, .attr = attributes(in->nodeid) };
    struct fuse_entry_out entry = {
        .nodeid = FILE_NODE, .entry_valid = 3600, .attr_valid = 3600, .attr = attributes(FILE_NODE)
    };

    switch (in->opcode) {
    case FUSE_INIT:
        reply(fd, in->unique, 0, &init, sizeof(init));
        break;
    case FUSE_GETATTR:
        reply(fd, in->unique, 0, &attr, sizeof(attr));
        break;
    case FUSE_LOOKUP:
        if (strcmp((const char *)(in + 1), "file"))
            reply(fd, in->unique, -ENOENT, NULL, 0);
        else
            reply(fd, in->unique, 0, &entry, sizeof(entry));
        break;
    case FUSE_OPEN:
        reply_open(fd, in->unique);
        break;
    case FUSE_READ: /* never */
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
        break;
    case FUSE_RELEASE:
        reply(fd, in->unique, 0, NULL, 0);
        break;
    default:
        reply(fd, in->unique, -ENOSYS, NULL, 0);
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
    return mount("stalled", folder, "fuse", MS_NOSUID | MS_NODEV, options) < 0 ? -1 : fd;
}

static int serve_until_end_of(pid_t pid, int fd)
{
    _Alignas(struct fuse_in_header) static char room[FUSE_MIN_READ_BUFFER + 4096];
    struct pollfd p[] = { { .fd = fd, .events = POLLIN },
                          { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN } };
    int status;

    while (poll(p, 2, -1) >= 0 && !p[1].revents)
        if (p[0].revents && read(fd, room, sizeof(room)) > 0)
            serve(fd, (const struct fuse_in_header *)room);
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* --- the job -------------------------------------------------------------------------------- */

static int hold(const char *file)
{
    int cached = open(file, O_RDONLY), direct = open(file, O_RDONLY);
    pid_t reader, holder;
    char byte;

    if (cached < 0 || direct < 0)
        return 1;
    reader = fork();
    if (reader == 0)
        _exit(read(cached, &byte, 1) == 1);
    usleep(100 * 1000); /* the page is asked for, and locked */
    holder = fork();
    if (holder == 0)
        _exit(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, direct, 0) == MAP_FAILED);
    printf("%d %d\n", reader, holder);
    return 0;
}

int main(int argc, char **argv)
{
    pid_t pid;
    int fd;

    if (argc < 3)
        return 2;
    if (strcmp(argv[1], "--hold") == 0)
        return hold(argv[2]);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    fd = mount_at(argv[1]);
    if (fd < 0)
        return SKIP;
    alarm(LONGEST_SECONDS);
    pid = fork();
    if (pid == 0) {
        alarm(0);
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    return serve_until_end_of(pid, fd);
}
