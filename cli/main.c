/* main.c - gpu-tracker: options, then a subcommand or the command to run. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "help.h"
#include "options.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help; /* NULL: hidden */
};

static const struct subcommand subcommands[] = {
    { "completions", command_completions, NULL },
    { "doctor", command_doctor, "Tell what can be measured on this machine and what cannot." },
};

/* A descriptor opened later must not become a closed standard stream, or results land in it.  A
 * path-only descriptor fails like a closed one, and the command still gets it closed. */
static void hold_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/", O_PATH | O_CLOEXEC); /* takes the lowest number: this one */
}

static const struct subcommand *find_subcommand(const struct options *o)
{
    if (o->after_dashes || o->n_words == 0 || o->execute || o->pid)
        return NULL;
    for (size_t i = 0; i < sizeof(subcommands) / sizeof(*subcommands); i++)
        if (strcmp(o->words[0], subcommands[i].name) == 0)
            return &subcommands[i];
    return NULL;
}

static int print_help(void)
{
    help_print(stdout);
    return 0;
}

static int print_version(void)
{
    puts(gput_version());
    return 0;
}

/* What was printed counts only once it is out. */
static int flushed(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    say("standard output: %s", strerror(errno));
    return EXIT_FAILED;
}

int main(int argc, char **argv)
{
    const struct subcommand *subcommand;
    struct options o;
    struct refusal why;
    int status;

    hold_closed_streams();
    if (options_parse(&o, argc, argv, &why) < 0) {
        say("%s", why.text);
        return EXIT_USAGE;
    }
    if (o.help)
        return flushed(print_help());
    if (o.version)
        return flushed(print_version());
    subcommand = find_subcommand(&o);
    if (subcommand)
        return flushed(subcommand->run(o.n_words, o.words));
    status = run(&o);
    options_free(&o);
    return status;
}
