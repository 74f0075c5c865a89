/* forked_readers.c - n children read what the parent has, in maps= mappings.
 *
 * kind=private: anonymous, copy-on-write; kind=shared: anonymous MAP_SHARED; kind=file: one file
 * (file=PATH, made and removed here), mapped in parts at different offsets.
 * own=BYTES: each child also has so much of its own.
 * rounds=N: all of it N times, with ever new children: who reads the memory maps of several
 * processes meanwhile meets some of them on their way out, whose pages the others inherit. */
#include "appetite.h"

#define MAX_MAPS 64

static char *map[MAX_MAPS];

/* Neighbouring mappings would be merged into one: a page that nobody may touch keeps them apart. */
static void keep_apart(void)
{
    if (mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        die("mmap");
}

static void map_all(const char *kind, const char *path, int n, size_t each)
{
    int flags = MAP_SHARED, fd = -1;

    if (strcmp(kind, "private") == 0)
        flags = MAP_PRIVATE | MAP_ANONYMOUS;
    else if (strcmp(kind, "shared") == 0)
        flags = MAP_SHARED | MAP_ANONYMOUS;
    else if ((fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) < 0)
        die(path);
    if (fd >= 0 && (unlink(path) < 0 || ftruncate(fd, (off_t)(each * (size_t)n)) < 0))
        die(path);
    for (int i = 0; i < n; i++) {
        map[i] = map_bytes(each, flags, fd, fd < 0 ? 0 : (off_t)(each * (size_t)i));
        touch(map[i], each);
        keep_apart();
    }
}

static void be_a_reader(int maps, size_t each, size_t own, double hold)
{
    uint64_t sum = 0;

    for (int m = 0; m < maps; m++)
        sum += read_all(map[m], each);
    take(own);
    sleep_for(hold);
    _exit(sum == 1); /* so that the reads are not optimised away */
}

int main(int argc, char **argv)
{
    struct truth t =
        truth_start(argv, "forked_readers", " bytes maps n hold kind file own rounds ");
    int maps = arg_int(argv, "maps", 1), n = arg_int(argv, "n", 4);
    size_t each = arg_bytes(argv, "bytes", 1e9) / (size_t)(maps > 0 ? maps : 1) / PAGE * PAGE;
    size_t own = arg_bytes(argv, "own", 0);
    double hold = arg_num(argv, "hold", 3);
    pid_t me = getpid();

    (void)argc;
    if (maps < 1 || maps > MAX_MAPS)
        return 99;
    map_all(arg_text(argv, "kind", "private"), arg_text(argv, "file", "readers.tmp"), maps, each);
    for (int round = arg_int(argv, "rounds", 1); round > 0; round--) {
        for (int i = 0; i < n; i++)
            if (fork_or_die() == 0) {
                die_with_parent(me);
                be_a_reader(maps, each, own, hold);
            }
        for (int i = 0; i < n; i++)
            wait_for(-1);
    }
    t.touched = each * (size_t)maps + own * (size_t)n;
    for (int m = 0; m < maps; m++)
        give_back(map[m], each);
    truth_print(&t);
    return 0;
}
