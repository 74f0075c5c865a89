/* keys.h - what somebody wants to see, and what each key changes of it. */
#ifndef CLI_TOP_KEYS_H
#define CLI_TOP_KEYS_H

#include "top/rows.h"

struct top_ui {
    struct top_wish wish;
    struct top_prompt prompt;
    char search[TOP_WORD_SIZE]; /* looked for last */
    pid_t selected;             /* followed wherever its row goes; 0: nobody is */
    int at, first;              /* its row; the first row that is shown */
    int page;                   /* rows that are shown */
    int first_chart;            /* of those that are known, where not all have room */
    int next_job;               /* +1, -1: another job is to be shown */
    bool is_paused, has_help, is_whole_run, quits;
};

/* `key` as ncurses has it. */
void top_key(struct top_ui *ui, int key, const struct top_row *rows, int n);
/* A click on a row. */
void top_select(struct top_ui *ui, int at, const struct top_row *rows, int n);
/* The rows have changed: who was selected stays selected, and in sight. */
void top_follow(struct top_ui *ui, const struct top_row *rows, int n);

/* What the keys do, a line each; ends with NULL. */
extern const char *const top_help[];
/* The same in one line. */
extern const char top_keys_line[];

#endif
