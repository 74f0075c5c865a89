/* fleet_plain.h - `top --plain DIR`: a page of text every few seconds. */
#ifndef CLI_TOP_FLEET_PLAIN_H
#define CLI_TOP_FLEET_PLAIN_H

#include "top/fleet/fleet_source.h"
#include "top/shared/pages.h"

/* Of the job that began last, or of all in the folder.  Returns the exit status. */
int top_fleet_plain(const struct top_pages *p, struct top_fleet *fleet, bool is_all);

#endif
