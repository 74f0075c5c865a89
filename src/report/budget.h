/* budget.h - what became of the budget of a run: see struct gput_budget_line. */
#ifndef GPUT_REPORT_BUDGET_H
#define GPUT_REPORT_BUDGET_H

#include "gput.h"
#include "report/json/json.h"

/* Room for the words of a line. */
enum { GPUT__BUDGET_WORDS = 480 };

/* The member "budget" of a result, and the section of the same in its text; nothing without a budget. */
void gput__budget_json(struct gput__json *j, const struct gput_usage *u);
void gput__budget_text(struct gput__buf *out, const struct gput_usage *u);

#endif
