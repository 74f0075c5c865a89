/* rows.h - which processes are shown, and in which order. */
#ifndef CLI_TOP_ROWS_H
#define CLI_TOP_ROWS_H

#include "top/model.h"
#include "top/shared/prompt.h"

enum top_order {
    TOP_TREE,
    TOP_BY_CPU,
    TOP_BY_MEMORY,
    TOP_BY_TIME,
    TOP_BY_PID,
    TOP_BY_GPU,
    TOP_ORDERS
};

enum { TOP_MOST_FOLDED = 256 };

/* What somebody wants to see. */
struct top_wish {
    enum top_order order;
    bool is_inverted;           /* the last one first; not of the tree */
    char filter[TOP_WORD_SIZE]; /* of their names, ""; then there is no tree */
    pid_t folded[TOP_MOST_FOLDED];
    int n_folded;
};

struct top_row {
    const struct top_process *process;
    bool is_folded; /* its descendants are not shown */
};

/* For qsort(): the larger one comes first, what is not known last. */
int top_most_first(double a, double b);
/* At most as many as there are processes; returns how many. */
int top_rows_make(const struct top_model *m, const struct top_wish *w, struct top_row *ret);
/* Whether the word is in a name, whatever its case; "" is. */
bool top_name_has(const char *name, const char *word);
/* The next row from `from` on, and then from the first one, that has the word; -1: none has. */
int top_rows_search(const struct top_row *rows, int n, int from, const char *word);
/* Folds a process with children, or unfolds it. */
void top_fold(struct top_wish *w, pid_t pid);

#endif
