/* completions_subcommands.c - completions for the subcommands that have a table of options. */
#include "completions.h"

#include "commands.h"

void completions_subcommands_bash(FILE *out)
{
    fputs("# $1: where the subcommand stands\n"
          "_gpu_tracker_subcommand()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
          "\n"
          "    [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    [[ $cur == = ]] && cur=\n"
          "    [[ $option == -* ]] || option=\n"
          "    case ${COMP_WORDS[$1]} in\n",
          out);
    for (const struct subcommand *s = subcommands; s->name; s++)
        if (s->options)
            completions_bash_options(out, s->name, s->options, NULL);
    fputs("    esac\n", out);
    completions_bash_answer(out);
}

void completions_subcommands_names(FILE *out, const char *between)
{
    const char *before = "";

    for (const struct subcommand *s = subcommands; s->name; s++) {
        if (!s->options)
            continue;
        fprintf(out, "%s%s", before, s->name);
        before = between;
    }
}

void completions_subcommands_zsh(FILE *out)
{
    for (const struct subcommand *s = subcommands; s->name; s++)
        if (s->options)
            completions_zsh_options(out, s->name, s->options, "_files");
}

void completions_subcommands_fish(FILE *out)
{
    char condition[100];

    for (const struct subcommand *s = subcommands; s->name; s++) {
        if (!s->options)
            continue;
        snprintf(condition, sizeof(condition), "__fish_seen_subcommand_from %s", s->name);
        completions_fish_options(out, condition, s->options);
    }
}
