"""calls.py - system calls by name, and with which errors each may fail on a real machine."""

import errno
import re

HEADER = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"


def _names():
    with open(HEADER) as f:
        return {int(n): name for name, n in re.findall(r"#define __NR_(\w+)\s+(\d+)", f.read())}


NAMES = _names()

# The C library ends the process when these fail, or they cannot fail.
LEFT_OUT = {"exit", "exit_group", "rt_sigreturn", "restart_syscall", "rseq", "set_robust_list",
            "set_tid_address", "arch_prctl", "getpid", "gettid", "getppid", "getuid", "geteuid",
            "getgid", "getegid", "umask", "uname"}

_ERRORS = {
    **dict.fromkeys(("open", "openat"), ("EMFILE", "EACCES", "ENOMEM")),
    **dict.fromkeys(("stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2",
                     "readlink", "readlinkat", "statfs", "mkdir", "chdir", "getcwd"),
                    ("EACCES", "ENOMEM")),
    **dict.fromkeys(("read", "pread64", "getdents64", "recvfrom", "recvmsg"), ("EIO", "EINTR")),
    **dict.fromkeys(("write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "fallocate"),
                    ("ENOSPC", "EIO", "EINTR")),
    **dict.fromkeys(("rename", "renameat2", "unlink", "unlinkat"), ("ENOSPC", "EACCES")),
    **dict.fromkeys(("mmap", "munmap", "mremap", "mprotect", "brk", "madvise"), ("ENOMEM",)),
    **dict.fromkeys(("clone", "clone3", "fork", "vfork"), ("EAGAIN", "ENOMEM")),
    **dict.fromkeys(("poll", "ppoll", "select", "pselect6"), ("EINTR", "ENOMEM")),
    **dict.fromkeys(("wait4", "waitid"), ("EINTR", "ECHILD")),
    **dict.fromkeys(("eventfd2", "signalfd4", "timerfd_create", "pidfd_open", "memfd_create",
                     "pipe2", "socketpair", "dup"), ("EMFILE", "ENOMEM")),
    **dict.fromkeys(("socket", "bind", "connect", "setsockopt", "sendto", "sendmsg"),
                    ("EPERM", "ENOBUFS")),
    "execve": ("ENOMEM", "EACCES"),
    "futex": ("EINTR", "EAGAIN"),
    "close": ("EIO", "EINTR"),
    "clock_gettime": ("EINVAL",),
    "clock_nanosleep": ("EINTR",),
    "nanosleep": ("EINTR",),
    "fcntl": ("EINVAL", "EAGAIN"),
    "lseek": ("EINVAL",),
    "fstat": ("EIO", "ENOMEM"),
    "kill": ("EPERM",),
}


def name_of(label):
    return NAMES.get(int(label.split()[0]), label.split()[0])


def is_wait(label):
    """Of futex(): waking somebody cannot fail, and the C library takes it so."""
    return len(label.split()) == 2 and int(label.split()[1]) & 0x7f in (0, 9)


def errors_of(label):
    """Numbers of the errors that a call is made to fail with; none: it cannot fail."""
    name = name_of(label)
    if name in LEFT_OUT or (name == "futex" and not is_wait(label)):
        return []
    return [getattr(errno, e) for e in _ERRORS.get(name, ("EINVAL", "EPERM"))]


def shown(label):
    """'openat N/stat' for '257 N/stat'."""
    return " ".join([name_of(label), *label.split()[1:]])
