/* many_threads.c - n threads besides the first for hold= seconds; each burns cpu= seconds of it. */
#include "appetite.h"

#include <pthread.h>

static pthread_barrier_t all_here;
static double cpu, end;

static void *live(void *none)
{
    burn_to(cpu);
    pthread_barrier_wait(&all_here);
    sleep_until(end);
    return none;
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "many_threads", " n hold cpu ");
    int n = arg_int(argv, "n", 1024);
    pthread_t *threads = calloc((size_t)n, sizeof(*threads));
    pthread_attr_t attr;

    (void)argc;
    cpu = arg_num(argv, "cpu", 0.001);
    end = now_s() + arg_num(argv, "hold", 2);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 * 1024);
    pthread_barrier_init(&all_here, NULL, (unsigned)n + 1);
    for (int i = 0; i < n; i++)
        if (!threads || (errno = pthread_create(&threads[i], &attr, live, NULL)) != 0)
            die("thread");
    pthread_barrier_wait(&all_here);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    truth_add(&t, ", \"threads\": %d", n + 1);
    truth_print(&t);
    return 0;
}
