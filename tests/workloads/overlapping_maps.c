/* overlapping_maps.c - n= mappings of one shared file, each a page further on than the one before and
 * so overlapping many others, in this process and in a child, for hold= seconds. */
#include "appetite.h"

#define MAPPED 16 /* pages each; every 16th page of the file is touched, which is in each of them */

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "overlapping_maps", " n hold ");
    int n = arg_int(argv, "n", 60000), fd = memfd_create("shared", MFD_CLOEXEC);
    double hold = arg_num(argv, "hold", 2);
    pid_t child;

    (void)argc;
    if (fd < 0 || ftruncate(fd, (n + MAPPED) * (off_t)PAGE) < 0)
        die("memfd");
    for (int i = 0; i < n; i++) {
        char *p =
            mmap(NULL, MAPPED * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, i * (off_t)PAGE);

        if (p == MAP_FAILED)
            die("mmap");
        p[(size_t)((MAPPED - i % MAPPED) % MAPPED) * PAGE] = 1;
    }
    child = fork_or_die();
    if (child == 0) {
        sleep_for(hold);
        _exit(0);
    }
    wait_for(child);
    t.touched = ((size_t)(n + MAPPED - 1) / MAPPED) * PAGE;
    truth_print(&t);
    return 0;
}
