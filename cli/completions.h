/* completions.h - one writer of completions per shell, each a loop over the option table. */
#ifndef CLI_COMPLETIONS_H
#define CLI_COMPLETIONS_H

#include "options.h"
#include "sub_options.h"

#include <stdio.h>

void completions_bash(FILE *out);
void completions_zsh(FILE *out);
void completions_fish(FILE *out);

/* completions_sub_track.c: a function for bash and for zsh, lines for fish. */
void completions_sub_track_bash(FILE *out);
void completions_sub_track_zsh(FILE *out);
void completions_sub_track_fish(FILE *out);

/* completions_subcommands.c: the same for subcommands that have a table of options, and their names. */
void completions_subcommands_bash(FILE *out);
void completions_subcommands_zsh(FILE *out);
void completions_subcommands_fish(FILE *out);
void completions_subcommands_names(FILE *out, const char *between);

/* completions_sub_options.c: a case of the options of one subcommand; `words` are its other words,
 * for zsh an action. */
void completions_bash_options(FILE *out, const char *name, const struct sub_option *options,
                              const char *words);
void completions_zsh_options(FILE *out, const char *name, const struct sub_option *options,
                             const char *words);
void completions_fish_options(FILE *out, const char *condition, const struct sub_option *options);
/* The end of a function that has put what fits into $words. */
void completions_bash_answer(FILE *out);

/* The first sentence of an option's help, enough for a list; `ret` holds at least 200. */
void completions_summary(const struct option_def *def, char *ret, size_t size);

/* Text within single quotes and brackets of zsh's _arguments. */
void completions_zsh_text(FILE *out, const char *text);
/* Text within single quotes of fish. */
void completions_fish_text(FILE *out, const char *text);

#endif
