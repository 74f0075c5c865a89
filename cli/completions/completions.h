/* completions.h - one writer of completions per shell, each a loop over the tables of commands. */
#ifndef CLI_COMPLETIONS_H
#define CLI_COMPLETIONS_H

#include "options/option.h"

#include <stdio.h>

void completions_bash(FILE *out);
void completions_zsh(FILE *out);
void completions_fish(FILE *out);

/* Calls `print` for each command that has options, gpu-tracker itself first. */
void completions_each(FILE *out, void (*print)(FILE *out, const struct command *command));

/* Words with `between` in between: choices; the last words of the commands that are shown. */
void completions_words(FILE *out, const char *const *words, const char *between);
void completions_names(FILE *out, const struct command *commands, const char *between);

/* "-o", "--output", or both with `between` in between. */
void completions_forms(FILE *out, const struct option_def *def, const char *between);

/* The first sentence of a help, enough for a list, as text within single quotes: `escaped` are the
 * letters that need a backslash, and `quote` stands for a quote. */
void completions_summary(FILE *out, const char *help, const char *escaped, const char *quote);

/* What completes its argument. */
enum value { VALUE_NONE, VALUE_ANY, VALUE_WORDS, VALUE_FILE, VALUE_PROCESS, VALUE_COMMAND };
enum value completions_value(const struct option_def *def);

#endif
