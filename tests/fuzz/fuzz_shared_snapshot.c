/* fuzz_shared_snapshot.c - the memory that a helper shares with whom it works for, whatever stands in it.
 *
 * A good shared snapshot is made, and pieces of the input are laid over it: which part of it (a byte), how far
 * into that (two), how many bytes (one), then these. */
#include <unistd.h>

#include "api/inside/helper.h"
#include "api/inside/rows_copy.h"
#include "fuzz.h"
#include "model/stream.h"
#include "text.h"

#define CAP 64

struct scene {
    struct gput_tracker tracker;
    struct gput__client client;
    int fd;
};

static void begin(struct scene *s)
{
    struct gput_gpu gpu = { .name = "a GPU", .uuid = "GPU-1" };
    struct gput_usage u = { .size = sizeof(u),
                            .ram_unit = "gigabytes",
                            .gpu_ram_unit = "bytes",
                            .time_unit = "hours",
                            .gpu = { .gpus = &gpu, .n_gpus = 1 } };
    struct gput__sample before = { .boot_ns = 0 }, after = { .boot_ns = 1000000000 };
    struct gput_now now = { .elapsed = 1 };
    struct gput__series_plan plan = { .n_gpus = 1, .cap = CAP };
    struct gput__client *c = &s->client;

    gput__metric_set_add(&plan.metrics, GPUT__JOB_PSS);
    gput__metric_set_add(&plan.metrics, GPUT__JOB_DISK_WRITE);
    *s = (struct scene){ .client = { .owner = getpid(), .socket = -1, .pidfd = -1 } };
    s->tracker.client = c;
    fuzz_must(gput__shared_create(gput__series_size(&plan), &c->shared, &s->fd) == 0);
    c->shared_size = gput__shared_size(gput__series_size(&plan));
    c->series = gput__shared_series(c->shared, c->shared_size, &c->series_size);
    gput__series_begin(c->series, &plan);
    gput__series_add(c->series, &before, &after, NULL);
    gput__shared_show(c->shared, &u, &now);
}

static void end(struct scene *s)
{
    close(s->fd);
    gput__rows_copy_drop(s->client.rows);
    gput__shared_unmap(s->client.shared, s->client.shared_size);
    free(s->client.slot);
}

/* The part of a shared snapshot that a byte stands for; NULL: none. */
static char *part(struct scene *s, uint8_t which, size_t *ret_size)
{
    struct gput__shared *b = s->client.shared;
    struct gput__shared_slot *slot = &b->slots[1]; /* the one that is shown */

    switch (which % 8) {
    case 0:
        *ret_size = sizeof(slot->usage);
        return (char *)&slot->usage;
    case 1:
        *ret_size = sizeof(slot->now);
        return (char *)&slot->now;
    case 2:
        *ret_size = 2 * sizeof(*slot->gpus);
        return (char *)slot->gpus;
    case 3:
        *ret_size = 2 * sizeof(*slot->processes);
        return (char *)slot->processes;
    case 4:
        *ret_size = 256;
        return (char *)&slot->text_used;
    case 5:
        *ret_size = offsetof(struct gput__shared, discovery) + 64 - 8;
        return (char *)b + 8; /* its size is the first of it, and each side's own */
    default:
        *ret_size = sizeof(*s->client.series) + CAP * sizeof(double);
        return (char *)s->client.series;
    }
}

static void lay_over(struct scene *s, const uint8_t *data, size_t size)
{
    while (size > 4) {
        size_t room, at = data[1] | (size_t)data[2] << 8, n = data[3];
        char *to = part(s, data[0], &room);

        data += 4;
        size -= 4;
        n = n < size ? n : size;
        at %= room;
        memcpy(to + at, data, n < room - at ? n : room - at);
        data += n;
        size -= n;
    }
}

/* What is made of it is text that others can read. */
static void read_figures(const struct scene *s)
{
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_now now;
    char *text = NULL;

    gput_tracker_now(&s->tracker, &now);
    if (gput_tracker_usage(&s->tracker, &u) < 0)
        return;
    fuzz_must(gput_usage_format(&u, GPUT_TEXT, 1, &text) == 0);
    free(text);
    fuzz_must(gput_usage_format(&u, GPUT_JSON, 1, &text) == 0);
    free(text);
    if (gput_tracker_discovered(&s->tracker, &text) == 0)
        free(text);
}

static void read_rows(struct scene *s)
{
    struct gput_column_stats stats[GPUT__STREAM_MOST_COLUMNS];
    double values[CAP];
    struct gput_rows *rows;

    for (enum gput_stream which = GPUT_STREAM_SYSTEM; which <= GPUT_STREAM_PROCESS; which++) {
        (void)gput_stream_stats(&s->tracker, which, GPUT_COLUMNS_KIB, stats, NULL);
        if (gput_rows_read(&s->tracker, which, &rows) < 0)
            continue;
        for (unsigned i = 0; gput_rows_count(rows) <= CAP && i < GPUT__STREAM_MOST_COLUMNS; i++)
            (void)gput_rows_values(rows, GPUT_COLUMNS_KIB, i, 0, gput_rows_count(rows), values);
        gput_rows_close(rows);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scene s;

    begin(&s);
    lay_over(&s, data, size);
    read_figures(&s);
    if (!(s.client.series->epoch & 1)) /* it would wait for the end of thinning */
        read_rows(&s);
    end(&s);
    return 0;
}
