/* plain.c - `top --plain`: a page of text every few seconds, for screen readers, logs and pipes. */
#include "top/plain.h"

#include "output/exit_codes.h"
#include "output/say.h"
#include "top/head.h"
#include "top/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct page {
    const struct top_pages *pages;
    const struct top_model *model;
    const char *command;
};

static void print(const void *what, FILE *out)
{
    const struct page *p = what;
    const struct top_model *m = p->model;
    struct top_columns columns = { .width = p->pages->width, .has_gpu = m->view.live.n_gpus > 0 };
    char row[TOP_ROW_SIZE];
    struct top_head head;

    top_head_write(m, p->command, &head);
    for (int i = 0; i < head.n; i++)
        fprintf(out, "%s\n", head.lines[i].text);
    top_table_head(&columns, row);
    fprintf(out, "%s\n", row);
    for (int i = 0; i < m->n; i++) {
        top_table_process(&columns, &m->processes[i], false, row);
        fprintf(out, "%s\n", row);
    }
    if (m->view.n_left_out)
        fprintf(out, "%d further processes\n", m->view.n_left_out);
    if (top_table_exited(&columns, m, row))
        fprintf(out, "%s\n", row);
    fprintf(out, "\n");
}

/* 1: it goes on. */
static int show(const struct top_pages *p, struct top_source *s, struct top_model *m)
{
    struct gput_view view = { .size = sizeof(view) };
    int r = top_source_first(s, &view);

    if (r == 0)
        r = top_model_update(m, &view);
    if (r == 0)
        r = top_page_write(print, &(struct page){ p, m, s->command });
    if (r < 0)
        return r;
    return view.state == GPUT_VIEW_RUNNING;
}

static int say_failure(const struct top_source *s, int r)
{
    if (r == -ESRCH)
        say("top: %s has ended", s->command);
    else if (r == -EPROTO)
        say("top: the tracker %d is of another version of gpu-tracker than this program",
            s->run.tracker);
    else if (r == -EAGAIN)
        say("top: the tracker %d shows nothing; does it run?", s->run.tracker);
    else if (r != -EPIPE)
        say("top: %s: %s", s->command, strerror(-r));
    return r == -ESRCH ? 0 : EXIT_FAILED;
}

int top_plain(const struct top_pages *p, struct top_source *sources, int n)
{
    struct top_model *models = calloc((size_t)n, sizeof(*models));
    int status = models ? 0 : EXIT_FAILED, n_left = n;
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int page = 0; models && n_left > 0 && (!p->count || page < p->count); page++) {
        if (page)
            top_page_wait(&next, p->interval);
        for (int i = 0; i < n; i++) {
            int r = sources[i].viewer ? show(p, &sources[i], &models[i]) : 1;

            if (r < 0)
                status = say_failure(&sources[i], r);
            if (r == 1)
                continue;
            top_source_close(&sources[i]);
            n_left--;
        }
    }
    for (int i = 0; models && i < n; i++)
        top_model_free(&models[i]);
    free(models);
    return status;
}
