/* fleet_keys.h - what somebody wants to see of a fleet, and what each key changes of it. */
#ifndef CLI_TOP_FLEET_KEYS_H
#define CLI_TOP_FLEET_KEYS_H

#include "top/fleet/ranks.h"

struct top_fleet_ui {
    struct top_rank_wish wish;
    struct top_prompt prompt;
    char search[TOP_WORD_SIZE];
    char job[256];    /* the title of the job that is shown; "": the first one */
    bool is_selected; /* a rank is: followed wherever its cell goes, */
    int rank;         /* by its number */
    char node[64];    /* and its node */
    int at, first;    /* its place; the first line of the grid that is shown */
    int across, page; /* cells in a line; lines that are shown */
    bool is_paused, has_help, is_map, wants_next, quits;
};

/* `key` as ncurses has it. */
void top_fleet_key(struct top_fleet_ui *ui, int key, const struct gput_fleet_rank *const *ranks,
                   int n);
/* A click on a cell. */
void top_fleet_select(struct top_fleet_ui *ui, int at, const struct gput_fleet_rank *const *ranks,
                      int n);
/* The ranks, or the screen, have changed: what was selected stays selected, and in sight. */
void top_fleet_follow(struct top_fleet_ui *ui, const struct gput_fleet_rank *const *ranks, int n);

/* What the keys do, a line each; ends with NULL. */
extern const char *const top_fleet_help[];
/* The same in one line. */
extern const char top_fleet_keys_line[];

#endif
