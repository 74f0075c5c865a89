"""memory_group.py - a control group with a limit of memory, where one can be made."""

from harness import *

ROOTS = {"/sys/fs/cgroup/memory": "memory.limit_in_bytes", "/sys/fs/cgroup": "memory.max"}


def make(name, limit):
    """A group with a limit, removed at the end; None where we may not make one."""
    for root, file in ROOTS.items():
        path = f"{root}/{MARK}-{name}"
        try:
            os.mkdir(path)
            atexit.register(remove, path)
            with open(f"{path}/{file}", "w") as f:
                f.write(str(limit))
            with contextlib.suppress(OSError):  # without it a kill may be put off
                with open(f"{path}/memory.swap.max", "w") as f:
                    f.write("0")
            return path
        except OSError:
            continue
    return None


def remove(path):
    with contextlib.suppress(OSError):
        wait_until(lambda: not read(f"{path}/cgroup.procs").split(), 5)
        os.rmdir(path)


def inside(path):
    return ["sh", "-c", f'echo $$ > {path}/cgroup.procs && exec "$@"', "sh"]
