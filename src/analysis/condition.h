/* condition.h - what somebody does not want to happen to a figure: "ram>+5%", "gpu_util<-10%", "cpu>300s". */
#ifndef GPUT_ANALYSIS_CONDITION_H
#define GPUT_ANALYSIS_CONDITION_H

#include <stdbool.h>

#include "gput.h"
#include "model/named_figure.h"

struct gput__condition {
    char text[160];   /* as it was written */
    char figure[128]; /* a short name, or a path of the JSON */
    enum gput__figure_unit unit;
    bool is_less;    /* '<', not '>' */
    bool is_change;  /* from one group to the other: the amount has a sign */
    bool is_percent; /* of the first group */
    double amount;   /* with its sign */
};

/* -EINVAL: `ret_err` says what is wrong with it. */
int gput__condition_parse(const char *text, struct gput__condition *ret,
                          struct gput_error *ret_err);

/* Whether it holds for a figure; `noise`: a change that is not larger is none; NAN: not known. */
bool gput__condition_holds(const struct gput__condition *c, double base, double value,
                           double noise);

#endif
