/* test_filemaps.c - pages of files counted once among many processes. */
#include "sample/memory/filemaps.h"

#include <stdlib.h>

#include "tap.h"

#define MB UINT64_C(1000000)
#define PAGE UINT64_C(4096)

enum { OTHER, MAIN };

/* A mapping whose pages everybody on the machine maps too: its share of them is next to nothing. */
static void add(struct gput__filemaps *f, uint64_t device, uint64_t inode, uint64_t from,
                uint64_t to, uint64_t rss, bool is_main)
{
    struct gput__vma v = { .device = device, .inode = inode, .from = from, .to = to };

    (void)gput__filemaps_add(f, &v, rss, 0, is_main);
}

static void sum_is(struct gput__filemaps *f, uint64_t all, uint64_t descendants, const char *what)
{
    uint64_t got_all = 1, got_descendants = 1;

    gput__filemaps_sum(f, &got_all, &got_descendants);
    OK(got_all == all && got_descendants == descendants, "%s: %llu and %llu", what,
       (unsigned long long)got_all, (unsigned long long)got_descendants);
    gput__filemaps_free(f);
}

static void identical_ranges(void)
{
    struct gput__filemaps f = { 0 };

    add(&f, 1, 7, 0, 10 * MB, 3 * MB, MAIN);
    add(&f, 1, 7, 0, 10 * MB, 5 * MB, OTHER);
    add(&f, 1, 7, 0, 10 * MB, 4 * MB, OTHER);
    sum_is(&f, 5 * MB, 5 * MB, "one range: the largest");
    add(&f, 1, 7, 0, 10 * MB, 9 * MB, MAIN);
    add(&f, 1, 7, 0, 10 * MB, 2 * MB, OTHER);
    sum_is(&f, 9 * MB, 2 * MB, "main's pages are not the descendants'");
    add(&f, 1, 7, 0, 10 * MB, 9 * MB, MAIN);
    sum_is(&f, 9 * MB, 0, "main alone");
}

static void different_files(void)
{
    struct gput__filemaps f = { 0 };

    add(&f, 1, 7, 0, 10 * MB, 3 * MB, OTHER);
    add(&f, 1, 8, 0, 10 * MB, 4 * MB, OTHER);
    add(&f, 2, 7, 0, 10 * MB, 5 * MB, MAIN);
    sum_is(&f, 12 * MB, 7 * MB, "another inode or device is another file");
}

static void disjoint_ranges(void)
{
    struct gput__filemaps f = { 0 };

    add(&f, 1, 7, 20 * MB, 30 * MB, 1 * MB, OTHER);
    add(&f, 1, 7, 0, 10 * MB, 2 * MB, OTHER);
    add(&f, 1, 7, 10 * MB, 20 * MB, 4 * MB, MAIN);
    sum_is(&f, 7 * MB, 3 * MB, "ranges that only touch are different pages");
}

static void overlapping_ranges(void)
{
    struct gput__filemaps f = { 0 };

    add(&f, 1, 7, 0, 10 * MB, 10 * MB, OTHER);
    add(&f, 1, 7, 5 * MB, 15 * MB, 10 * MB, OTHER);
    sum_is(&f, 15 * MB, 15 * MB, "two full ranges that overlap by half");
    add(&f, 1, 7, 0, 20 * MB, 10 * MB, OTHER);
    add(&f, 1, 7, 5 * MB, 10 * MB, 5 * MB, OTHER);
    sum_is(&f, 12 * MB + MB / 2, 12 * MB + MB / 2, "a full one within one that is half full");
    add(&f, 1, 7, 0, 20 * MB, 20 * MB, MAIN);
    add(&f, 1, 7, 5 * MB, 10 * MB, 4 * MB, OTHER);
    sum_is(&f, 20 * MB, 4 * MB, "one of a descendant's within one of main's");
    add(&f, 1, 7, 0, 4 * MB, 4 * MB, OTHER);
    add(&f, 1, 7, 2 * MB, 8 * MB, 3 * MB, MAIN);
    add(&f, 1, 7, 6 * MB, 10 * MB, 4 * MB, OTHER);
    sum_is(&f, 9 * MB, 8 * MB, "a chain of three");
    add(&f, 1, 7, 0, 10 * MB, 10 * MB, OTHER);
    add(&f, 1, 7, 0, 5 * MB, 5 * MB, OTHER);
    add(&f, 1, 8, 2 * MB, 4 * MB, 2 * MB, OTHER);
    sum_is(&f, 12 * MB, 12 * MB, "another file does not overlap");
}

