/* fleet_screen.h - `top DIR` on the full screen: a grid of ranks. */
#ifndef CLI_TOP_FLEET_SCREEN_H
#define CLI_TOP_FLEET_SCREEN_H

#include "top/fleet/fleet_source.h"

/* Until the user leaves; `interval` seconds from look to look.  Returns the exit status. */
int top_fleet_screen(struct top_fleet *fleet, double interval);

#endif
