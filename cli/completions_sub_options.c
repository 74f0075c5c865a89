/* completions_sub_options.c - the options of one subcommand, for each shell. */
#include "completions.h"

#include <string.h>

static bool is_long(const struct sub_option *o)
{
    return strlen(o->name) > 1;
}

static void print_choices(FILE *out, const struct sub_option *o)
{
    for (const char *const *choice = o->choices; *choice; choice++)
        fprintf(out, "%s%s", choice == o->choices ? "" : " ", *choice);
}

/* "-o", "--output" or both, with `between` in between. */
static void print_forms(FILE *out, const struct sub_option *o, const char *between)
{
    if (o->letter)
        fprintf(out, "-%c%s", o->letter, is_long(o) ? between : "");
    if (is_long(o))
        fprintf(out, "--%s", o->name);
}

/* --- bash ----------------------------------------------------------------------------------- */

static void print_bash_values(FILE *out, const struct sub_option *options)
{
    for (const struct sub_option *o = options; o->name; o++) {
        if (!o->argument)
            continue;
        fputs("            ", out);
        print_forms(out, o, "|");
        fputs(") words=\"", out); /* files are what is completed otherwise */
        if (o->choices)
            print_choices(out, o);
        fputs("\" ;;\n", out);
    }
    fputs("            *) option= ;;\n", out); /* a flag: an option may follow */
}

static void print_bash_names(FILE *out, const struct sub_option *options)
{
    fputs("            -*) words=\"", out);
    for (const struct sub_option *o = options; o->name; o++) {
        if (!o->help)
            continue;
        print_forms(out, o, " ");
        putc(' ', out);
    }
    fputs("--help\" ;;\n", out);
}

void completions_bash_options(FILE *out, const char *name, const struct sub_option *options,
                              const char *words)
{
    fprintf(out,
            "        %s)\n"
            "            case $option in\n",
            name);
    print_bash_values(out, options);
    fputs("            esac\n"
          "            [[ $option ]] || case $cur in\n",
          out);
    print_bash_names(out, options);
    if (words)
        fprintf(out, "            *) words=\"%s\" ;;\n", words);
    fputs("            esac ;;\n", out);
}

void completions_bash_answer(FILE *out)
{
    fputs("    if [[ $words ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    else\n"
          "        compopt -o filenames\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "    fi\n"
          "}\n"
          "\n",
          out);
}

/* --- zsh ------------------------------------------------------------------------------------ */

static void print_zsh_option(FILE *out, const struct sub_option *o, const char *form)
{
    fprintf(out, "            '*%s[", form);
    completions_zsh_text(out, o->help);
    fputs("]", out);
    if (o->argument) {
        fputs(":", out);
        completions_zsh_text(out, o->argument);
        fputs(":", out);
    }
    if (o->choices) {
        putc('(', out);
        print_choices(out, o);
        putc(')', out);
    } else if (o->argument && o->is_file) {
        fputs("_files", out);
    }
    fputs("' \\\n", out);
}

void completions_zsh_options(FILE *out, const char *name, const struct sub_option *options,
                             const char *words)
{
    char form[64];

    fprintf(out, "    %s)\n        _arguments -s \\\n", name);
    for (const struct sub_option *o = options; o->name; o++) {
        if (!o->help)
            continue;
        if (is_long(o)) {
            snprintf(form, sizeof(form), "--%s%s", o->name, o->argument ? "=" : "");
            print_zsh_option(out, o, form);
        }
        if (o->letter) {
            snprintf(form, sizeof(form), "-%c%s", o->letter, o->argument ? "+" : "");
            print_zsh_option(out, o, form);
        }
    }
    fprintf(out, "            '*:word:%s' ;;\n", words);
}

/* --- fish ----------------------------------------------------------------------------------- */

void completions_fish_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
}

static void print_fish_option(FILE *out, const char *condition, const struct sub_option *o)
{
    fprintf(out, "complete -c gpu-tracker -n '%s'", condition);
    if (o->letter)
        fprintf(out, " -s %c", o->letter);
    if (is_long(o))
        fprintf(out, " -l %s", o->name);
    if (o->choices) {
        fputs(" -x -a '", out);
        print_choices(out, o);
        fputs("'", out);
    } else if (o->argument) {
        fputs(o->is_file ? " -r -F" : " -x", out);
    }
    fputs(" -d '", out);
    completions_fish_text(out, o->help);
    fputs("'\n", out);
}

void completions_fish_options(FILE *out, const char *condition, const struct sub_option *options)
{
    for (const struct sub_option *o = options; o->name; o++)
        if (o->help)
            print_fish_option(out, condition, o);
}
