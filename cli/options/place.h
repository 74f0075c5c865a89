/* place.h - who this process is in a job of many, by its launcher and by options. */
#ifndef CLI_PLACE_H
#define CLI_PLACE_H

#include "options/options.h"

/* What was given takes the place of what the launcher says.  0 or -EINVAL. */
int place_choose(const struct options *o, struct gput_launch *launch, struct refusal *ret_why);

#endif
