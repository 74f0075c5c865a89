/* zsh.c - completions for zsh, by _arguments. */
#include "completions/completions.h"

#include "commands/commands.h"

static void print_action(FILE *out, const struct option_def *def)
{
    switch (completions_value(def)) {
    case VALUE_WORDS:
        putc('(', out);
        completions_words(out, def->choices, " ");
        putc(')', out);
        break;
    case VALUE_FILE:
        fputs("_files", out);
        break;
    case VALUE_PROCESS:
        fputs("_pids", out);
        break;
    case VALUE_COMMAND:
        fputs("_cmdstring", out);
        break;
    default:
        break;
    }
}

/* "'(-o --output)--output=[File to ...]:<file>:_files'"; "*" of one that may be repeated. */
static void print_form(FILE *out, const struct option_def *def, const char *form, bool is_long)
{
    fputs("            '", out);
    if (def->kind == KIND_OWN)
        putc('*', out);
    else if (def->letter && def->name[1])
        fprintf(out, "(-%c --%s)", def->letter, def->name);
    fprintf(out, "%s%s[", form, !def->argument ? "" : is_long ? "=" : "+");
    completions_summary(out, def->help, "[]:\\", "'\\''");
    putc(']', out);
    if (def->argument) {
        fprintf(out, ":%s:", def->argument);
        print_action(out, def);
    }
    fputs("' \\\n", out);
}

static void print_options(FILE *out, const struct option_def *options)
{
    char form[64];

    for (const struct option_def *def = options; def->name; def++) {
        snprintf(form, sizeof(form), "--%s", def->name);
        if (def->help && def->name[1])
            print_form(out, def, form, true);
        snprintf(form, sizeof(form), "-%c", def->letter);
        if (def->help && def->letter)
            print_form(out, def, form, false);
    }
}

/* A function that completes the words behind a command with subcommands, and before it theirs. */
static void print_function(FILE *out, const struct command *parent)
{
    for (const struct command *c = parent->subcommands; c->name; c++)
        if (c->subcommands)
            print_function(out, c);
    fprintf(out, "_gpu_tracker_%s() {\n", *parent->name ? parent->name : "arguments");
    if (*parent->name) {
        fputs("    shift words\n"
              "    ((CURRENT--))\n"
              "    if ((CURRENT == 1)); then\n"
              "        compadd ",
              out);
        completions_names(out, parent->subcommands, " ");
        fputs("\n"
              "        return\n"
              "    fi\n",
              out);
    }
    fputs("    case $words[1] in\n", out);
    for (const struct command *c = parent->subcommands; c->name; c++) {
        if (c->subcommands)
            fprintf(out, "    %s)\n        _gpu_tracker_%s ;;\n", c->name, c->name);
        if (!c->options)
            continue;
        fprintf(out, "    %s)\n        _arguments -s \\\n", command_word(c));
        print_options(out, c->options);
        fputs("            '*:word:", out);
        if (c->words) {
            putc('(', out);
            completions_words(out, c->words, " ");
            putc(')', out);
        } else {
            fputs("_files", out);
        }
        fputs("' ;;\n", out);
    }
    fputs(*parent->name ? "" : "    *)\n        _normal ;;\n", out);
    fputs("    esac\n}\n\n", out);
}

void completions_zsh(FILE *out)
{
    fputs("#compdef gpu-tracker\n"
          "\n"
          "_gpu_tracker_first_word() {\n"
          "    _alternative 'subcommands:subcommand:( ",
          out);
    completions_names(out, gpu_tracker.subcommands, " ");
    fputs(" )' 'commands:command: _command_names -e'\n"
          "}\n"
          "\n",
          out);
    print_function(out, &gpu_tracker);
    fputs("_arguments -s -S \\\n", out);
    print_options(out, gpu_tracker.options);
    fputs("            '(-)1:command:_gpu_tracker_first_word' \\\n"
          "            '*::arguments:_gpu_tracker_arguments'\n",
          out);
}
