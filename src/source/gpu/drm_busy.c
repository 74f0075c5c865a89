/* drm_busy.c - how busy DRM clients kept the engines of one device, from counters at polls. */
#include "source/gpu/drm_busy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

struct counter {
    char name[GPUT__DRM_NAME];
    uint64_t count; /* the most ever seen: drivers may step back */
};

struct gput__drm_busy_client {
    uint64_t id;
    bool is_seen; /* in this poll */
    unsigned n;
    struct counter counters[GPUT__DRM_ENGINES];
};

void gput__drm_busy_free(struct gput__drm_busy *b)
{
    free(b->clients);
    *b = GPUT__DRM_BUSY_INIT;
}

void gput__drm_busy_begin(struct gput__drm_busy *b)
{
    for (size_t i = 0; i < b->n; i++)
        b->clients[i].is_seen = false;
    for (unsigned i = 0; i < b->n_classes; i++)
        b->classes[i].is_seen = false;
}

static struct gput__drm_busy_client *client_of(struct gput__drm_busy *b, uint64_t id)
{
    struct gput__drm_busy_client *c;

    for (size_t i = 0; i < b->n; i++)
        if (b->clients[i].id == id)
            return &b->clients[i];
    if (GPUT__GROW(b->clients, b->cap, b->n + 1) < 0)
        return NULL;
    c = &b->clients[b->n++];
    *c = (struct gput__drm_busy_client){ .id = id };
    return c;
}

static struct counter *counter_of(struct gput__drm_busy_client *c, const char *name)
{
    struct counter *k;

    for (unsigned i = 0; i < c->n; i++)
        if (!strcmp(c->counters[i].name, name))
            return &c->counters[i];
    if (c->n == GPUT__DRM_ENGINES)
        return NULL;
    k = &c->counters[c->n++];
    *k = (struct counter){ 0 };
    strcpy(k->name, name);
    return k;
}

static struct gput__drm_busy_class *class_of(struct gput__drm_busy *b,
                                             const struct gput__drm_engine *e)
{
    struct gput__drm_busy_class *x;

    for (unsigned i = 0; i < b->n_classes; i++)
        if (!strcmp(b->classes[i].name, e->name))
            return &b->classes[i];
    if (b->n_classes == GPUT__DRM_ENGINES)
        return NULL;
    x = &b->classes[b->n_classes++];
    *x = (struct gput__drm_busy_class){
        .capacity = 1,
        .in_cycles = !e->has_ns,
        .is_fresh = !e->has_ns,
        .clock = e->total_cycles,
        .clock_at_poll = e->total_cycles,
        .clock_at_report = e->total_cycles,
    };
    strcpy(x->name, e->name);
    return x;
}

/* No client is busy for longer than the time since the last poll: bounds what a client that came
 * with a history (an inherited descriptor, a process that joined late) adds. */
static uint64_t bounded(uint64_t more, uint64_t elapsed, unsigned capacity)
{
    uint64_t most;

    return !__builtin_mul_overflow(elapsed, capacity, &most) && more > most ? most : more;
}

static void count_engine(struct gput__drm_busy *b, struct gput__drm_busy_client *c,
                         const struct gput__drm_engine *e, int64_t now_ns)
{
    struct gput__drm_busy_class *x = class_of(b, e);
    struct counter *k = counter_of(c, e->name);
    uint64_t count, elapsed;

    if (!x || !k)
        return;
    x->is_seen = true;
    if (x->capacity < e->capacity)
        x->capacity = e->capacity;
    if (x->in_cycles) {
        if (x->clock < e->total_cycles)
            x->clock = e->total_cycles;
        count = e->cycles;
        elapsed = x->clock - x->clock_at_poll;
    } else {
        count = e->ns;
        elapsed = now_ns > b->polled_ns ? (uint64_t)(now_ns - b->polled_ns) : 0;
    }
    if (count <= k->count)
        return;
    if (b->polled_ns)
        x->busy += bounded(count - k->count, elapsed, x->capacity);
    k->count = count;
}

int gput__drm_busy_add(struct gput__drm_busy *b, const struct gput__drm_client *client,
                       int64_t now_ns)
{
    struct gput__drm_busy_client *c = client_of(b, client->id);

    if (!c)
        return -ENOMEM;
    c->is_seen = true;
    for (unsigned i = 0; i < client->n_engines; i++) {
        const struct gput__drm_engine *e = &client->engines[i];

        if (e->has_ns || (e->has_cycles && e->has_total_cycles))
            count_engine(b, c, e, now_ns);
    }
    return 0;
}

/* The engine's clock is only seen through clients: while there are none, or the device sleeps, it
 * is taken to run on as it did. */
static void advance(struct gput__drm_busy_class *x, int64_t elapsed_ns)
{
    if (x->is_seen && x->clock > x->clock_at_poll)
        x->cycles_per_ns = (double)(x->clock - x->clock_at_poll) / (double)elapsed_ns;
    else if (!x->is_seen)
        x->clock += (uint64_t)(x->cycles_per_ns * (double)elapsed_ns);
}

void gput__drm_busy_end(struct gput__drm_busy *b, int64_t now_ns)
{
    size_t kept = 0;

    for (size_t i = 0; i < b->n; i++)
        if (b->clients[i].is_seen)
            b->clients[kept++] = b->clients[i];
    b->n = kept;
    for (unsigned i = 0; i < b->n_classes; i++) {
        if (b->polled_ns && now_ns > b->polled_ns)
            advance(&b->classes[i], now_ns - b->polled_ns);
        b->classes[i].clock_at_poll = b->classes[i].clock;
    }
    if (!b->reported_ns)
        b->reported_ns = now_ns;
    b->polled_ns = now_ns;
}

/* False: not known yet. */
static bool percent_of(const struct gput__drm_busy_class *x, int64_t elapsed_ns, double *ret)
{
    double elapsed = x->in_cycles ? (double)(x->clock - x->clock_at_report) : (double)elapsed_ns;
    double percent;

    if (elapsed <= 0) {
        *ret = 0;
        return !x->is_fresh;
    }
    percent = 100 * (double)x->busy / elapsed / x->capacity;
    *ret = percent < 100 ? percent : 100;
    return true;
}

bool gput__drm_busy_percent(struct gput__drm_busy *b, double *ret_percent)
{
    double most = 0;
    bool can_tell = b->n_classes == 0;

    if (b->polled_ns <= b->reported_ns)
        return false;
    for (unsigned i = 0; i < b->n_classes; i++) {
        struct gput__drm_busy_class *x = &b->classes[i];
        double percent;

        can_tell |= percent_of(x, b->polled_ns - b->reported_ns, &percent);
        most = percent > most ? percent : most;
        x->percent = percent;
        x->busy = 0;
        x->clock_at_report = x->clock;
        x->is_fresh = false;
    }
    b->reported_ns = b->polled_ns;
    if (can_tell)
        *ret_percent = most;
    return can_tell;
}

double gput__drm_busy_of(const struct gput__drm_busy *b, const char *const *names)
{
    double most = -1;

    for (; *names; names++)
        for (unsigned i = 0; i < b->n_classes; i++)
            if (!strcmp(b->classes[i].name, *names) && b->classes[i].percent > most)
                most = b->classes[i].percent;
    return most;
}
