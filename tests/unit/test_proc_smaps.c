/* test_proc_smaps.c - the mappings of /proc/PID/smaps, in pieces of any size. */
#include "source/proc/proc_smaps.h"

#include <errno.h>
#include <string.h>

#include "fixture.h"
#include "shown.h"
#include "tap.h"

#define VALUES(rss, pss, dirty, anon_pss, sc, sd, pc, pd, anon)                                    \
    "Size:               9999 kB\nKernelPageSize:        4 kB\nMMUPageSize:           4 kB\n"      \
    "Rss:                " #rss " kB\nPss:                " #pss                                   \
    " kB\nPss_Dirty:          " #dirty " kB\nPss_Anon:           " #anon_pss                       \
    " kB\nPss_File:              1 kB\n"                                                           \
    "Shared_Clean:       " #sc " kB\nShared_Dirty:       " #sd " kB\nPrivate_Clean:      " #pc     \
    " kB\nPrivate_Dirty:      " #pd " kB\nReferenced:         777 kB\nAnonymous:          " #anon  \
    " kB\nAnonHugePages:         0 kB\nSwap:                 55 kB\nSwapPss:             55 kB\n"  \
    "THPeligible:           0\nVmFlags: rd wr mr mw me ac sd \n"

static const char text[] =
    "55d000-55d800 r-xp 00002000 fe:01 1234                       /usr/bin/prog\n" VALUES(11, 12, 13, 14, 15, 16, 17, 18, 19) "7f0000000000-7f0000200000 rw-p 00000000 00:00 0 \n" VALUES(
        21, 22, 23, 24, 25, 26, 27, 28,
        29) "7ffc0000000-7ffc0021000 rw-p 00000000 00:00 0                          [stack]\n" VALUES(31,
                                                                                                      32,
                                                                                                      33,
                                                                                                      34,
                                                                                                      35,
                                                                                                      36,
                                                                                                      37,
                                                                                                      38,
                                                                                                      39);

struct list {
    struct gput__vma v[8];
    int n;
};

static void add(void *ctx, const struct gput__vma *vma)
{
    struct list *l = ctx;

    if (l->n < 8)
        l->v[l->n] = *vma;
    l->n++;
}

static int read_pieces(const char *all, size_t len, size_t piece, struct list *ret)
{
    struct gput__smaps s;

    *ret = (struct list){ .n = 0 };
    gput__smaps_begin(&s, add, ret);
    for (size_t at = 0; at < len; at += piece)
        gput__smaps_feed(&s, all + at, len - at < piece ? len - at : piece);
    return gput__smaps_end(&s);
}

static int read_all(const char *all, struct list *ret)
{
    return read_pieces(all, strlen(all), strlen(all) + 1, ret);
}

static void each_line_is_its_own(void)
{
    struct list l;
    const struct gput__vma *v = l.v;

    if (!OK(read_all(text, &l) == 0 && l.n == 3, "three mappings"))
        return;
    OK(v[0].device == (UINT64_C(0xfe) << 32 | 1) && v[0].inode == 1234, "the file");
    OK(v[0].from == 0x2000 && v[0].to == 0x2800, "the range of the file");
    OK(v[0].rss == 11 * 1024 && v[0].pss == 12 * 1024, "Rss, Pss");
    OK(v[0].pss_dirty == 13 * 1024 && v[0].has_pss_dirty, "Pss_Dirty");
    OK(v[0].pss_anon == 14 * 1024 && v[0].has_pss_anon, "Pss_Anon");
    OK(v[0].shared == (15 + 16) * 1024, "shared: clean and dirty");
    OK(v[0].private_clean == 17 * 1024 && v[0].private_dirty == 18 * 1024, "private");
    OK(v[0].anonymous == 19 * 1024 && !v[0].rollup, "anonymous");
    OK(v[1].inode == 0 && v[1].to - v[1].from == 0x200000 && v[1].rss == 21 * 1024 &&
           v[1].anonymous == 29 * 1024,
       "a mapping without a name");
    OK(v[2].inode == 0 && v[2].rss == 31 * 1024 && v[2].shared == (35 + 36) * 1024,
       "nothing is carried from one to the next");
}

static void pieces_of_every_size(void)
{
    struct list whole, l;
    int wrong = 0;

    read_all(text, &whole);
    for (size_t piece = 1; piece <= sizeof(text); piece++)
        wrong += read_pieces(text, sizeof(text) - 1, piece, &l) != 0 || l.n != whole.n ||
                 memcmp(l.v, whole.v, sizeof(l.v)) != 0;
    OK(wrong == 0, "pieces of 1 to %zu bytes give the same", sizeof(text));
}

static void a_rollup(void)
{
    struct list l;

    OK(read_all("55d000-7ffc00 ---p 00000000 00:00 0                          [rollup]\n" VALUES(
                    41, 42, 43, 44, 45, 46, 47, 48, 49),
                &l) == 0 &&
           l.n == 1 && l.v[0].rollup && l.v[0].rss == 41 * 1024 && l.v[0].pss_anon == 44 * 1024,
       "a rollup");
}

