/* live_page.h - --serve: the live page of the run that begins. */
#ifndef CLI_RUN_LIVE_PAGE_H
#define CLI_RUN_LIVE_PAGE_H

#include "gput.h"
#include "options/options.h"

/* Before the job is started.  *ret NULL: none was asked for.  0, or the exit status: what was wrong has been
 * said. */
int live_page_start(const struct options *o, struct gput_tracker *t,
                    const struct gput_callbacks *on, struct gput_page **ret);

#endif
