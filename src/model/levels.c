/* levels.c - how long so many cores were in use. */
#include "model/levels.h"

#include <math.h>

/* Up to so many levels each is an eighth of a core, then each doubling has as many as STEPS. */
enum { EIGHTHS = 64, STEPS = 16 };

static double cores_at(double level)
{
    double octave = floor((level - EIGHTHS) / STEPS);

    if (level <= EIGHTHS)
        return level / 8;
    return ldexp(8 * (1 + (level - EIGHTHS - octave * STEPS) / STEPS), (int)octave);
}

double gput_cpu_level(int level)
{
    return cores_at(level);
}

/* A use that counts as this level: as high as the level, or as the largest that was seen of those that
 * do. */
static double within(int level, double largest)
{
    return fmin(fmax(cores_at(level - 0.5), largest), cores_at(level + 0.5));
}

int gput__level_of(double cores)
{
    int octave = 0;
    double level = 8 * cores;

    if (level >= EIGHTHS) {
        level = frexp(cores / 8, &octave) * 2; /* 1 to 2 */
        level = EIGHTHS + STEPS * (octave - 1 + level - 1);
    }
    return !(level > 0) ? 0 : level < GPUT_CPU_LEVELS - 1 ? (int)lrint(level) : GPUT_CPU_LEVELS - 1;
}

double gput__levels_between(const double seconds[GPUT_CPU_LEVELS], double least, double most)
{
    double sum = 0;

    for (int i = 0; i < GPUT_CPU_LEVELS; i++)
        if (gput_cpu_level(i) >= least && gput_cpu_level(i) <= most)
            sum += seconds[i];
    return sum;
}

double gput__levels_seconds(const double seconds[GPUT_CPU_LEVELS])
{
    return gput__levels_between(seconds, 0, INFINITY);
}

int gput__whole_cores(double cores)
{
    return cores > 1 ? (int)ceil(cores * (1 - 1e-9)) : 1; /* sums of intervals are rounded */
}

double gput__levels_highest(const double seconds[GPUT_CPU_LEVELS], double largest)
{
    int level = GPUT_CPU_LEVELS - 1;

    while (level > 0 && !(seconds[level] > 0))
        level--;
    return fmax(isnan(largest) ? gput_cpu_level(level)
                               : fmin(gput_cpu_level(level), within(level, largest)),
                largest);
}

int gput__levels_cores(const double seconds[GPUT_CPU_LEVELS], double share, double largest)
{
    double busy = gput__levels_seconds(seconds) - seconds[0], sum = 0;

    for (int i = 1; i < GPUT_CPU_LEVELS && busy > 0; i++) {
        sum += seconds[i];
        if (sum >= share * busy * (1 - 1e-12)) /* the sum is rounded */
            return gput__whole_cores(isnan(largest) ? gput_cpu_level(i)
                                                    : fmin(gput_cpu_level(i), within(i, largest)));
    }
    return 1;
}

double gput__levels_slowdown(const double seconds[GPUT_CPU_LEVELS], int cores, double largest)
{
    double time = gput__levels_seconds(seconds), slow = 0;

    for (int i = 0; i < GPUT_CPU_LEVELS && time > 0; i++) {
        double level = fmax(gput_cpu_level(i), within(i, largest));

        slow += seconds[i] * (level > cores ? level / cores - 1 : 0);
    }
    return time > 0 ? 1 + slow / time : 1;
}
