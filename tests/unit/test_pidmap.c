/* test_pidmap.c - the map from pid to number, against a plain array. */
#include "base/pidmap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define MOST_PID 5000

static struct {
    bool there;
    uint32_t value;
} model[MOST_PID + 1];

/* A generator of its own: the same operations everywhere. */
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* How many pids the map and the model disagree on. */
static int differences(const struct gput__pidmap *m)
{
    uint32_t n = 0;
    int wrong = 0;

    for (pid_t pid = 1; pid <= MOST_PID; pid++) {
        const uint32_t *v = gput__pidmap_get(m, pid);

        n += model[pid].there;
        wrong += model[pid].there ? !v || *v != model[pid].value : v != NULL;
    }
    return wrong + (n != m->n);
}

/* Few pids close together make long runs; many make it grow. */
static void random_operations(pid_t most, pid_t step, unsigned drops_in_ten)
{
    struct gput__pidmap m = { 0 };
    uint32_t seed = 42;
    int wrong = 0;

    memset(model, 0, sizeof(model));
    for (int i = 0; i < 20000; i++) {
        pid_t pid = (pid_t)(1 + next_random(&seed) % (uint32_t)most) * step;
        uint32_t value = next_random(&seed);

        if (next_random(&seed) % 10 < drops_in_ten) {
            gput__pidmap_drop(&m, pid);
            model[pid].there = false;
        } else {
            wrong += gput__pidmap_set(&m, pid, value) != 0;
            model[pid].there = true;
            model[pid].value = value;
        }
        if (i % 250 == 0)
            wrong += differences(&m);
    }
    wrong += differences(&m);
    OK(wrong == 0 && m.n < m.cap, "20000 puts and drops of %d pids, %d apart", most, step);
    gput__pidmap_clear(&m);
    memset(model, 0, sizeof(model));
    OK(differences(&m) == 0 && m.cap > 0, "cleared: empty, and its room is kept");
    gput__pidmap_set(&m, 9, 1);
    model[9].there = true;
    model[9].value = 1;
    OK(differences(&m) == 0, "and usable");
    gput__pidmap_free(&m);
    OK(!m.slots && m.cap == 0 && !gput__pidmap_get(&m, 9), "freed: empty");
}

/* A run that goes over the end of the table: a drop must close the gap around the corner. */
static void drops_around_the_corner(void)
{
    int wrong = 0;

    for (pid_t first = 1; first <= 200; first++) {
        struct gput__pidmap m = { 0 };

        memset(model, 0, sizeof(model));
        for (pid_t k = 0; k < 12; k++) { /* the same home in a table of 64, and its neighbours */
            pid_t pid = first + (k % 4) * 64 + k / 4;

            gput__pidmap_set(&m, pid, (uint32_t)k);
            model[pid].there = true;
            model[pid].value = (uint32_t)k;
        }
        for (pid_t k = 0; k < 12; k += 2) {
            pid_t pid = first + (k % 4) * 64 + k / 4;

            gput__pidmap_drop(&m, pid);
            model[pid].there = false;
            wrong += differences(&m);
        }
        gput__pidmap_free(&m);
    }
    OK(wrong == 0, "drops from runs at every place of the table");
}

static void edges(void)
{
    struct gput__pidmap m = { 0 };

    OK(!gput__pidmap_get(&m, 1), "an empty map has nobody");
    gput__pidmap_drop(&m, 1);
    gput__pidmap_clear(&m);
    gput__pidmap_free(&m);
    gput__pidmap_set(&m, INT32_MAX, UINT32_MAX);
    gput__pidmap_set(&m, INT32_MAX, 0);
    OK(m.n == 1 && gput__pidmap_get(&m, INT32_MAX) && *gput__pidmap_get(&m, INT32_MAX) == 0,
       "a value is replaced");
    OK(!gput__pidmap_get(&m, 0) && !gput__pidmap_get(&m, -1), "no pid, no value");
    gput__pidmap_drop(&m, 0);
    gput__pidmap_drop(&m, -1);
    OK(m.n == 1, "nor anything to drop");
    *gput__pidmap_get(&m, INT32_MAX) = 5;
    OK(*gput__pidmap_get(&m, INT32_MAX) == 5, "a value can be set in place");
    gput__pidmap_free(&m);
}

int main(void)
{
    random_operations(40, 1, 5);
    random_operations(60, 64, 5);
    random_operations(4000, 1, 3);
    random_operations(5000, 1, 6);
    drops_around_the_corner();
    edges();
    return DONE();
}
