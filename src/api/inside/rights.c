/* rights.c - what a helper can do without. */
#include <errno.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "api/inside/helper.h"

/* With rights of its own it would use them for whoever asks, and who asks shares memory with it. */
static int be_as_the_asker(void)
{
    struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

    if (!getauxval(AT_SECURE))
        return 0;
    if (setresgid(getgid(), getgid(), getgid()) < 0 || setresuid(getuid(), getuid(), getuid()) < 0)
        return -errno;
    if (getuid() != 0 && syscall(SYS_capset, &head, none) < 0)
        return -errno;
    return 0;
}

/* NVIDIA's library may have to load the driver's module, by a program with root's rights. */
static bool has_use_for_other_rights(void)
{
    return access("/usr/bin/nvidia-modprobe", X_OK) == 0;
}

int gput__give_up_rights(void)
{
    struct rlimit core = { 0 };
    int r = be_as_the_asker();

    if (r < 0)
        return r;
    if (!has_use_for_other_rights())
        (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    /* what it leaves behind when it crashes would lie in a folder of the program's */
    if (getrlimit(RLIMIT_CORE, &core) == 0) {
        core.rlim_cur = 0;
        (void)setrlimit(RLIMIT_CORE, &core);
    }
    return 0;
}
