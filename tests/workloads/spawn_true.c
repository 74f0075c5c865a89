/* spawn_true.c - a big main that starts `true` n times: its children seem as big as it is between
 * fork and exec, and are not.  how=fork, vfork or spawn. */
#include "appetite.h"

#include <spawn.h>

extern char **environ;

static pid_t start_true(const char *how, char *const command[])
{
    pid_t pid;

    if (strcmp(how, "spawn") == 0) {
        if (posix_spawnp(&pid, command[0], NULL, NULL, command, environ) != 0)
            die("posix_spawn");
        return pid;
    }
    pid = strcmp(how, "vfork") == 0 ? vfork() : fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    return pid;
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "spawn_true", " bytes n how gap ");
    char name[] = "true";
    char *const command[] = { name, NULL };
    const char *how = arg_text(argv, "how", "fork");
    double gap = arg_num(argv, "gap", 0);
    int n = arg_int(argv, "n", 200);
    char *p;

    (void)argc;
    t.touched = arg_bytes(argv, "bytes", 1e9);
    p = take(t.touched);
    for (int i = 0; i < n; i++) {
        wait_for(start_true(how, command));
        sleep_for(gap);
    }
    give_back(p, t.touched);
    truth_print(&t);
    return 0;
}
