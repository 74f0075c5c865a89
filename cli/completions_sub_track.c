/* completions_sub_track.c - completions for `gpu-tracker sub-track`, for each shell. */
#include "completions.h"

#include "sub_track.h"

#include <string.h>

static bool is_long(const struct sub_option *o)
{
    return strlen(o->name) > 1;
}

static void print_commands(FILE *out)
{
    for (const struct sub_command *c = sub_commands; c->name; c++)
        fprintf(out, "%s%s", c == sub_commands ? "" : " ", c->name);
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

static void print_bash_values(FILE *out, const struct sub_command *c)
{
    for (const struct sub_option *o = c->options; o->name; o++) {
        if (!o->argument || (!o->choices && o->is_file))
            continue; /* files are what is completed otherwise */
        fputs("            ", out);
        print_forms(out, o, "|");
        fputs(") words=\"", out);
        if (o->choices)
            print_choices(out, o);
        fputs("\" ;;\n", out);
    }
}

static void print_bash_names(FILE *out, const struct sub_command *c)
{
    fputs("            -*) words=\"", out);
    for (const struct sub_option *o = c->options; o->name; o++) {
        print_forms(out, o, " ");
        putc(' ', out);
    }
    fputs("--help\" ;;\n", out);
}

static void print_bash_command(FILE *out, const struct sub_command *c)
{
    fprintf(out,
            "        %s)\n"
            "            case $option in\n",
            c->name);
    print_bash_values(out, c);
    fputs("            esac\n"
          "            [[ $option ]] || case $cur in\n",
          out);
    print_bash_names(out, c);
    if (strstr(c->usage, "start|stop"))
        fputs("            *) words=\"start stop\" ;;\n", out);
    fputs("            esac ;;\n", out);
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
        print_bash_command(out, c);
    fputs("        esac\n"
          "    fi\n"
          "    if [[ $words ]]; then\n"
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

static void print_zsh_command(FILE *out, const struct sub_command *c)
{
    char form[64];

    fprintf(out, "    %s)\n        _arguments -s \\\n", c->name);
    for (const struct sub_option *o = c->options; o->name; o++) {
        if (is_long(o)) {
            snprintf(form, sizeof(form), "--%s%s", o->name, o->argument ? "=" : "");
            print_zsh_option(out, o, form);
        }
        if (o->letter) {
            snprintf(form, sizeof(form), "-%c%s", o->letter, o->argument ? "+" : "");
            print_zsh_option(out, o, form);
        }
    }
    fprintf(out, "            '*:word:%s' ;;\n",
            strstr(c->usage, "start|stop") ? "(start stop)" : "_files");
}

void completions_sub_track_zsh(FILE *out)
{
    fputs("_gpu_tracker_arguments() {\n"
          "    if [[ $words[1] != sub-track ]]; then\n"
          "        _normal\n"
          "        return\n"
          "    fi\n"
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
        print_zsh_command(out, c);
    fputs("    esac\n"
          "}\n"
          "\n",
          out);
}

/* --- fish ----------------------------------------------------------------------------------- */

static void print_fish_text(FILE *out, const char *text) /* within single quotes */
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
}

static void print_fish_option(FILE *out, const struct sub_command *c, const struct sub_option *o)
{
    fprintf(out,
            "complete -c gpu-tracker -n '__fish_seen_subcommand_from sub-track; "
            "and __fish_seen_subcommand_from %s'",
            c->name);
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
    print_fish_text(out, o->help);
    fputs("'\n", out);
}

void completions_sub_track_fish(FILE *out)
{
    for (const struct sub_command *c = sub_commands; c->name; c++) {
        fputs("complete -c gpu-tracker -n '__fish_seen_subcommand_from sub-track; "
              "and not __fish_seen_subcommand_from ",
              out);
        print_commands(out);
        fprintf(out, "' -f -a %s -d '", c->name);
        print_fish_text(out, c->help);
        fputs("'\n", out);
        for (const struct sub_option *o = c->options; o->name; o++)
            print_fish_option(out, c, o);
    }
}
