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

#endif
