/* figure.h - the value of a figure that may not be known. */
#ifndef GPUT_MODEL_FIGURE_H
#define GPUT_MODEL_FIGURE_H

#include <math.h>
#include <stdbool.h>

#include "gput.h"

static inline bool gput__figure_is_known(struct gput_figure f)
{
    return f.source != GPUT_UNAVAILABLE;
}

/* NAN: it is not. */
static inline double gput__figure_value(struct gput_figure f)
{
    return gput__figure_is_known(f) ? f.value : NAN;
}

/* The first, or if it is not known the other. */
static inline double gput__known_or(struct gput_figure f, struct gput_figure other)
{
    return gput__figure_is_known(f) ? f.value : gput__figure_value(other);
}

#endif
