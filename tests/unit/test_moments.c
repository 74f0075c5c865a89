/* test_moments.c - minimum, maximum, mean and standard deviation. */
#include "analysis/moments.h"

#include <math.h>

#include "base/names.h"
#include "tap.h"

static int near(double a, double b)
{
    return fabs(a - b) <= 1e-14 * fabs(b);
}

static void plain_numbers(void)
{
    const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
    struct gput__moments m = { 0 };
    struct gput_stats s = gput__moments_stats(&m);

    OK(isnan(s.min) && isnan(s.max) && isnan(s.mean) && isnan(s.std) && s.total == 0, "nothing");
    gput__moments_add(&m, values, 8);
    s = gput__moments_stats(&m);
    OK(s.min == 2 && s.max == 9 && s.mean == 5 && s.std == 2 && s.total == 40, "the textbook's");
    m = (struct gput__moments){ 0 };
    for (int i = 0; i < 8; i++)
        gput__moments_add(&m, &values[i], 1);
    s = gput__moments_stats(&m);
    OK(s.mean == 5 && near(s.std, 2) && s.total == 40, "one by one");
}

static void equal_numbers(void)
{
    struct gput__moments m = { 0 };
    struct gput_stats s;
    double value = 0.1;

    for (int i = 0; i < 1000; i++)
        gput__moments_add(&m, &value, 1);
    s = gput__moments_stats(&m);
    OK(s.mean == 0.1 && s.std == 0 && s.min == 0.1 && s.max == 0.1, "equal ones do not vary");
}

/* Bytes of a large process that vary by a few: the squares of the values have 26 digits. */
static void large_numbers(void)
{
    struct gput__moments m = { .origin = 4e12 }, part = { .origin = 4e12 };
    struct gput_stats s;

    for (int i = 0; i < 10000; i++) {
        double value = 4e12 + i % 2;

        gput__moments_add(i < 3000 ? &m : &part, &value, 1);
    }
    gput__moments_merge(&m, &part);
    s = gput__moments_stats(&m);
    OK(s.mean == 4e12 + 0.5 && near(s.std, 0.5), "large numbers that vary little: %.17g", s.std);
    OK(m.n == 10000 && s.min == 4e12 && s.max == 4e12 + 1, "merged");
    part = (struct gput__moments){ 0 };
    gput__moments_merge(&m, &part);
    OK(m.n == 10000, "with nothing: as before");
}

static void names(void)
{
    struct gput__names list = { 0 };
    char text[16];
    uint32_t id = 0;
    int n_right = 0;

    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 10000; i++) {
            size_t len = (size_t)snprintf(text, sizeof(text), "%u", i * 7919);

            n_right += gput__names_add(&list, text, len, &id) == 0 && id == i;
        }
    }
    OK(n_right == 20000 && list.n == 10000, "names are kept once and numbered as they come");
    OK(gput__names_add(&list, "a\0b", 3, &id) == 0 && id == 10000 &&
           gput__names_add(&list, "a", 1, &id) == 0 && id == 10001,
       "by length, not by NUL");
    gput__names_free(&list);
    gput__names_free(&list);
}

int main(void)
{
    plain_numbers();
    equal_numbers();
    large_numbers();
    names();
    return DONE();
}
