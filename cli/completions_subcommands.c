/* completions_subcommands.c - completions for the subcommands that have a table of options. */
#include "completions.h"

#include "commands.h"

#include <string.h>

/* "show|update [options]" -> "show update": the words of a subcommand that has its own.  "": other
 * words, mostly files. */
static const char *words_of(const struct sub_command *s, char *ret, size_t size)
{
    size_t n = strcspn(s->usage, " "), bar = strcspn(s->usage, "|[<");

    snprintf(ret, size, "%.*s", s->usage[bar] == '|' ? (int)n : 0, s->usage);
    for (char *p = ret; *p; p++)
        if (*p == '|')
            *p = ' ';
    return ret;
}

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
    for (const struct sub_command *s = subcommands; s->name; s++) {
        char words[100];

        if (s->options)
            completions_bash_options(out, s->name, s->options,
                                     *words_of(s, words, sizeof(words)) ? words : NULL);
    }
    fputs("    esac\n", out);
    completions_bash_answer(out);
}

void completions_subcommands_names(FILE *out, const char *between)
{
    const char *before = "";

    for (const struct sub_command *s = subcommands; s->name; s++) {
        if (!s->options)
            continue;
        fprintf(out, "%s%s", before, s->name);
        before = between;
    }
}

void completions_subcommands_zsh(FILE *out)
{
    for (const struct sub_command *s = subcommands; s->name; s++) {
        char words[100], action[104];

        if (!s->options)
            continue;
        snprintf(action, sizeof(action), "(%s)", words_of(s, words, sizeof(words)));
        completions_zsh_options(out, s->name, s->options, *words ? action : "_files");
    }
}

void completions_subcommands_fish(FILE *out)
{
    char condition[100], words[100];

    for (const struct sub_command *s = subcommands; s->name; s++) {
        if (!s->options)
            continue;
        snprintf(condition, sizeof(condition), "__fish_seen_subcommand_from %s", s->name);
        if (*words_of(s, words, sizeof(words)))
            fprintf(out, "complete -c gpu-tracker -n '%s' -f -a '%s'\n", condition, words);
        completions_fish_options(out, condition, s->options);
    }
}
