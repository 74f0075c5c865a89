/* plain.c - `top --plain`: a page of text every few seconds, for screen readers, logs and pipes. */
#include "top/plain.h"

#include "output/exit_codes.h"
#include "output/say.h"
#include "output/write.h"
#include "top/head.h"
#include "top/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void print(const struct top_plain *p, const struct top_model *m, const char *command,
                  FILE *out)
{
    struct top_columns columns = { .width = p->width, .has_gpu = m->view.live.n_gpus > 0 };
    char row[TOP_ROW_SIZE];
    struct top_head head;

    top_head_write(m, command, &head);
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

/* In one write: whoever reads along gets whole pages. */
static int write_page(const struct top_plain *p, const struct top_model *m, const char *command)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    int r = 0;

    if (!out)
        return -ENOMEM;
    print(p, m, command, out);
    if (fclose(out) != 0)
        r = -ENOMEM;
    if (r == 0)
        r = write_all(STDOUT_FILENO, text, len);
    free(text);
    return r;
}

/* 1: it goes on. */
static int show(const struct top_plain *p, struct top_source *s, struct top_model *m)
{
    struct gput_view view = { .size = sizeof(view) };
    int r = top_source_first(s, &view);

    if (r == 0)
        r = top_model_update(m, &view);
    if (r == 0)
        r = write_page(p, m, s->command);
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

/* A page that is late is not followed by others at once. */
static void wait_until(struct timespec *next, double interval)
{
    double whole = floor(interval);
    struct timespec now;

    next->tv_sec += (time_t)whole;
    next->tv_nsec += (long)((interval - whole) * 1e9);
    if (next->tv_nsec >= 1000000000) {
        next->tv_sec++;
        next->tv_nsec -= 1000000000;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > next->tv_sec)
        *next = now;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL) == EINTR)
        ;
}

int top_plain(const struct top_plain *p, struct top_source *sources, int n)
{
    struct top_model *models = calloc((size_t)n, sizeof(*models));
    int status = models ? 0 : EXIT_FAILED, n_left = n;
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int page = 0; models && n_left > 0 && (!p->count || page < p->count); page++) {
        if (page)
            wait_until(&next, p->interval);
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
