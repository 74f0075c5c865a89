/* test_sys_processes.c - how many processes there are. */
#include "source/machine/sys_processes.h"

#include <errno.h>
#include <sys/wait.h>

#include "fixture.h"
#include "tap.h"

static void of_files(void)
{
    struct gput__sys_processes p = { .n = 77 };
    struct fixture f;

    OK(gput__sys_processes_list(&GPUT__ROOT_NONE, &p) < 0 && p.n == 77, "no /proc, no answer");
    fixture_begin(&f);
    fixture_write(&f, "1/stat", "");
    fixture_write(&f, "4711/stat", "");
    fixture_write(&f, "12x/stat", "");
    fixture_write(&f, "sys/kernel", "");
    fixture_write(&f, "uptime", "1 1\n");
    OK(gput__sys_processes_list(&f.root, &p) == 0 && p.n == 2 && p.folders == 2,
       "folders whose name is a number, and others");
    fixture_end(&f);
}

static void of_the_kernel(void)
{
    struct gput__sys_processes p;
    struct gput__root proc;
    uint64_t before, with, after;
    pid_t child;
    int hold[2];

    fixture_need(gput__root_open(NULL, "/proc", &proc) == 0, "/proc");
    OK(gput__sys_processes_list(&proc, &p) == 0 && p.n > 0 && p.links > 0, "those of this machine");
    if (!gput__sys_processes_are_links(&p)) {
        printf("ok %d - links of /proc # SKIP not all processes are shown here, or some came\n",
               ++tap_run);
        return;
    }
    /* Others come and go meanwhile: tried until the counts before and after are the same. */
    for (int i = 0; i < 10000; i++) {
        (void)gput__sys_processes_links(&proc, &before);
        fixture_need(pipe(hold) == 0, "pipe");
        child = fork();
        if (child == 0) {
            char c;

            close(hold[1]);
            _exit((int)read(hold[0], &c, 1));
        }
        fixture_need(child > 0, "fork");
        (void)gput__sys_processes_links(&proc, &with);
        close(hold[0]);
        close(hold[1]);
        waitpid(child, NULL, 0);
        (void)gput__sys_processes_links(&proc, &after);
        if (before == after && with == before + 1)
            break;
    }
    OK(before == after && with == before + 1, "the links of /proc count a child while it lives");
    gput__root_close(&proc);
}

int main(void)
{
    of_files();
    of_the_kernel();
    return DONE();
}
