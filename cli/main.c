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

const struct subcommand subcommands[] = {
    { "catalogue", command_catalogue, "show|update [options]",
      "Show types of servers to rent and what they cost, or store another catalogue of them.",
      catalogue_options },
    { "completions", command_completions, "bash|zsh|fish", NULL, NULL },
    { "discover", command_discover, "[--format=<format>] [--server] [--cloud]",
      "Tell what this server is and which cloud it is in.", discover_options },
    { "doctor", command_doctor, "[--format=<format>]",
      "Tell what can be measured on this machine, what cannot, and what would change it.", NULL },
    { "gput-helper", command_helper, "FD", NULL, NULL },
    { "process", command_process, "[--pid=<pid>] [options]",
      "Tell what a process and its descendants do: a row each second.", process_options },
    { "recommend", command_recommend, "FILE... [--for=<target>] [--margin=<share>]",
      "Tell what to ask for next time: cores, memory, GPUs and time, for a scheduler's file.",
      recommend_options },
    { "report", command_report, "FILE [RESULT] [options]",
      "Write the report of a finished run: an HTML page with charts and advice.", report_options },
    { "sub-track", command_sub_track, "mark|run|combine|analyze|compare [options]",
      "Tell which part of the code costs what: marks of code blocks, and their analysis.", NULL },
    { "system", command_system, "[options]",
      "Tell what the whole machine does: a row of CPU, memory, disks, network and GPUs each "
      "second.",
      system_options },
    { .name = NULL },
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
    for (const struct subcommand *s = subcommands; s->name; s++)
        if (strcmp(o->words[0], s->name) == 0)
            return s;
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
    if (subcommand && o.words[0] != argv[1]) {
        say("%s: its options go behind its name", subcommand->name);
        return EXIT_USAGE;
    }
    if (subcommand)
        return flushed(subcommand->run(o.n_words, o.words));
    status = run(&o);
    options_free(&o);
    return status;
}
