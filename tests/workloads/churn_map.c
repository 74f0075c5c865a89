/* churn_map.c - a program of bytes= that maps, touches and unmaps chunk= in a loop: what a tracker
 * that holds its mmap_lock would slow down.  Prints how many rounds a second it made. */
#include "appetite.h"

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "churn_map", " bytes chunk seconds ");
    size_t bytes = arg_bytes(argv, "bytes", 4e9), chunk = arg_bytes(argv, "chunk", 1e6);
    double seconds = arg_num(argv, "seconds", 5), start, took;
    char *held = take(bytes);
    long rounds = 0;

    (void)argc;
    t.touched = bytes + chunk;
    start = now_s();
    do {
        for (int i = 0; i < 16; i++, rounds++)
            give_back(take(chunk), chunk);
        took = now_s() - start;
    } while (took < seconds);
    give_back(held, bytes);
    truth_add(&t, ", \"rounds\": %ld, \"seconds\": %.6f, \"rounds_per_second\": %.3f", rounds, took,
              (double)rounds / took);
    truth_print(&t);
    return 0;
}
