/* script.h - the name of the script that an interpreter runs, out of its command line. */
#ifndef GPUT_SAMPLE_COMMANDS_SCRIPT_H
#define GPUT_SAMPLE_COMMANDS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a script says more than the name of its program, as the kernel has that. */
bool gput__is_interpreter(const char *comm);

/* The script in /proc/PID/cmdline, e.g. "python3 train.py", "java Main".  The last part of its path,
 * a module or a class, and nothing else of the command line, which may hold secrets.  False: it is not
 * told, or is no plain name. */
bool gput__script_name(const char *comm, const char *line, size_t len, char *ret, size_t cap);

#endif
