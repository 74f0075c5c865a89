/* completions.c - gpu-tracker completions bash|zsh|fish. */
#include "completions.h"

#include "commands.h"
#include "exit_codes.h"

#include <string.h>

struct shell {
    const char *name;
    void (*print)(FILE *out);
};

static const struct shell shells[] = {
    { "bash", completions_bash },
    { "zsh", completions_zsh },
    { "fish", completions_fish },
};

/* "e.g. x" goes on; ". X" and "; x" do not. */
static bool ends_here(const char *p)
{
    if (*p == '.')
        return !p[1] || (p[1] == ' ' && p[2] >= 'A' && p[2] <= 'Z');
    return *p == ';';
}

void completions_summary(const struct option_def *def, char *ret, size_t size)
{
    const char *end = def->help;

    while (*end && !ends_here(end))
        end++;
    snprintf(ret, size, "%.*s", (int)(end - def->help), def->help);
}

int command_completions(const struct sub_command *command, int argc, char **argv)
{
    (void)command;
    for (size_t i = 0; argc == 2 && i < sizeof(shells) / sizeof(*shells); i++) {
        if (strcmp(argv[1], shells[i].name) == 0) {
            shells[i].print(stdout);
            return 0;
        }
    }
    say("usage: gpu-tracker completions bash|zsh|fish");
    return EXIT_USAGE;
}