static void a_file_of_that_name(void)
{
    struct list l;

    OK(read_all("1000-2000 r--p 00000000 08:01 5                          /tmp/[rollup]\n", &l) ==
               0 &&
           l.n == 1 && !l.v[0].rollup,
       "a file of that name is none");
}

static void old_kernels(void)
{
    struct list l;

    OK(read_all("55d000-55e000 r-xp 00000000 08:01 5 /a\nRss: 4 kB\nPss: 2 kB\n"
                "Private_Dirty: 4 kB\nAnonymous: 4 kB\n",
                &l) == 0 &&
           l.n == 1 && !l.v[0].has_pss_dirty && !l.v[0].has_pss_anon && l.v[0].pss_dirty == 0 &&
           l.v[0].rss == 4096,
       "without Pss_Dirty and Pss_Anon");
    OK(read_all("55d000-55e000 r-xp 00000000 08:01 5 /a\nPss_Dirty: 0 kB\nPss_Anon: 0 kB\n", &l) ==
               0 &&
           l.v[0].has_pss_dirty && l.v[0].has_pss_anon,
       "a zero is not the same as none");
}

static void long_paths(void)
{
    struct list l;
    char path[5000], all[6000];

    for (size_t i = 0; i < sizeof(path) - 1; i++)
        path[i] = i % 50 ? 'R' : '/';
    path[sizeof(path) - 1] = '\0';
    snprintf(all, sizeof(all),
             "1000-2000 r--p 00001000 08:02 9 %s\nRss: 4 kB\n2000-3000 rw-p 00000000 00:00 0 \n"
             "Rss: 8 kB\n",
             path);
    for (size_t piece = 1; piece < 600; piece += 133)
        OK(read_pieces(all, strlen(all), piece, &l) == 0 && l.n == 2 && l.v[0].inode == 9 &&
               l.v[0].from == 0x1000 && l.v[0].rss == 4096 && l.v[1].rss == 8192,
           "a path of 5000 bytes in pieces of %zu", piece);
    OK(read_all("1000-2000 r--p 00000000 08:02 9                          /tmp/a b (deleted)\n"
                "Rss: 4 kB\n",
                &l) == 0 &&
           l.n == 1 && l.v[0].inode == 9,
       "a path with blanks");
}

static void refused(const char *all, int n)
{
    struct list l;

    OK(read_all(all, &l) == -EBADMSG && l.n == n, "refused after %d: <%s>", n, shown(all));
}

static void bad_headers(void)
{
    refused("\n", 0);
    refused("x\n", 0);
    refused("1000 r--p 00000000 08:02 9\n", 0);
    refused("1000-2000\n", 0);
    refused("1000-2000 r--p\n", 0);
    refused("1000-2000 r--p 00000000\n", 0);
    refused("1000-2000 r--p 00000000 08\n", 0);
    refused("1000-2000 r--p 00000000 08:02\n", 0);
    refused("1000-2000 r--p 00000000 08:02 x\n", 0);
    refused("2000-1000 r--p 00000000 08:02 9\n", 0);
    refused("10000000000000000-20000000000000000 r--p 00000000 08:02 9\n", 0);
    refused("1000-2000 r--p 00000000 08:02 9 /a\nRss: 4 kB\nbad\nRss: 4 kB\n", 1);
    refused("1000-2000 r--p 00000000 08:02 9 /a\nRss: 4 kB\nPss: 4 k", 1);
}

static void values_without_a_header(void)
{
    struct list l;

    OK(read_all("Rss: 4 kB\n1000-2000 r--p 00000000 08:02 9 /a\nRss: x kB\nRssx: 4 kB\n", &l) ==
               0 &&
           l.n == 1 && l.v[0].rss == 0,
       "values of no mapping, no number or no known key are skipped");
    OK(read_all("", &l) == 0 && l.n == 0, "an empty file has no mappings");
}

static void files(void)
{
    struct fixture f;
    struct list l = { .n = 0 };
    char all[40000] = "";

    fixture_begin(&f);
    for (int i = 0; i < 600; i++)
        snprintf(all + strlen(all), sizeof(all) - strlen(all),
                 "%x000-%x800 rw-p 00000000 00:00 0 \nRss: %d kB\n", i + 1, i + 1, i);
    fixture_write(&f, "7/smaps", all);
    OK(gput__smaps_read(&f.root, "7/smaps", NULL, add, &l) == 0 && l.n == 600 &&
           l.v[7].rss == 7 * 1024,
       "a file longer than one read");
    OK(gput__smaps_read(&f.root, "8/smaps", NULL, add, &l) == -ENOENT, "none");
    fixture_write(&f, "9/smaps", "bad\n");
    OK(gput__smaps_read(&f.root, "9/smaps", NULL, add, &l) == -EBADMSG, "a bad one");
    fixture_end(&f);
}

int main(void)
{
    each_line_is_its_own();
    pieces_of_every_size();
    a_rollup();
    a_file_of_that_name();
    old_kernels();
    long_paths();
    bad_headers();
    values_without_a_header();
    files();
    return DONE();
}
