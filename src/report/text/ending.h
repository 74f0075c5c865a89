/* ending.h - how a job ended, in words. */
#ifndef GPUT_REPORT_ENDING_H
#define GPUT_REPORT_ENDING_H

#include "report/advice.h"

/* For a headline, without a full stop: "Finished", "Failed with exit code 3", "Killed for memory at
 * the limit of 8.00 GB" ... */
void gput__ending_in_words(const struct gput__run *run, struct gput__advice *ret);

enum { GPUT__ENDING_SIZE = 48 };

/* Before a time: "exited with 0", "killed by SIGTERM"; empty: nobody knows. */
void gput__ending_in_short(const struct gput_usage *u, char ret[GPUT__ENDING_SIZE]);

#endif
