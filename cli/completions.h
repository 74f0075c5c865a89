/* completions.h - one writer of completions per shell, each a loop over the option table. */
#ifndef CLI_COMPLETIONS_H
#define CLI_COMPLETIONS_H

#include "options.h"

#include <stdio.h>

void completions_bash(FILE *out);
void completions_zsh(FILE *out);
void completions_fish(FILE *out);

/* completions_sub_track.c: a function for bash and for zsh, lines for fish. */
void completions_sub_track_bash(FILE *out);
void completions_sub_track_zsh(FILE *out);
void completions_sub_track_fish(FILE *out);

/* The first sentence of an option's help, enough for a list; `ret` holds at least 200. */
void completions_summary(const struct option_def *def, char *ret, size_t size);

/* Text within single quotes and brackets of zsh's _arguments. */
void completions_zsh_text(FILE *out, const char *text);

#endif
