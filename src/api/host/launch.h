/* launch.h - who this process is in a job of many, as a check-up of the machine tells it. */
#ifndef GPUT_API_LAUNCH_H
#define GPUT_API_LAUNCH_H

#include "report/text/findings.h"

void gput__launch_check(struct gput__findings *f);

#endif
