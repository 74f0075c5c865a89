/* config.h - the file of --tconfig. */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "options/options.h"

/* Reads o->tconfig, a JSON object of the Tracker's keyword arguments, into `o`; what the command
 * line gave stays.  0 or -EINVAL. */
int config_load(struct options *o, struct refusal *ret_why);

/* Any such file: a JSON object, to be freed.  `label` stands in front of the path where it is refused.
 * 0 or -EINVAL. */
int config_read(const char *label, const char *path, struct gput_json **ret,
                struct refusal *ret_why);

#endif
