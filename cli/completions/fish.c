/* fish.c - completions for fish. */
#include "completions/completions.h"

#include "commands/commands.h"

#include <string.h>

static void print_text(FILE *out, const char *text)
{
    fputs(" -d '", out);
    completions_summary(out, text, "\\", "\\'");
    fputs("'\n", out);
}

static void print_value(FILE *out, const struct option_def *def)
{
    switch (completions_value(def)) {
    case VALUE_ANY:
        fputs(" -x", out);
        break;
    case VALUE_WORDS:
        fputs(" -x -a '", out);
        completions_words(out, def->choices, " ");
        putc('\'', out);
        break;
    case VALUE_FILE:
        fputs(" -r -F", out);
        break;
    case VALUE_PROCESS:
        fputs(" -x -a '(__fish_complete_pids)'", out);
        break;
    case VALUE_COMMAND:
        fputs(" -x -a '(__fish_complete_command)'", out);
        break;
    default:
        break;
    }
}

/* "complete -c gpu-tracker", for a subcommand with the condition that its words stand in the line. */
static void begin_line(FILE *out, const struct command *c)
{
    char words[40], *rest = words;
    const char *word, *between = "";

    fputs("complete -c gpu-tracker", out);
    if (!*c->name)
        return;
    snprintf(words, sizeof(words), "%s", c->name);
    fputs(" -n '", out);
    while ((word = strsep(&rest, " "))) {
        fprintf(out, "%s__fish_seen_subcommand_from %s", between, word);
        between = "; and ";
    }
    putc('\'', out);
}

static void print_options(FILE *out, const struct command *c)
{
    if (c->words) {
        begin_line(out, c);
        fputs(" -f -a '", out);
        completions_words(out, c->words, " ");
        fputs("'\n", out);
    }
    for (const struct option_def *def = c->options; def->name; def++) {
        if (!def->help)
            continue;
        begin_line(out, c);
        if (def->letter)
            fprintf(out, " -s %c", def->letter);
        if (def->name[1])
            fprintf(out, " -l %s", def->name);
        print_value(out, def);
        print_text(out, def->help);
    }
}

static void print_subcommands(FILE *out, const struct command *parent)
{
    for (const struct command *c = parent->subcommands; c->name; c++) {
        if (!c->help)
            continue;
        if (*parent->name) {
            fprintf(out,
                    "complete -c gpu-tracker -n '__fish_seen_subcommand_from %s; and not "
                    "__fish_seen_subcommand_from ",
                    parent->name);
            completions_names(out, parent->subcommands, " ");
            fprintf(out, "' -f -a %s", command_word(c));
        } else {
            fprintf(out, "complete -c gpu-tracker -n __fish_use_subcommand -a %s", c->name);
        }
        print_text(out, c->help);
        if (c->subcommands)
            print_subcommands(out, c);
    }
}

void completions_fish(FILE *out)
{
    fputs("# fish completion for gpu-tracker\n"
          "\n"
          "complete -c gpu-tracker -x -a '(__fish_complete_subcommand --fcs-skip=1",
          out);
    /* Options whose argument may be the next word, which is then no command. */
    for (const struct option_def *def = gpu_tracker.options; def->name; def++) {
        if (!def->argument)
            continue;
        putc(' ', out);
        completions_forms(out, def, " ");
    }
    fputs(")'\n", out);
    print_subcommands(out, &gpu_tracker);
    completions_each(out, print_options);
}
