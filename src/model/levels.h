/* levels.h - how long so many cores were in use, in memory of fixed size.
 *
 * Levels are eighths of a core up to 8 cores, then sixteen to each doubling. */
#ifndef GPUT_MODEL_LEVELS_H
#define GPUT_MODEL_LEVELS_H

#include <stdbool.h>

#include "gput.h"

/* The level nearest to so many cores; of a level: gput_cpu_level(). */
int gput__level_of(double cores);

/* What may be asked of `seconds`, one for each level.  All of it; 0: nothing is known. */
double gput__levels_seconds(const double seconds[GPUT_CPU_LEVELS]);
/* Those between two numbers of cores, both included. */
double gput__levels_between(const double seconds[GPUT_CPU_LEVELS], double least, double most);
/* So many cores, at least one; of too many for an int: not asked. */
int gput__whole_cores(double cores);
/* The most cores that were in use, which `largest` may be more. */
double gput__levels_highest(const double seconds[GPUT_CPU_LEVELS], double largest);
/* The fewest whole cores that hold so much of the time in which any was in use; at least one.
 * `largest`: records had no higher use; NAN: not known. */
int gput__levels_cores(const double seconds[GPUT_CPU_LEVELS], double share, double largest);
/* How many times as long it takes on so many cores; `largest` likewise. */
double gput__levels_slowdown(const double seconds[GPUT_CPU_LEVELS], int cores, double largest);

#endif
