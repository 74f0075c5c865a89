/* page.h - the report of a run that has just ended. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "gput.h"

/* free() it; NULL: what went wrong has been said. */
char *page_text(struct gput_tracker *t);

#endif
