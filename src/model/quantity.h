/* quantity.h - amounts as people write them: "4GB", "1.5 GiB", "300s", "5kJ", "50%". */
#ifndef GPUT_MODEL_QUANTITY_H
#define GPUT_MODEL_QUANTITY_H

#include <stddef.h>

#include "model/named_figure.h"

/* The whole text, in bytes, seconds, joules, percent or numbers.  A number without a unit is taken as it
 * is.  -EINVAL: it begins with no number from 0 on, or what follows is no unit of that kind. */
int gput__quantity_parse(const char *text, enum gput__figure_unit kind, double *ret);

/* "B, kB, MB, ...": the units of that kind, for messages; "" where there is none. */
const char *gput__quantity_units(enum gput__figure_unit kind);

#endif
