/* completions_zsh.c - completions for zsh, by _arguments. */
#include "completions.h"

#include "commands.h"

void completions_zsh_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            putc(*text, out);
    }
}

/* ":message:action" of an option's argument. */
static void print_action(FILE *out, const struct option_def *def)
{
    fprintf(out, ":%s:", def->argument);
    if (def->kind == KIND_CHOICE) {
        for (const char *const *choice = def->choices; *choice; choice++)
            fprintf(out, "%s%s", choice == def->choices ? "(" : " ", *choice);
        putc(')', out);
    } else if (def->kind == KIND_FILE) {
        fputs("_files", out);
    } else if (def == option_def(OPT_PID)) {
        fputs("_pids", out);
    } else if (def->kind == KIND_COMMAND) {
        fputs("_cmdstring", out);
    }
}

static void print_form(FILE *out, const struct option_def *def, const char *name,
                       const char *equals)
{
    char summary[200];

    completions_summary(def, summary, sizeof(summary));
    fputs("    '", out);
    if (def->letter)
        fprintf(out, "(-%c --%s)", def->letter, def->name);
    fprintf(out, "%s%s[", name, def->argument ? equals : "");
    completions_zsh_text(out, summary);
    putc(']', out);
    if (def->argument)
        print_action(out, def);
    fputs("' \\\n", out);
}

/* A function that completes the first word that is no option. */
static void print_first_word(FILE *out)
{
    fputs("_gpu_tracker_first_word() {\n"
          "    _alternative 'subcommands:subcommand:(",
          out);
    for (const struct sub_command *s = subcommands; s->name; s++)
        if (s->help)
            fprintf(out, " %s", s->name);
    fputs(" )' 'commands:command: _command_names -e'\n"
          "}\n"
          "\n",
          out);
}

/* A function that completes what follows it. */
static void print_arguments(FILE *out)
{
    fputs("_gpu_tracker_arguments() {\n"
          "    case $words[1] in\n"
          "    sub-track)\n"
          "        _gpu_tracker_sub_track ;;\n",
          out);
    completions_subcommands_zsh(out);
    fputs("    *)\n"
          "        _normal ;;\n"
          "    esac\n"
          "}\n"
          "\n",
          out);
}

void completions_zsh(FILE *out)
{
    fputs("#compdef gpu-tracker\n"
          "\n",
          out);
    print_first_word(out);
    completions_sub_track_zsh(out);
    print_arguments(out);
    fputs("_arguments -s -S \\\n", out);
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_def *def = option_def((enum option_id)id);
        char name[64];

        if (!def->help)
            continue;
        snprintf(name, sizeof(name), "--%s", def->name);
        print_form(out, def, name, "=");
        if (!def->letter)
            continue;
        snprintf(name, sizeof(name), "-%c", def->letter);
        print_form(out, def, name, "+");
    }
    fputs("    '(-)1:command:_gpu_tracker_first_word' \\\n"
          "    '*::arguments:_gpu_tracker_arguments'\n",
          out);
}
