/* scenarios.h - every call of the public interface once, on files of its own. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "gput.h"

struct scenario {
    const char *name;
    /* 0; a negative errno with its words in `err`; or 1: something else is wrong. */
    int (*call)(struct gput_error *err);
};

/* Ended by a NULL. */
extern const struct scenario scenarios[];

/* `folder` is tests/fixtures. */
void scenarios_begin(const char *folder);
void scenarios_end(void);

#endif
