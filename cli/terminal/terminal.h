/* terminal.h - what the terminal on standard output can show. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

/* Columns that a line may have: one less than the terminal, because a full last column makes some
 * terminals wrap.  Without a terminal $COLUMNS, else `fallback`. */
int terminal_width(int fallback);

/* Lines of the terminal on standard output; 0: it is none. */
int terminal_height(void);

/* By the environment's locale; nothing is set for the process. */
bool terminal_has_utf8(void);

/* Only on a terminal, and never with NO_COLOR. */
bool terminal_has_colour(void);

#endif
