/* helper_program.h - whether a process runs the program that helpers run. */
#ifndef GPUT_SAMPLE_HELPER_PROGRAM_H
#define GPUT_SAMPLE_HELPER_PROGRAM_H

#include "sample/tree/tree.h"

/* The very file that we run, or that we would start as a helper.  A process chooses its name and its
 * arguments, but not what the kernel says it executes.  1, 0, or a negative errno; -ENOENT: it executes
 * nothing any more. */
int gput__runs_our_program(const struct gput__tree *tree, pid_t pid);

#endif
