/* cells.h - a rank as a cell of the grid, the same on paper and on the screen. */
#ifndef CLI_TOP_CELLS_H
#define CLI_TOP_CELLS_H

#include "gput.h"

#include <stdbool.h>

enum { TOP_CELL_SIZE = 120, TOP_CELL_GAP = 2 };

struct top_cells {
    bool has_gpu, has_utf8;
    bool is_map;                                      /* each rank is a character: */
    double full;                                      /* the level of this value is the highest; */
    double (*value)(const struct gput_fleet_rank *r); /* and this is what it shows */
};

/* Columns of one, without the gap to the next. */
int top_cell_width(const struct top_cells *c);
/* How many there are in a row of such a width; at least 1. */
int top_cells_across(const struct top_cells *c, int width);
/* The names of its figures, and those of a rank. */
void top_cell_head(const struct top_cells *c, char ret[TOP_CELL_SIZE]);
void top_cell_write(const struct top_cells *c, const struct gput_fleet_rank *r,
                    char ret[TOP_CELL_SIZE]);
/* All that is known of a rank, in a line. */
void top_cell_words(const struct gput_fleet_rank *r, char *ret, int size);

#endif
