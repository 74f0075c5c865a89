/* bash.c - completions for bash, with or without the package bash-completion. */
#include "completions/completions.h"

#include "commands/commands.h"

static void print_value(FILE *out, const struct option_def *def)
{
    switch (completions_value(def)) {
    case VALUE_WORDS:
        fputs("words=\"", out);
        completions_words(out, def->choices, " ");
        putc('"', out);
        break;
    case VALUE_PROCESS:
        fputs("words=$(ps -eo pid= 2>/dev/null)", out);
        break;
    case VALUE_FILE:
    case VALUE_COMMAND:
        fputs(def->kind == KIND_COMMAND ? "action=command" : "action=file", out);
        break;
    default:
        break;
    }
}

/* A case of what fits: the value of $option, an option, another word. */
static void print_case(FILE *out, const struct command *c)
{
    fprintf(out, "    \"%s\")\n        case $option in\n", c->name);
    for (const struct option_def *def = c->options; def->name; def++) {
        if (!def->help || !def->argument)
            continue;
        fputs("        ", out);
        completions_forms(out, def, "|");
        fputs(") ", out);
        print_value(out, def);
        fputs(" ;;\n", out);
    }
    fputs("        *) option= ;;\n" /* a flag: an option may follow */
          "        esac\n"
          "        [[ $option ]] || case $cur in\n"
          "        -*) words=\"",
          out);
    for (const struct option_def *def = c->options; def->name; def++) {
        if (!def->help)
            continue;
        completions_forms(out, def, " ");
        putc(' ', out);
    }
    fputs(*c->name ? "--help\" ;;\n        *) " : "\" ;;\n        *) ", out);
    if (c->words) {
        fputs("words=\"", out);
        completions_words(out, c->words, " ");
        putc('"', out);
    } else {
        fputs("action=file", out);
    }
    fputs(" ;;\n        esac ;;\n", out);
}

static void print_with_argument(FILE *out)
{
    const char *between = "";

    for (const struct option_def *def = gpu_tracker.options; def->name; def++) {
        if (!def->argument)
            continue;
        fputs(between, out);
        completions_forms(out, def, "|");
        between = "|";
    }
}

/* The name of what is typed, with the second word where the first has subcommands. */
static void print_commands(FILE *out)
{
    for (const struct command *c = gpu_tracker.subcommands; c->name; c++) {
        if (!c->subcommands && !c->options)
            continue;
        fprintf(out, "    %s)", c->name);
        if (c->subcommands) {
            fputs("\n        ((i + 1 == COMP_CWORD)) && words=\"", out);
            completions_names(out, c->subcommands, " ");
            fputs(" --help\"\n        name+=\" ${COMP_WORDS[i + 1]}\"", out);
        }
        fputs(" ;;\n", out);
    }
}

/* Goes through the words: $option waits for its argument, $name is the subcommand. */
static void print_words(FILE *out)
{
    fputs("_gpu_tracker()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} option= words= action= name= i=1\n"
          "\n"
          "    COMPREPLY=()\n"
          "    # Options end at the first word that is not one; bash splits --name=value at '='.\n"
          "    while ((i < COMP_CWORD)); do\n"
          "        option=\n"
          "        case ${COMP_WORDS[i]} in\n"
          "        --) ((i++)); break ;;\n"
          "        ",
          out);
    print_with_argument(out);
    fputs(")\n"
          "            option=${COMP_WORDS[i]}\n"
          "            ((i++))\n"
          "            [[ ${COMP_WORDS[i]} == = ]] && ((i++))\n"
          "            ((i < COMP_CWORD)) && option=\n"
          "            ((i++)) ;;\n"
          "        -*) ((i++)) ;;\n"
          "        *) break ;;\n"
          "        esac\n"
          "    done\n"
          "\n"
          "    ((i < COMP_CWORD)) && [[ ${COMP_WORDS[i - 1]} != -- ]] && name=${COMP_WORDS[i]}\n"
          "    [[ $cur == = ]] && cur=\n"
          "    case $name in\n",
          out);
    print_commands(out);
}

/* Sets COMPREPLY. */
static void print_choice(FILE *out)
{
    fputs("    *) name= ;;\n"
          "    esac\n"
          "    if [[ $name && ! $words ]]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "        [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "        [[ $option == -* ]] || option=\n"
          "        _gpu_tracker_fit \"$name\"\n"
          "    elif [[ $option ]] || { ((i >= COMP_CWORD)) && [[ $cur == -* &&\n"
          "        ${COMP_WORDS[COMP_CWORD - 1]} != -- ]]; }; then\n"
          "        _gpu_tracker_fit \"\"\n"
          "    elif [[ ! $name ]] && declare -F _command_offset >/dev/null; then\n"
          "        _command_offset \"$i\"\n"
          "    elif [[ ! $name ]]; then\n"
          "        action=command\n"
          "        ((i < COMP_CWORD)) && action=file\n"
          "    fi\n"
          "    [[ $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    [[ $action == command ]] && COMPREPLY=($(compgen -c -- \"$cur\"))\n"
          "    if [[ $action == file ]]; then\n"
          "        compopt -o filenames\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "    fi\n"
          "    if ((i == COMP_CWORD)) && [[ ${COMP_WORDS[i - 1]} != -- ]]; then\n"
          "        COMPREPLY+=($(compgen -W \"",
          out);
    completions_names(out, gpu_tracker.subcommands, " ");
    fputs("\" -- \"$cur\"))\n"
          "    fi\n"
          "}\n",
          out);
}

void completions_bash(FILE *out)
{
    fputs(
        "# bash completion for gpu-tracker\n"
        "\n"
        "# Sets $words or $action: what fits behind $option, or in its place, of the command $1.\n"
        "_gpu_tracker_fit()\n"
        "{\n"
        "    case $1 in\n",
        out);
    completions_each(out, print_case);
    fputs("    esac\n"
          "}\n"
          "\n",
          out);
    print_words(out);
    print_choice(out);
    fputs("\n"
          "complete -F _gpu_tracker gpu-tracker\n",
          out);
}
