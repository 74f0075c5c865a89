/* test_dtoa.c - doubles as Python prints them; dtoa_vs_python.py compares a million more,
 * and in a locale with a decimal comma. */
#include "base/text/dtoa.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "tap.h"

struct pair {
    double v;
    const char *text;
};

static const struct pair reprs[] = {
    { 0.0, "0.0" },
    { -0.0, "-0.0" },
    { 1.0, "1.0" },
    { 0.1, "0.1" },
    { -2.5, "-2.5" },
    { 100.0, "100.0" },
    { 4.582764544000001, "4.582764544000001" },
    { 0.0001, "0.0001" },
    { 0.00001, "1e-05" },
    { 0.000012345, "1.2345e-05" },
    { 1e15, "1000000000000000.0" },
    { 1e16, "1e+16" },
    { 9007199254740993.0, "9007199254740992.0" },
    { 12345678901234567890.0, "1.2345678901234567e+19" },
    { 1e100, "1e+100" },
    { 0.30000000000000004, "0.30000000000000004" },
    { 0x1p-44, "5.684341886080802e-14" },
    { 0x1p-1022, "2.2250738585072014e-308" },
    { 0x1p-1017, "7.120236347223045e-307" }, /* the nearest text of 16 digits is another double's */
    { DBL_MAX, "1.7976931348623157e+308" },
    { 5e-324, "5e-324" },
    { 1.5e-323, "1.5e-323" },
    { INFINITY, "inf" },
    { -INFINITY, "-inf" },
    { NAN, "nan" },
};

static const struct pair rounded[] = {
    { 0.0, "0.0" },      { 0.0005, "0.001" },  { 0.0015, "0.002" },
    { 0.0625, "0.062" }, { 0.1875, "0.188" },  { 2.6755, "2.675" },
    { -0.0001, "-0.0" }, { 99.9996, "100.0" }, { 1e15 + 0.125, "1000000000000000.1" },
    { 1e300, "1e+300" }, { INFINITY, "inf" },
};

static void check(const struct pair *pairs, size_t n, size_t (*print)(double, char *))
{
    for (size_t i = 0; i < n; i++) {
        char out[32];
        size_t len = print(pairs[i].v, out);

        OK(strcmp(out, pairs[i].text) == 0 && len == strlen(out), "%s, got %s", pairs[i].text, out);
    }
}

static void errno_is_left_alone(void)
{
    char out[32];

    errno = 77;
    gput__dtoa(5e-324, out);
    OK(errno == 77, "errno is left alone");
}

int main(void)
{
    check(reprs, sizeof(reprs) / sizeof(reprs[0]), gput__dtoa);
    check(rounded, sizeof(rounded) / sizeof(rounded[0]), gput__dtoa_round3);
    errno_is_left_alone();
    return DONE();
}
