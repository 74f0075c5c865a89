/* main.c - gpu-tracker: options, then a subcommand or the command to run. */
#include "commands/commands.h"
#include "gput.h"
#include "options/defaults.h"
#include "options/help.h"
#include "options/options.h"
#include "output/exit_codes.h"
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A descriptor opened later must not become a closed standard stream, or results land in it.  A
 * path-only descriptor fails like a closed one, and the command still gets it closed. */
static void hold_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/", O_PATH | O_CLOEXEC); /* takes the lowest number: this one */
}

/* Installed with the rights of somebody else it would lend them to the user that starts it, who chooses the
 * command that it runs and the files that it writes. */
static int be_who_started_us(void)
{
    uid_t uid = getuid();
    gid_t gid = getgid();

    if (uid == geteuid() && gid == getegid())
        return 0;
    return setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0 ? -errno : 0;
}

static const struct command *find_subcommand(const struct options *o)
{
    if (o->given.after_dashes || o->n_words == 0 || o->execute || o->pid)
        return NULL;
    return command_find(gpu_tracker.subcommands, o->words[0]);
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
    const struct command *subcommand;
    struct options o = { .tconfig = NULL };
    struct refusal why;
    int status, word;

    hold_closed_streams();
    if (be_who_started_us() < 0) {
        say("cannot give up the rights that it was installed with: %s", strerror(errno));
        return EXIT_TRACKER_FAILED;
    }
    word = options_parse(&gpu_tracker, &o.given, argc, argv, &why);
    if (word < 0) {
        say("%s", why.text);
        return EXIT_USAGE;
    }
    o.words = argv + word;
    o.n_words = argc - word;
    if (o.help)
        help_print(stdout, &gpu_tracker);
    else if (o.version)
        puts(gput_version());
    if (o.help || o.version)
        return flushed(0);
    subcommand = find_subcommand(&o);
    if (subcommand && o.words[0] != argv[1]) {
        say("%s: its options go behind its name", subcommand->name);
        return EXIT_USAGE;
    }
    if (subcommand)
        return flushed(command_run(subcommand, o.n_words, o.words));
    if (defaults_add(&o, &why) == 0) {
        status = run(&o);
    } else {
        say("%s", why.text);
        status = EXIT_USAGE;
    }
    options_free(&o.given);
    defaults_free();
    return status;
}
