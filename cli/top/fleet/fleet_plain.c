/* fleet_plain.c - `top --plain DIR`: a page of text every few seconds. */
#include "top/fleet/fleet_plain.h"

#include "output/exit_codes.h"
#include "output/say.h"
#include "top/fleet/cells.h"
#include "top/fleet/fleet_head.h"
#include "top/fleet/ranks.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { MOST_OF_A_KIND = 4, MOST_RANKS = 200 };

struct page {
    const struct top_pages *pages;
    const struct top_fleet *fleet;
    bool is_all;
};

static bool has_gpus(const struct gput_fleet_job *job)
{
    return job->gpu_seconds_held > 0;
}

/* The cells of a line, or the heads above them; a reader hears no blanks at its end. */
static void print_line(const struct top_cells *cells, const struct gput_fleet_rank *ranks, int n,
                       FILE *out)
{
    char text[TOP_CELL_SIZE];

    for (int i = 0; i < n; i++) {
        size_t len;

        if (ranks)
            top_cell_write(cells, &ranks[i], text);
        else
            top_cell_head(cells, text);
        len = strlen(text);
        while (i == n - 1 && len && text[len - 1] == ' ')
            len--;
        fprintf(out, "%*s%.*s", i ? TOP_CELL_GAP : 0, "", (int)len, text);
    }
    fprintf(out, "\n");
}

static void print_grid(const struct gput_fleet_job *job, int width, FILE *out)
{
    struct top_cells cells = { .has_gpu = has_gpus(job) };
    int across = top_cells_across(&cells, width);
    int n = job->n_ranks < MOST_RANKS ? job->n_ranks : MOST_RANKS;

    print_line(&cells, NULL, across < n ? across : n, out);
    for (int i = 0; i < n; i += across)
        print_line(&cells, &job->ranks[i], n - i < across ? n - i : across, out);
    if (job->n_ranks > n)
        fprintf(out, "%d further ranks\n", job->n_ranks - n);
}

static void print_job(const struct page *p, const struct gput_fleet_job *job, FILE *out)
{
    struct top_head head;

    top_fleet_head_write(p->fleet, job, MOST_OF_A_KIND, &head);
    for (int i = 0; i < head.n; i++)
        fprintf(out, "%s\n", head.lines[i].text);
    print_grid(job, p->pages->width, out);
    fprintf(out, "\n");
}

static void print(const void *what, FILE *out)
{
    const struct page *p = what;
    int n = p->is_all || p->fleet->n == 0 ? p->fleet->n : 1;

    if (p->fleet->why[0])
        fprintf(out, "%s\n\n", p->fleet->why);
    for (int i = 0; i < n; i++)
        print_job(p, &p->fleet->jobs[i], out);
}

static bool is_over(const struct page *p)
{
    int n = p->is_all || p->fleet->n == 0 ? p->fleet->n : 1;

    for (int i = 0; i < n; i++)
        if (!top_fleet_is_over(&p->fleet->jobs[i]))
            return false;
    return n > 0;
}

int top_fleet_plain(const struct top_pages *p, struct top_fleet *fleet, bool is_all)
{
    struct page page = { p, fleet, is_all };
    struct timespec next;
    int r = 0;

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int i = 0; r == 0 && (!p->count || i < p->count) && !is_over(&page); i++) {
        if (i)
            top_page_wait(&next, p->interval);
        top_fleet_read(fleet);
        r = top_page_write(print, &page);
        if (i == 0 && fleet->n > 1 && !is_all)
            say_bare("%d other job%s in %s: --all", fleet->n - 1, fleet->n > 2 ? "s" : "",
                     fleet->folder);
    }
    if (r < 0 && r != -EPIPE)
        say("top: %s: %s", fleet->folder, strerror(-r));
    return r == 0 && fleet->n > 0 ? 0 : EXIT_FAILED;
}
