/* thread_child.c - a worker thread, not the first one, starts a child of bytes=.
 *
 * thread=stays: the thread waits for the child; thread=ends: it ends, and the child becomes that of
 * another thread. */
#include "appetite.h"

#include <pthread.h>

struct work {
    size_t bytes;
    double hold;
    int stays;
    pid_t child;
};

static void *start_child(void *arg)
{
    struct work *w = arg;

    w->child = fork_or_die();
    if (w->child == 0) {
        char *p = take(w->bytes);

        sleep_for(w->hold);
        give_back(p, w->bytes);
        _exit(0);
    }
    if (w->stays)
        wait_for(w->child);
    return NULL;
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "thread_child", " bytes hold thread ");
    struct work w = { .bytes = arg_bytes(argv, "bytes", 300e6),
                      .hold = arg_num(argv, "hold", 2),
                      .stays = strcmp(arg_text(argv, "thread", "stays"), "ends") != 0 };
    pthread_t thread;

    (void)argc;
    t.touched = w.bytes;
    if (pthread_create(&thread, NULL, start_child, &w) != 0)
        die("pthread_create");
    pthread_join(thread, NULL);
    if (!w.stays)
        wait_for(w.child);
    truth_print(&t);
    return 0;
}
