/* demand_json.h - what a run needed, as JSON that a history keeps. */
#ifndef GPUT_API_DEMAND_JSON_H
#define GPUT_API_DEMAND_JSON_H

#include "gput.h"

/* free() it.  0 or -ENOMEM. */
int gput__demand_write(const struct gput_demand *d, char **ret_text);
/* What is missing is not known.  -EBADMSG: it is no such text. */
int gput__demand_parse(const char *text, struct gput_demand *ret);

#endif
