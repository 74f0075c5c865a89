/* test_atod.c - decimal text as the nearest double. */
#include "base/text/atod.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/dtoa.h"
#include "tap.h"

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* All of the text is taken, and it means what the C library says. */
static bool reads(const char *text)
{
    double got = 77;
    const char *end = gput__atod(text, &got);

    if (end == text + strlen(text) && is_same(got, strtod(text, NULL)))
        return true;
    printf("# %s: %.17g instead of %.17g\n", text, got, strtod(text, NULL));
    return false;
}

static void texts(void)
{
    static const char *const good[] = {
        "0",
        "-0",
        "0.0",
        "-0.0",
        "+1",
        "1.",
        ".5",
        "-.5",
        "1e5",
        "1E5",
        "1e+16",
        "1e-05",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0",
        "1700000000.1234567",
        "1700000000.12345678",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999",
        "99999999999999999999",
        "0.1",
        "0.30000000000000004",
        "4582.764544000001",
        "0.000000000000000000000000000001",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
        "123456789012345678e-19",
        "123456789012345678e-20",
        "1e308",
        "1e309",
        "-1e309",
        "5e-324",
        "2e-324",
        "1e99999999999",
        "1e-99999999999",
        "0000000000000000000000001.5",
        "0.00000000000000000000123456789012345678901234567890",
        "2.2250738585072014e-308",
    };
    int n = 0;

    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        n += reads(good[i]);
    OK(n == sizeof(good) / sizeof(*good), "%d texts read as the C library reads them", n);
}

static void refusals(void)
{
    static const char *const bad[] = { "",  "-",  "+",   ".",   "-.",  "e5",
                                       "x", " 1", "nan", "inf", "--1", "+-1" };
    static const struct {
        const char *text, *rest;
    } parts[] = { { "1,2", ",2" }, { "1e", "e" },     { "1e+", "e+" },    { "1.5.5", ".5" },
                  { "1 ", " " },   { "0x10", "x10" }, { "1_000", "_000" } };
    double value = 77;
    int n = 0;

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        n += gput__atod(bad[i], &value) == NULL;
    OK(n == sizeof(bad) / sizeof(*bad) && is_same(value, 77), "no number: refused, ret left alone");
    n = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        const char *end = gput__atod(parts[i].text, &value);

        n += end && strcmp(end, parts[i].rest) == 0;
    }
    OK(n == sizeof(parts) / sizeof(*parts), "what follows a number is told");
}

static uint64_t next_random(uint64_t *state) /* xorshift64 */
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void many(void)
{
    uint64_t state = 88172645463325252u;
    int n_digits = 0, n_round = 0, n = 200000;
    char text[64];

    for (int i = 0; i < n; i++) {
        uint64_t digits = next_random(&state) >> (next_random(&state) % 60);
        int after = (int)(next_random(&state) % 22);

        snprintf(text, sizeof(text), "%llu%s%0*llu", (unsigned long long)digits, after ? "." : "",
                 after ? after : 1, after ? 7ull : 7ull);
        n_digits += reads(text);
        snprintf(text, sizeof(text), "%llue%d", (unsigned long long)digits,
                 (int)(next_random(&state) % 60) - 40);
        n_digits += reads(text);
    }
    OK(n_digits == 2 * n, "%d random texts", n_digits);
    for (int i = 0; i < n; i++) {
        uint64_t bits = next_random(&state);
        double value, back = 0;

        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value)) {
            n_round++;
            continue;
        }
        gput__dtoa(value, text);
        n_round += gput__atod(text, &back) && is_same(value, back);
    }
    OK(n_round == n, "%d doubles, there and back", n_round);
}

int main(void)
{
    texts();
    refusals();
    many();
    if (setlocale(LC_ALL, "de_DE.UTF-8")) {
        double value = 0;

        OK(gput__atod("1.5e-30", &value) && is_same(value, 1.5e-30), "in a locale with commas too");
        setlocale(LC_ALL, "C");
    }
    return DONE();
}
