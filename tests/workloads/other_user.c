/* other_user.c - a child that becomes another user (uid=) before it takes its memory and time: the
 * detailed files of /proc are closed to a tracker that is not root.  Needs root itself. */
#include "appetite.h"

#include <grp.h>

static void become(uid_t uid)
{
    if (setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0)
        die("setresuid");
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "other_user", " bytes share seconds uid ");
    double share = arg_num(argv, "share", 0.3), seconds = arg_num(argv, "seconds", 2);
    uid_t uid = (uid_t)arg_int(argv, "uid", 65534);
    pid_t child;
    char *p;

    (void)argc;
    t.touched = arg_bytes(argv, "bytes", 100e6);
    child = fork_or_die();
    if (child == 0) {
        become(uid);
        p = take(t.touched);
        burn_share(share, 0.1, seconds);
        give_back(p, t.touched);
        _exit(0);
    }
    wait_for(child);
    truth_print(&t);
    return 0;
}
