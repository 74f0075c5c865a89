/* completions_bash.c - completions for bash, with or without the package bash-completion. */
#include "completions.h"

#include "commands.h"

static void print_choices(FILE *out, const struct option_def *def)
{
    for (const char *const *choice = def->choices; *choice; choice++)
        fprintf(out, "%s%s", choice == def->choices ? "" : " ", *choice);
}

/* "--ru" or "-o|--output": a pattern of case. */
static void print_pattern(FILE *out, const struct option_def *def)
{
    if (def->letter)
        fprintf(out, "-%c|", def->letter);
    fprintf(out, "--%s", def->name);
}

/* What completes an option's argument: the command of a case, or nothing. */
static void print_value(FILE *out, const struct option_def *def)
{
    if (def->kind == KIND_CHOICE) {
        fputs("COMPREPLY=($(compgen -W \"", out);
        print_choices(out, def);
        fputs("\" -- \"$cur\"))", out);
    } else if (def->kind == KIND_FILE) {
        fputs("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")", out);
    } else if (def == option_def(OPT_PID)) {
        fputs("COMPREPLY=($(compgen -W \"$(ps -eo pid= 2>/dev/null)\" -- \"$cur\"))", out);
    } else if (def->kind == KIND_COMMAND) {
        fputs("COMPREPLY=($(compgen -c -- \"$cur\"))", out);
    }
}

static void print_values(FILE *out)
{
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_def *def = option_def((enum option_id)id);

        if (!def->help || !def->argument)
            continue;
        fputs("        ", out);
        print_pattern(out, def);
        fputs(") ", out);
        print_value(out, def);
        fputs(" ;;\n", out);
    }
}

static void print_with_argument(FILE *out)
{
    bool first = true;

    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_def *def = option_def((enum option_id)id);

        if (!def->argument)
            continue;
        fputs(first ? "" : "|", out);
        print_pattern(out, def);
        first = false;
    }
}

static void print_names(FILE *out)
{
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_def *def = option_def((enum option_id)id);

        if (!def->help)
            continue;
        fprintf(out, "%s--%s", id ? " " : "", def->name);
        if (def->letter)
            fprintf(out, " -%c", def->letter);
    }
}

static void print_subcommands(FILE *out)
{
    const char *between = "";

    for (const struct sub_command *s = subcommands; s->name; s++) {
        if (!s->help)
            continue;
        fprintf(out, "%s%s", between, s->name);
        between = " ";
    }
}

void completions_bash(FILE *out)
{
    fputs("# bash completion for gpu-tracker\n"
          "\n",
          out);
    completions_sub_track_bash(out);
    completions_subcommands_bash(out);
    fputs("_gpu_tracker()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} option= i=1\n"
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
          "    if [[ ${COMP_WORDS[i]} == sub-track && ${COMP_WORDS[i - 1]} != -- ]] &&\n"
          "        ((i < COMP_CWORD)); then\n"
          "        _gpu_tracker_sub_track $((i + 1))\n"
          "        return\n"
          "    fi\n"
          "    if ((i < COMP_CWORD)) && [[ ${COMP_WORDS[i - 1]} != -- ]]; then\n"
          "        case ${COMP_WORDS[i]} in\n"
          "        ",
          out);
    completions_subcommands_names(out, "|");
    fputs(") _gpu_tracker_subcommand \"$i\"; return ;;\n"
          "        esac\n"
          "    fi\n"
          "    [[ $cur == = ]] && cur=\n"
          "    if [[ $option ]]; then\n"
          "        case $option in\n",
          out);
    print_values(out);
    fputs(
        "        esac\n"
        "    elif ((i >= COMP_CWORD)) && [[ $cur == -* && ${COMP_WORDS[COMP_CWORD - 1]} != -- ]]; "
        "then\n"
        "        COMPREPLY=($(compgen -W \"",
        out);
    print_names(out);
    fputs("\" -- \"$cur\"))\n"
          "    elif declare -F _command_offset >/dev/null; then\n"
          "        _command_offset \"$i\"\n"
          "    elif ((i < COMP_CWORD)); then\n"
          "        compopt -o filenames\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "    else\n"
          "        COMPREPLY=($(compgen -c -- \"$cur\"))\n"
          "    fi\n"
          "    if ((i == COMP_CWORD)) && [[ ${COMP_WORDS[i - 1]} != -- ]]; then\n"
          "        COMPREPLY+=($(compgen -W \"",
          out);
    print_subcommands(out);
    fputs("\" -- \"$cur\"))\n"
          "    fi\n"
          "}\n"
          "\n"
          "complete -F _gpu_tracker gpu-tracker\n",
          out);
}
