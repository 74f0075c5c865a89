/* test_gpu_busy.c - steps of several GPUs added up over time, against sums by hand. */
#include "sample/gpu/gpu_busy.h"

#include "tap.h"

#define START INT64_C(1000000)

static struct gput__gpu_busy begun(unsigned n)
{
    struct gput__gpu_busy b;

    gput__gpu_busy_open(&b, n, START);
    for (unsigned i = 0; i < n; i++)
        b.lanes[i].counts = true;
    return b;
}

static void one_gpu(void)
{
    struct gput__gpu_busy b = begun(1);

    gput__gpu_busy_add(&b, 0, START - 5, 77); /* before the run: no matter */
    gput__gpu_busy_add(&b, 0, START + 100, 50);
    gput__gpu_busy_add(&b, 0, START + 300, 20);
    gput__gpu_busy_add(&b, 0, START + 300, 99); /* told twice */
    gput__gpu_busy_finish(&b, START + 400);
    /* 100 x 50, 200 x 20, and 100 held at 20 */
    OK(gput__gpu_busy_mean(&b) == (5000 + 4000 + 2000) / 400.0, "weighted by time: %g",
       gput__gpu_busy_mean(&b));
    OK(b.max == 50, "the largest step");
    gput__gpu_busy_close(&b);
}

static void two_gpus_at_different_moments(void)
{
    struct gput__gpu_busy b = begun(2);

    gput__gpu_busy_add(&b, 0, START + 100, 100);
    gput__gpu_busy_add(&b, 0, START + 200, 0);
    gput__gpu_busy_add(&b, 1, START + 150, 60);
    gput__gpu_busy_sweep(&b);
    OK(b.swept_us == START + 150, "only as far as both have told");
    gput__gpu_busy_add(&b, 1, START + 200, 10);
    gput__gpu_busy_finish(&b, START + 200);
    /* 100 x 160, 50 x 60, 50 x 10 */
    OK(b.max == 160 && gput__gpu_busy_mean(&b) == (16000 + 3000 + 500) / 200.0, "sums: max %g",
       b.max);
    OK(gput__gpu_lane_mean(&b, 0) == 50 && b.lanes[0].max == 100, "the first alone");
    OK(gput__gpu_lane_mean(&b, 1) == 60 * 0.75 + 10 * 0.25, "the second alone");
    gput__gpu_busy_close(&b);
}

static void only_the_chosen_count(void)
{
    struct gput__gpu_busy b = begun(2);

    b.lanes[1].counts = false;
    gput__gpu_busy_add(&b, 0, START + 100, 30);
    gput__gpu_busy_add(&b, 1, START + 100, 90);
    gput__gpu_busy_finish(&b, START + 100);
    OK(b.max == 30 && gput__gpu_busy_mean(&b) == 30, "the other is not in the sum");
    OK(b.lanes[1].max == 90, "but known by itself");
    gput__gpu_busy_close(&b);
}

static void a_long_run_takes_no_room(void)
{
    struct gput__gpu_busy b = begun(1);
    size_t most = 0;

    for (int64_t i = 1; i <= 100000; i++) {
        gput__gpu_busy_add(&b, 0, START + i * 200, i % 2 ? 100 : 0);
        if (i % 40 == 0)
            gput__gpu_busy_sweep(&b);
        most = b.lanes[0].n > most ? b.lanes[0].n : most;
    }
    gput__gpu_busy_finish(&b, START + 100000 * 200);
    OK(gput__gpu_busy_mean(&b) == 50 && most <= 64, "half of the time, %zu steps at most", most);
    gput__gpu_busy_close(&b);
}

static void a_silent_gpu_holds_nobody_up(void)
{
    struct gput__gpu_busy b = begun(2);
    size_t most = 0;

    gput__gpu_busy_add(&b, 1, START + 200000, 80); /* and then it is lost */
    for (int64_t i = 1; i <= 50000; i++) {
        gput__gpu_busy_add(&b, 0, START + i * 200000, i % 2 ? 100 : 0);
        if (i % 40 == 0)
            gput__gpu_busy_sweep(&b);
        most = b.lanes[0].n > most ? b.lanes[0].n : most;
    }
    gput__gpu_busy_finish(&b, START + INT64_C(50000) * 200000);
    OK(b.lanes[0].integral > 0 && most <= 256, "%zu steps at most", most);
    gput__gpu_busy_close(&b);
}

static void nothing(void)
{
    struct gput__gpu_busy b = begun(1), none;

    gput__gpu_busy_finish(&b, START + 100);
    OK(b.max == 0 && gput__gpu_busy_mean(&b) == 0, "nobody told anything");
    gput__gpu_busy_close(&b);
    gput__gpu_busy_open(&none, 0, START);
    gput__gpu_busy_sweep(&none);
    gput__gpu_busy_finish(&none, START + 100);
    OK(gput__gpu_busy_mean(&none) == 0, "no GPU at all");
    gput__gpu_busy_close(&none);
}

int main(void)
{
    one_gpu();
    two_gpus_at_different_moments();
    only_the_chosen_count();
    a_long_run_takes_no_room();
    a_silent_gpu_holds_nobody_up();
    nothing();
    return DONE();
}