static void nothing(void)
{
    struct gput__filemaps f = { 0 };

    sum_is(&f, 0, 0, "no mapping");
    add(&f, 1, 7, 5 * MB, 5 * MB, 5 * MB, OTHER);
    add(&f, 1, 7, 6 * MB, 5 * MB, 5 * MB, OTHER);
    add(&f, 1, 7, 5 * MB, 6 * MB, 0, OTHER);
    OK(f.n == 0, "empty ranges and ranges without pages take no room");
    sum_is(&f, 0, 0, "nor do they count");
    gput__filemaps_free(&f);
}

/* A loader maps a file page by page, in any order and in several processes: no page is lost when
 * the table grows, and none counts twice. */
static void many_mappings(unsigned n_processes)
{
    struct gput__filemaps f = { 0 };
    unsigned n = 3000;

    for (unsigned p = 0; p < n_processes; p++)
        for (unsigned i = 0; i < n; i++) {
            uint64_t page = (i * 7 + p) % n;

            add(&f, 1, 7, page * PAGE, (page + 1) * PAGE, PAGE, p == 0);
        }
    OK(f.n == n, "%u mappings of one file in %u processes are kept once", n, n_processes);
    sum_is(&f, n * PAGE, n_processes > 1 ? n * PAGE : 0, "and counted once");
}

/* Against the plain way: the largest share of each page, page by page, all mappings full. */
static void random_full_ranges(void)
{
    static unsigned char all[200], descendants[200];
    uint64_t want_all = 0, want_descendants = 0;
    struct gput__filemaps f = { 0 };
    unsigned seed = 7;

    for (int i = 0; i < 40; i++) {
        unsigned from, to;
        int who;

        seed = seed * 1664525u + 1013904223u;
        from = seed >> 8 & 127;
        to = from + 1 + (seed >> 16 & 31);
        who = seed >> 30 & 1 ? MAIN : OTHER;
        add(&f, 1, 7, from * PAGE, to * PAGE, (to - from) * PAGE, who);
        for (unsigned page = from; page < to; page++) {
            all[page] = 1;
            if (who == OTHER)
                descendants[page] = 1;
        }
    }
    for (unsigned page = 0; page < 200; page++) {
        want_all += all[page] * PAGE;
        want_descendants += descendants[page] * PAGE;
    }
    sum_is(&f, want_all, want_descendants, "random ranges, each full, are their union");
}

/* Nobody else maps these: the shares add up to the pages. */
static void slices(void)
{
    struct gput__vma v = { .device = 1, .inode = 7, .from = 0, .to = 80 * MB };
    struct gput__filemaps f = { 0 };

    for (int i = 0; i < 8; i++)
        (void)gput__filemaps_add(&f, &v, 10 * MB, 10 * MB, i == 0);
    sum_is(&f, 80 * MB, 70 * MB, "each of eight has its own part of one mapping");
    for (int i = 0; i < 8; i++)
        (void)gput__filemaps_add(&f, &v, 40 * MB, 5 * MB, i == 0);
    sum_is(&f, 40 * MB, 40 * MB, "all of them the same part");
    v.to = 40 * MB;
    (void)gput__filemaps_add(&f, &v, 10 * MB, 10 * MB, OTHER);
    v.from = 20 * MB;
    v.to = 60 * MB;
    (void)gput__filemaps_add(&f, &v, 10 * MB, 10 * MB, OTHER);
    sum_is(&f, 20 * MB, 20 * MB, "two that overlap have different pages");
}

/* The cost grows with the number of mappings, not with its square. */
static void many_that_overlap(void)
{
    struct gput__filemaps f = { 0 };
    uint64_t n = 60000;

    for (uint64_t i = 0; i < n; i++)
        add(&f, 1, 7, i * PAGE, (i + 1000) * PAGE, 1000 * PAGE, OTHER);
    sum_is(&f, (n + 999) * PAGE, (n + 999) * PAGE, "60,000 mappings, each over a thousand others");
}

int main(void)
{
    identical_ranges();
    different_files();
    disjoint_ranges();
    overlapping_ranges();
    nothing();
    many_mappings(1);
    many_mappings(3);
    random_full_ranges();
    slices();
    many_that_overlap();
    return DONE();
}
