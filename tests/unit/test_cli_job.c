/* test_cli_job.c - exactly one of -e, words after the options, and --pid. */
#include "options/job.h"

#include <errno.h>
#include <string.h>

#include "tap.h"

static char *words[] = { (char *)"ls", (char *)"-l", NULL };
static char *empty[] = { (char *)"", NULL };

static void refused(struct options o, const char *part)
{
    struct refusal why = { "" };
    struct job job;

    o.given.options = run_options;
    OK(job_choose(&o, &job, &why) == -EINVAL && strstr(why.text, part), "%s", why.text);
    job_free(&job);
}

static void one_of_three(void)
{
    struct options by_words = { .given = { .options = run_options }, .words = words, .n_words = 2 };
    struct options by_text = { .given = by_words.given, .words = words + 2, .execute = "ls '-l'" };
    struct options by_pid = { .given = by_words.given, .words = words + 2, .pid = 12 };
    struct refusal why = { "" };
    struct job job;

    OK(job_choose(&by_words, &job, &why) == 0 && job.argv == words, "words are taken as they are");
    job_free(&job);
    OK(job_choose(&by_text, &job, &why) == 0 && strcmp(job.argv[1], "-l") == 0 && !job.argv[2],
       "-e is split");
    job_free(&job);
    OK(job_choose(&by_pid, &job, &why) == 0 && !job.argv, "a process has no words");
    job_free(&job);
}

static void none_or_two(void)
{
    const struct given given = { .options = run_options, .config = "c.json" };
    struct options late = { .given = given, .words = words + 2, .pid = 12, .timeout = 1 };
    struct options configured = { .given = given, .words = words, .n_words = 2, .pid = 12 };

    refused((struct options){ .words = words + 2 }, "no command to run (see gpu-tracker --help)");
    refused((struct options){ .words = empty, .n_words = 1 }, "the command is empty");
    refused((struct options){ .words = words + 2, .execute = " " }, "the command is empty");
    refused((struct options){ .words = words, .n_words = 2, .execute = "df" }, "two commands");
    refused((struct options){ .words = words, .n_words = 2, .pid = 12 }, "--pid and a command");
    refused((struct options){ .words = words + 2, .execute = "df", .pid = 12 }, "('df')");
    late.given.origin[OPT_TIMEOUT] = FROM_LINE;
    refused(late, "--pid and --timeout");
    configured.given.origin[OPT_PID] = FROM_CONFIG;
    refused(configured, "c.json: process_id and a command");
}

int main(void)
{
    one_of_three();
    none_or_two();
    return DONE();
}
