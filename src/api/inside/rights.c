/* rights.c - what a helper can do without. */
#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "base/system.h"

/* With rights of its own it would use them for its client, which shares memory with it. */
static int be_as_the_user(void)
{
    if (!gput__has_more_rights())
        return 0;
    if (setresgid(getgid(), getgid(), getgid()) < 0 || setresuid(getuid(), getuid(), getuid()) < 0)
        return -errno;
    return getuid() != 0 ? gput__drop_capabilities() : 0;
}

/* NVIDIA's library may have to load the driver's module, by a program with root's rights. */
static bool has_use_for_other_rights(void)
{
    return access("/usr/bin/nvidia-modprobe", X_OK) == 0;
}

int gput__give_up_rights(void)
{
    struct rlimit core = { 0 };
    int r = be_as_the_user();

    if (r < 0)
        return r;
    if (!has_use_for_other_rights())
        gput__never_gain_rights();
    /* what it leaves behind when it crashes would lie in a folder of the program's */
    if (getrlimit(RLIMIT_CORE, &core) == 0) {
        core.rlim_cur = 0;
        (void)setrlimit(RLIMIT_CORE, &core);
    }
    return 0;
}
