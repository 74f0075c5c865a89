/* test_tree_events.c - births that the running kernel tells of, and those that it lost. */
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "source/proc/proc_events.h"
#include "tap.h"
#include "tree_fixture.h"

/* Room for two or three messages, and many more than that. */
static void lose_births(int events)
{
    int room = 1;

    fixture_need(setsockopt(events, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)) == 0, "SO_RCVBUF");
    for (int i = 0; i < 100; i++) {
        pid_t pid = fork();

        if (pid == 0)
            _exit(0);
        waitpid(pid, NULL, 0);
    }
}

static void births_that_were_lost(void)
{
    struct gput__tree tree;
    int events = gput__proc_events_open();

    if (events < 0) {
        OK(true, "births that were lost # SKIP the kernel tells us nothing");
        return;
    }
    begin(&tree);
    poll_once(&tree);
    tree.births.events = events;
    write_process((struct proc){ .pid = 101, .ppid = MAIN });
    poll_once(&tree);
    OK(tree.n == 1, "who listens to births does not search for others");
    lose_births(events);
    poll_once(&tree);
    OK(tree.n == 2, "unless the kernel says that it lost some");
    OK(tree.births.others_died, "of which any may have died unseen");
    gput__proc_events_close(events);
    tree.births.events = -1;
    end(&tree);
}

int main(void)
{
    births_that_were_lost();
    return DONE();
}
