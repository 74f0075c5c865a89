/* completions_sub_track.c - completions for `gpu-tracker sub-track`, for each shell. */
#include "completions.h"

#include "sub_track.h"

#include <string.h>

static void print_commands(FILE *out)
{
    for (const struct sub_command *c = sub_commands; c->name; c++)
        fprintf(out, "%s%s", c == sub_commands ? "" : " ", c->name);
}

static bool takes_start_or_stop(const struct sub_command *c)
{
    return strstr(c->usage, "start|stop") != NULL;
}

void completions_sub_track_bash(FILE *out)
{
    fputs("# $1: where the word behind sub-track stands\n"
          "_gpu_tracker_sub_track()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
          "\n"
          "    [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    [[ $cur == = ]] && cur=\n"
          "    if ((COMP_CWORD == $1)); then\n"
          "        words=\"",
          out);
    print_commands(out);
    fputs(" --help\"\n"
          "    else\n"
          "        [[ $option == -* ]] || option=\n"
          "        case ${COMP_WORDS[$1]} in\n",
          out);
    for (const struct sub_command *c = sub_commands; c->name; c++)
        completions_bash_options(out, c->name, c->options,
                                 takes_start_or_stop(c) ? "start stop" : NULL);
    fputs("        esac\n"
          "    fi\n",
          out);
    completions_bash_answer(out);
}

void completions_sub_track_zsh(FILE *out)
{
    fputs("_gpu_tracker_sub_track() {\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    if ((CURRENT == 1)); then\n"
          "        compadd ",
          out);
    print_commands(out);
    fputs("\n"
          "        return\n"
          "    fi\n"
          "    case $words[1] in\n",
          out);
    for (const struct sub_command *c = sub_commands; c->name; c++)
        completions_zsh_options(out, c->name, c->options,
                                takes_start_or_stop(c) ? "(start stop)" : "_files");
    fputs("    esac\n"
          "}\n"
          "\n",
          out);
}

void completions_sub_track_fish(FILE *out)
{
    char condition[100];

    for (const struct sub_command *c = sub_commands; c->name; c++) {
        fputs("complete -c gpu-tracker -n '__fish_seen_subcommand_from sub-track; "
              "and not __fish_seen_subcommand_from ",
              out);
        print_commands(out);
        fprintf(out, "' -f -a %s -d '", c->name);
        completions_fish_text(out, c->help);
        fputs("'\n", out);
        snprintf(condition, sizeof(condition),
                 "__fish_seen_subcommand_from sub-track; and __fish_seen_subcommand_from %s",
                 c->name);
        completions_fish_options(out, condition, c->options);
    }
}
