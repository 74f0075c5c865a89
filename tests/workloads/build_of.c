/* build_of.c - one program in several builds: each does PERCENT of the work of the first, in memory that it
 * touches and in steps that it computes.  `scale=0.5` makes both smaller.
 *
 * The work is what is fixed, not its time: how much CPU time it takes is for the tracker to tell. */
#include "appetite.h"

#define MEMORY 40e6
#define STEPS 4e8

int main(int argc, char **argv)
{
    double share = arg_num(argv, "scale", 1) * PERCENT / 100;
    size_t bytes = (size_t)(MEMORY * share) / PAGE * PAGE;
    volatile unsigned x = 1;
    char *p;

    (void)argc;
    arg_check(argv, " scale ");
    p = take(bytes);
    for (double i = 0; i < STEPS * share; i += 1)
        x = x * 1664525u + 1013904223u;
    munmap(p, bytes);
    return 0;
}
