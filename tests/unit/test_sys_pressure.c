/* test_sys_pressure.c - pressure stall information, as kernels write it. */
#include "source/stalls/sys_pressure.h"

#include <string.h>

#include "tap.h"

#define SOME "some avg10=57.58 avg60=44.58 avg300=41.94 total=416173381\n"
#define FULL "full avg10=0.00 avg60=0.00 avg300=0.00 total=3431570\n"

static struct gput__sys_pressure p;

static void refused(const char *text, const char *what)
{
    p.some_us = 77;
    OK(gput__sys_pressure_parse(text, &p) < 0 && p.some_us == 77, "refused: %s", what);
}

static void no_cut_is_another_number(void)
{
    static const char whole[] = SOME;
    char cut[sizeof(whole)] = "";
    int taken = 0;

    for (size_t n = 0; n < sizeof(whole) - 1; n++) {
        cut[n] = '\0';
        taken += gput__sys_pressure_parse(cut, &p) == 0;
        cut[n] = whole[n];
    }
    OK(taken == 0, "no prefix of the line is taken");
}

int main(void)
{
    OK(gput__sys_pressure_parse(SOME FULL, &p) == 0 && p.some_us == 416173381 && p.has_full &&
           p.full_us == 3431570,
       "both lines");
    OK(gput__sys_pressure_parse(SOME, &p) == 0 && p.some_us == 416173381 && !p.has_full,
       "of the CPU older kernels have one");
    OK(gput__sys_pressure_parse(FULL SOME, &p) == 0 && p.full_us == 3431570, "in any order");
    refused("", "no text");
    refused(FULL, "some is missing");
    refused("some avg10=0.00\nfull total=7\n", "the number of another line");
    refused("some total=\n", "no number");
    refused("some total= 7\n", "a blank");
    refused("some total=18446744073709551616\n", "more than can be counted");
    refused("something total=7\n", "another word");
    no_cut_is_another_number();
    return DONE();
}
