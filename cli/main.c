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

/* In the order of --help: measuring, looking at what was measured, advice, the machine. */
const struct sub_command subcommands[] = {
    { .name = "sub-track",
      .run = command_sub_track,
      .usage = "mark|run|combine|analyze|compare [options]",
      .help = "Tell which part of the code costs what: marks and their analysis." },
    { .name = "process",
      .run = command_stream,
      .usage = "[--pid=<pid>] [options]",
      .help = "Tell what a process and its descendants do: a row each second.",
      .about =
          "Tells what a process and its descendants do: a row of CPU, memory (PSS), disk and "
          "GPUs for each interval, at its multiples by the wall clock, until the process ends.",
      .options = process_options },
    { .name = "system",
      .run = command_stream,
      .usage = "[options]",
      .help = "Tell what the whole machine does: a row each second.",
      .about = "Tells what the whole machine does: a row of CPU, memory, disks, network and GPUs "
               "for each interval, at its multiples by the wall clock, until it is interrupted.",
      .options = system_options },
    { .name = "report",
      .run = command_report,
      .usage = "[options] FILE [RESULT]",
      .help = "Show a finished run: an HTML page with charts and advice, or text.",
      .about = "Writes the report of a finished run as one HTML page that needs nothing else, and "
               "prints its name.\n\n"
               "FILE is what is left of the run: its tracking file (--tf), or its result as JSON "
               "(-f json, best with --full). The tracking file tells how the figures moved, the "
               "result how the run ended; given both, in either order, the page has both.\n"
               "With --text it prints charts for a terminal instead.",
      .options = report_options },
    { .name = "recommend",
      .run = command_recommend,
      .usage = "FILE... [options]",
      .help = "Tell what to ask a scheduler for, or which server to rent.",
      .about = "Tells what to ask for next time, from what is left of finished runs: tracking "
               "files, results (-f json), snapshots of resource_tracker, streams.",
      .options = recommend_options },
    { .name = "catalogue",
      .run = command_catalogue,
      .usage = "show|update [options]",
      .help = "Show servers to rent and what they cost, or store another list.",
      .about = "Shows types of servers to rent and what they cost, cheapest first; or stores "
               "another catalogue, which is then used in the place of the built-in one.",
      .options = catalogue_options },
    { .name = "discover",
      .run = command_discover,
      .usage = "[options]",
      .help = "Tell what this server is and which cloud it is in.",
      .about = "Tells what this server is (system, CPU, memory, GPUs, disks, limits) and which "
               "cloud it is in: vendor, instance type, region. The firmware's names tell which "
               "cloud's metadata service is asked; where they name none nobody is asked.",
      .options = discover_options },
    { .name = "doctor",
      .run = command_doctor,
      .usage = "[options]",
      .help = "Tell what can be measured here, and what would change that.",
      .about = "Tells what can be measured on this machine, what cannot, and what would change it.",
      .options = doctor_options },
    { .name = "completions", .run = command_completions, .usage = "bash|zsh|fish" },
    { .name = "gput-helper", .run = command_helper, .usage = "FD" },
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

/* Installed with the rights of somebody else it would lend them to whoever starts it, who chooses the
 * command that it runs and the files that it writes. */
static int be_who_started_us(void)
{
    uid_t uid = getuid();
    gid_t gid = getgid();

    if (uid == geteuid() && gid == getegid())
        return 0;
    return setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0 ? -errno : 0;
}

static const struct sub_command *find_subcommand(const struct options *o)
{
    if (o->after_dashes || o->n_words == 0 || o->execute || o->pid)
        return NULL;
    return sub_command_find(subcommands, o->words[0]);
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

static int run_subcommand(const struct sub_command *command, int argc, char **argv)
{
    if (!command->options || !help_is_wanted(argc, argv))
        return command->run(command, argc, argv);
    help_print_command(stdout, command->name, command);
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
    const struct sub_command *subcommand;
    struct options o;
    struct refusal why;
    int status;

    hold_closed_streams();
    if (be_who_started_us() < 0) {
        say("cannot give up the rights that it was installed with: %s", strerror(errno));
        return EXIT_TRACKER_FAILED;
    }
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
        return flushed(run_subcommand(subcommand, o.n_words, o.words));
    status = run(&o);
    options_free(&o);
    return status;
}
