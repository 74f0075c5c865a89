/* completions_fish.c - completions for fish. */
#include "completions.h"

#include "commands.h"

static void print_argument(FILE *out, const struct option_def *def)
{
    if (def->kind == KIND_FILE) {
        fputs(" -r -F", out);
        return;
    }
    fputs(" -x", out);
    if (def->kind == KIND_CHOICE) {
        fputs(" -a '", out);
        for (const char *const *choice = def->choices; *choice; choice++)
            fprintf(out, "%s%s", choice == def->choices ? "" : " ", *choice);
        putc('\'', out);
    } else if (def == option_def(OPT_PID)) {
        fputs(" -a '(__fish_complete_pids)'", out);
    } else if (def->kind == KIND_COMMAND) {
        fputs(" -a '(__fish_complete_command)'", out);
    }
}

/* Options whose argument may be the next word, which is then no command. */
static void print_with_argument(FILE *out)
{
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_def *def = option_def((enum option_id)id);

        if (def->argument && def->letter)
            fprintf(out, " -%c", def->letter);
        if (def->argument)
            fprintf(out, " --%s", def->name);
    }
}

static void print_subcommands(FILE *out)
{
    for (const struct sub_command *s = subcommands; s->name; s++) {
        if (!s->help)
            continue;
        fprintf(out, "complete -c gpu-tracker -n __fish_use_subcommand -a %s -d '", s->name);
        completions_fish_text(out, s->help);
        fputs("'\n", out);
    }
}

void completions_fish(FILE *out)
{
    fputs("# fish completion for gpu-tracker\n"
          "\n"
          "complete -c gpu-tracker -x -a '(__fish_complete_subcommand --fcs-skip=1",
          out);
    print_with_argument(out);
    fputs(")'\n", out);
    print_subcommands(out);
    completions_sub_track_fish(out);
    completions_subcommands_fish(out);
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_def *def = option_def((enum option_id)id);
        char summary[200];

        if (!def->help)
            continue;
        fputs("complete -c gpu-tracker", out);
        if (def->letter)
            fprintf(out, " -s %c", def->letter);
        fprintf(out, " -l %s", def->name);
        if (def->argument)
            print_argument(out, def);
        completions_summary(def, summary, sizeof(summary));
        fputs(" -d '", out);
        completions_fish_text(out, summary);
        fputs("'\n", out);
    }
}
