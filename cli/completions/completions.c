/* completions.c - gpu-tracker completions bash|zsh|fish. */
#include "completions/completions.h"

#include "commands/commands.h"
#include "output/exit_codes.h"

#include <string.h>

struct shell {
    const char *name;
    void (*print)(FILE *out);
};

static const struct shell shells[] = {
    { "bash", completions_bash },
    { "zsh", completions_zsh },
    { "fish", completions_fish },
};

static void each(FILE *out, const struct command *command,
                 void (*print)(FILE *out, const struct command *command))
{
    if (command->options)
        print(out, command);
    for (const struct command *c = command->subcommands; c && c->name; c++)
        each(out, c, print);
}

void completions_each(FILE *out, void (*print)(FILE *out, const struct command *command))
{
    each(out, &gpu_tracker, print);
}

void completions_words(FILE *out, const char *const *words, const char *between)
{
    for (const char *const *word = words; *word; word++)
        fprintf(out, "%s%s", word == words ? "" : between, *word);
}

void completions_names(FILE *out, const struct command *commands, const char *between)
{
    const char *before = "";

    for (const struct command *c = commands; c->name; c++) {
        if (!c->help)
            continue;
        fprintf(out, "%s%s", before, command_word(c));
        before = between;
    }
}

void completions_forms(FILE *out, const struct option_def *def, const char *between)
{
    bool is_long = def->name[1] != '\0';

    if (def->letter)
        fprintf(out, "-%c%s", def->letter, is_long ? between : "");
    if (is_long)
        fprintf(out, "--%s", def->name);
}

/* "e.g. x" goes on; ". X" and "; x" do not. */
static bool ends_here(const char *p)
{
    if (*p == '.')
        return !p[1] || (p[1] == ' ' && p[2] >= 'A' && p[2] <= 'Z');
    return *p == ';';
}

void completions_summary(FILE *out, const char *help, const char *escaped, const char *quote)
{
    for (; *help && !ends_here(help); help++) {
        if (*help == '\'')
            fputs(quote, out);
        else
            fprintf(out, "%s%c", strchr(escaped, *help) ? "\\" : "", *help);
    }
}

enum value completions_value(const struct option_def *def)
{
    if (!def->argument)
        return VALUE_NONE;
    if (def->choices)
        return VALUE_WORDS;
    if (def->kind == KIND_FILE || def->is_file)
        return VALUE_FILE;
    return def->kind == KIND_PROCESS   ? VALUE_PROCESS
           : def->kind == KIND_COMMAND ? VALUE_COMMAND
                                       : VALUE_ANY;
}

int command_completions(const struct command *command, int argc, char **argv)
{
    (void)command;
    for (size_t i = 0; argc == 2 && i < sizeof(shells) / sizeof(*shells); i++) {
        if (strcmp(argv[1], shells[i].name) == 0) {
            shells[i].print(stdout);
            return 0;
        }
    }
    say("usage: gpu-tracker completions bash|zsh|fish");
    return EXIT_USAGE;
}
