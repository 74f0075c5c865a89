/* test_thin.c - long series made short, and numbers packed: no peak is lost. */
#include "report/html/pack.h"
#include "report/html/thin.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tap.h"

enum { N = 100003, BUCKETS = 500 };

static double low[BUCKETS], high[BUCKETS], mean[BUCKETS];
static struct gput__thinned thinned = { low, high, mean };

static void peaks_stay(void)
{
    double *value = malloc(N * sizeof(*value)), sum = 0, back = 0;
    size_t places[] = { 0, 1, 777, N / 2, N - 2, N - 1 };
    bool seen = true;

    for (size_t k = 0; k < sizeof(places) / sizeof(*places); k++) {
        bool has_high = false, has_low = false;

        for (size_t i = 0; i < N; i++)
            value[i] = 10 + (double)(i % 7);
        value[places[k]] = 1000;
        value[(places[k] + N / 3) % N] = 1;
        gput__thin(value, N, BUCKETS, &thinned);
        for (size_t i = 0; i < BUCKETS; i++) {
            has_high |= high[i] == 1000;
            has_low |= low[i] == 1;
        }
        seen = seen && has_high && has_low;
    }
    OK(seen, "a single value stays the highest or the lowest, wherever it stands");
    for (size_t i = 0; i < N; i++)
        sum += value[i];
    for (size_t i = 0; i < BUCKETS; i++)
        back += mean[i] *
                (double)(gput__thin_start(N, BUCKETS, i + 1) - gput__thin_start(N, BUCKETS, i));
    OK(fabs(sum - back) < 1e-6 * sum, "means weigh as much as what they stand for");
    OK(gput__thin_start(N, BUCKETS, 0) == 0 && gput__thin_start(N, BUCKETS, BUCKETS) == N,
       "buckets cover all");
    free(value);
}

static void what_is_not_known(void)
{
    double value[] = { NAN, NAN, 3, NAN, NAN, 5, 1, NAN };

    gput__thin(value, 8, 4, &thinned);
    OK(isnan(low[0]) && isnan(high[0]) && isnan(mean[0]), "nothing known stays so");
    OK(low[1] == 3 && high[1] == 3 && mean[1] == 3, "one known of two is that one");
    OK(low[3] == 1 && high[3] == 1 && high[2] == 5, "on either side");
    gput__thin(value, 8, 8, &thinned);
    OK(high[5] == 5 && low[5] == 5 && isnan(mean[7]), "as many buckets as values: the values");
}

static void codes(void)
{
    double value[] = { NAN, 0, 1, 500.25, 1000, -3 };
    uint16_t code[6];
    double step = gput__pack_step(1000, 0, 4095);

    gput__pack_codes(value, 6, step, 4095, code);
    OK(code[0] == 0 && code[1] == 1 && code[4] == 4095 && code[5] == 1,
       "0 is not known, 1 is nothing, the last is the highest");
    OK((code[4] - 1) * step == 1000, "which is exact");
    OK(fabs((code[3] - 1) * step - 500.25) < 0.001 * 1000, "others are to a thousandth of it");
    OK(gput__pack_step(12, 1, 4095) == 1 && gput__pack_step(1e9, 1, 4095) > 1 &&
           gput__pack_step(0, 0, 4095) == 1,
       "whole numbers keep their step where it is fine enough");
}

static uint16_t word(const struct gput__buf *b, size_t i, size_t n)
{
    return (uint16_t)((unsigned char)b->data[i] | (unsigned char)b->data[n + i] << 8);
}

/* As the page's script does it. */
static bool come_back(const uint16_t *code, size_t n)
{
    struct gput__buf planes = { 0 };
    uint16_t before = 0;
    bool same = true;

    gput__pack_differences(&planes, code, n);
    for (size_t i = 0; i < n; i++) {
        uint16_t z = word(&planes, i, n);

        before = (uint16_t)(before + (z & 1 ? ~(z >> 1) : z >> 1));
        same = same && before == code[i];
    }
    gput__buf_free(&planes);
    return same;
}

static void planes(void)
{
    static const uint16_t code[] = { 1, 4095, 0, 65535, 65534, 0, 32768, 1, 32769, 32769 };
    static const uint16_t above[] = { 3, 65535, 40000 }, base[] = { 3, 1, 39000 };
    static const uint32_t rising[] = { 5, 5, 70000, 4294967295u };
    struct gput__buf out = { 0 };

    OK(come_back(code, 10), "differences give the codes back, also the largest");
    gput__pack_above(&out, above, base, 3);
    OK(out.len == 6 && word(&out, 0, 3) == 0 && word(&out, 1, 3) == 65534 &&
           word(&out, 2, 3) == 1000,
       "codes are told as what they are above others, in two planes");
    gput__buf_clear(&out);
    gput__pack_rising(&out, rising, 4);
    OK(out.len == 16 && out.data[0] == 5 && out.data[1] == 0 &&
           (unsigned char)out.data[2] == ((70000 - 5) & 0xFF),
       "rising numbers are told as their differences, in four planes");
    gput__buf_free(&out);
}

static void texts(void)
{
    struct gput__buf out = { 0 }, in = { 0 };
    unsigned char back[4000];
    uLongf n = sizeof(back);

    gput__pack_base64(&out, "Man", 3);
    gput__pack_base64(&out, "Ma", 2);
    gput__pack_base64(&out, "\xff", 1);
    gput__pack_base64(&out, "", 0);
    OK(!strcmp(gput__buf_text(&out), "TWFuTWE=/w=="), "base64");
    gput__buf_clear(&out);
    for (int i = 0; i < 1000; i++)
        gput__buf_puts(&in, "abc");
    OK(gput__pack_deflate(&in, &out) == 0 && out.len < 200, "what repeats gets small");
    OK(uncompress(back, &n, (const unsigned char *)out.data, out.len) == Z_OK && n == in.len &&
           !memcmp(back, in.data, n),
       "and comes back");
    gput__buf_free(&in);
    gput__buf_free(&out);
}

int main(void)
{
    peaks_stay();
    what_is_not_known();
    codes();
    planes();
    texts();
    return DONE();
}
