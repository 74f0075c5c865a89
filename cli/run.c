/* run.c - run mode: tracks a command or a running process and writes what it used. */
#include "run.h"

#include "config.h"
#include "exit_codes.h"
#include "expand.h"
#include "gput.h"
#include "job.h"
#include "page.h"
#include "plot.h"
#include "progress.h"
#include "result.h"
#include "write.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
    struct options *o;
    struct job job;
    struct output output, page_output;
    struct progress progress;
    struct gput_tracker *tracker;
    char *output_name, *tracking_file, *page; /* %h, %p, %r and %% replaced */
};

struct named {
    const char *label, *file; /* NULL: it was not given */
};

/* What one of them writes the other would replace. */
static int check_pair(const struct named *a, const struct named *b, struct refusal *ret_why)
{
    if (!a->file || !b->file || !gput_file_is_same(a->file, b->file))
        return 0;
    if (strcmp(a->file, b->file) == 0)
        return refuse(ret_why, "%s and %s name the same file: '%s'", a->label, b->label, a->file);
    return refuse(ret_why, "%s and %s name the same file: '%s' is '%s'", a->label, b->label,
                  a->file, b->file);
}

static int check_apart(const struct run *run, const char *tracking_label, struct refusal *ret_why)
{
    struct named files[] = { { "--output", run->output_name },
                             { "--output, for the result so far,", NULL },
                             { tracking_label, run->tracking_file },
                             { "--report", run->page } };
    const size_t n = sizeof(files) / sizeof(*files);
    char *partial = NULL;
    int r = 0;

    if (run->output_name && asprintf(&partial, "%s.partial", run->output_name) < 0)
        return refuse(ret_why, "%s", strerror(ENOMEM));
    files[1].file = partial;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && r == 0; j++)
            r = check_pair(&files[i], &files[j], ret_why);
    free(partial);
    return r;
}

static int expand_names(struct run *run, struct refusal *ret_why)
{
    const struct options *o = run->o;
    char host[256], label[300];
    struct expansion by;

    expand_here(host, &by);
    if (o->report && strcmp(o->report, "-") == 0)
        return refuse(ret_why, "--report: the job writes to standard output; name a file");
    if (o->output && strcmp(o->output, "-") != 0 &&
        expand("--output", o->output, &by, &run->output_name, ret_why) < 0)
        return -EINVAL;
    option_label(o, OPT_TF, o->origin[OPT_TF], label, sizeof(label));
    if (o->tracking_file && expand(label, o->tracking_file, &by, &run->tracking_file, ret_why) < 0)
        return -EINVAL;
    if (o->report && expand("--report", o->report, &by, &run->page, ret_why) < 0)
        return -EINVAL;
    return check_apart(run, label, ret_why);
}

/* All that can be refused without the library, before anything is touched. */
static int prepare(struct run *run, struct refusal *ret_why)
{
    if (run->o->tconfig && config_load(run->o, ret_why) < 0)
        return -EINVAL;
    if (job_choose(run->o, &run->job, ret_why) < 0)
        return -EINVAL;
    if (expand_names(run, ret_why) < 0)
        return -EINVAL;
    if (run->o->plot && !run->output_name && option_format(run->o) == GPUT_JSON)
        return refuse(ret_why, "--plot: the JSON goes to standard output too; give it a file (-o)");
    if (run->page && output_prepare("--report", run->page, &run->page_output, ret_why) < 0)
        return -EINVAL;
    return output_prepare("--output", run->output_name, &run->output, ret_why);
}

static uint32_t flags_of(const struct options *o)
{
    uint32_t flags = 0;

    if (o->no_subreaper)
        flags |= GPUT_NO_SUBREAPER;
    if (o->wait_descendants)
        flags |= GPUT_WAIT_DESCENDANTS;
    if (o->overwrite)
        flags |= GPUT_OVERWRITE;
    if (o->no_watch)
        flags |= GPUT_NO_WATCH;
    if (o->cgroup)
        flags |= GPUT_CGROUP;
    if (o->full)
        flags |= GPUT_WANT_ALL;
    if (o->report || o->plot)
        flags |= GPUT_KEEP_SERIES;
    if (o->tracking_file && o->tf_columns && strcmp(o->tf_columns, "all") == 0)
        flags |= GPUT_ALL_COLUMNS;
    return flags;
}

/* "--ru: ..." as the user knows it, where the library blames one of its options. */
static void say_error(const struct options *o, const struct gput_error *error, int r)
{
    const char *text = error->text[0] ? error->text : strerror(-r);
    int id = option_by_key(error->field);
    char label[300];

    if (id < 0) {
        say("%s%s%s", error->field, error->field[0] ? ": " : "", text);
        return;
    }
    option_label(o, (enum option_id)id, o->origin[id], label, sizeof(label));
    say("%s: %s", label, text);
}

static int refused(const struct options *o, const struct gput_error *error, int r)
{
    say_error(o, error, r);
    return error->field[0] ? EXIT_USAGE : EXIT_TRACKER_FAILED;
}

static int open_tracker(struct run *run)
{
    const struct options *o = run->o;
    struct gput_error error = { .field = "" };
    struct gput_options opts = GPUT_OPTIONS_INIT;
    int r;

    opts.flags = flags_of(o);
    opts.sleep_time = o->sleep_time;
    opts.ram_unit = o->ram_unit;
    opts.gpu_ram_unit = o->gpu_ram_unit;
    opts.time_unit = o->time_unit;
    opts.n_expected_cores = o->n_expected_cores;
    opts.gpu_uuids = o->gpu_uuids;
    opts.gpu_brand = o->gpu_brand;
    opts.tracking_file = run->tracking_file;
    opts.timeout = o->timeout;
    opts.discover = o->report ? GPUT_DISCOVER_CLOUD : 0;
    opts.on = progress_callbacks(&run->progress);
    r = gput_tracker_open(&opts, &run->tracker, &error);
    return r == 0 ? 0 : refused(o, &error, r);
}

static int spawn_status(int r)
{
    switch (-r) {
    case ENOENT:
    case ENOTDIR:
        return EXIT_NOT_FOUND;
    case EACCES:
    case EPERM:
    case ENOEXEC:
    case EISDIR:
    case ELOOP:
    case ETXTBSY:
    case E2BIG:
    case ELIBBAD:
    case ENAMETOOLONG:
        return EXIT_CANNOT_EXECUTE;
    default:
        return EXIT_TRACKER_FAILED;
    }
}

/* What was probably meant by a command that cannot be run. */
static const char *hint(const char *command, int r)
{
    if (r == -ENOENT && strchr(command, ' '))
        return "; a command with its arguments in one word is for -e";
    if (r == -ENOENT && !strchr(command, '/') && access(command, F_OK) == 0)
        return "; there is such a file here, but commands are looked for in PATH: name it with ./, "
               "or the program that runs it first";
    if (r == -EACCES && access(command, F_OK) == 0 && access(command, X_OK) < 0)
        return "; it is not executable: name the program that runs it first";
    return "";
}

static int start(struct run *run)
{
    struct gput_error error = { .field = "" };
    int r;

    if (!run->job.argv) {
        r = gput_tracker_attach(run->tracker, run->o->pid, &error);
        if (r < 0 && error.field[0] && strcmp(error.field, "process_id"))
            return refused(run->o, &error, r);
        if (r < 0)
            say("--pid: %s", error.text[0] ? error.text : strerror(-r));
        return r == 0 ? 0 : r == -ESRCH ? EXIT_USAGE : EXIT_TRACKER_FAILED;
    }
    r = gput_tracker_spawn(run->tracker, run->job.argv, &error);
    if (r == 0)
        return 0;
    if (error.field[0])
        return refused(run->o, &error, r);
    say("%s%s", error.text[0] ? error.text : strerror(-r), hint(run->job.argv[0], r));
    return spawn_status(r);
}

/* Only after the start: the command keeps the dispositions that we were given. */
static void ignore_write_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Likewise: nothing of this is the command's.  We start no program any more, least of all one with
 * more rights; and what a crash of ours leaves behind would lie in the command's folder. */
static void give_up_rights(void)
{
    struct rlimit core;

    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur > 0) {
        core.rlim_cur = 0;
        (void)setrlimit(RLIMIT_CORE, &core);
    }
}

/* The tracking broke down: the command's end is still waited for and its status passed on. */
static void wait_untracked(struct run *run, struct gput_usage *usage)
{
    int status;
    pid_t pid;

    if (!run->job.argv || usage->job.ending != GPUT_RUNNING || usage->job.pid <= 0)
        return;
    do
        pid = waitpid(usage->job.pid, &status, 0);
    while (pid < 0 && errno == EINTR);
    if (pid < 0)
        return;
    usage->job.ending = WIFSIGNALED(status) ? GPUT_SIGNALED : GPUT_EXITED;
    usage->job.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* Pages and pictures are written last: whatever becomes of them, the result is out.  They are made
 * first: a result that waits for its reader is written without the tracker. */
struct extras {
    char *picture, *page;
};

static struct extras make_extras(struct run *run)
{
    struct plot picture = { .tracker = run->tracker };

    return (struct extras){ .picture = run->o->plot ? plot_text(&picture) : NULL,
                            .page = run->page ? page_text(run->tracker) : NULL };
}

static void write_extras(struct run *run, struct extras *e)
{
    int r = 0;

    if (e->picture)
        (void)write_all(STDOUT_FILENO, e->picture, strlen(e->picture));
    if (e->page)
        r = output_finish(&run->page_output, e->page);
    if (r < 0)
        say("cannot write the report to %s: %s", run->page, output_why(r));
    else if (e->page && !run->o->quiet)
        say_bare("Report: %s", run->page);
    free(e->picture);
    free(e->page);
}

static int track(struct run *run)
{
    struct gput_usage usage = { .size = sizeof(usage) };
    int r;

    ignore_write_signals();
    give_up_rights();
    r = gput_tracker_wait(run->tracker);
    progress_end(&run->progress);
    if (r < 0)
        say("tracking failed: %s", strerror(-r));
    r = gput_tracker_usage(run->tracker, &usage);
    if (r < 0)
        say("the figures are lost: %s", strerror(-r));
    wait_untracked(run, &usage);
    result_say(run->o, run->tracker, &usage);
    if (r == 0) {
        struct extras extras = make_extras(run);

        run->tracker = result_write(run->o, &run->output, run->tracker, &usage);
        write_extras(run, &extras);
    }
    return result_status(run->o, &usage);
}

int run(struct options *o)
{
    struct run state = { .o = o, .output.fd = -1, .page_output.fd = -1 };
    struct refusal why;
    int status = EXIT_USAGE;

    if (prepare(&state, &why) < 0) {
        say("%s", why.text);
        goto done;
    }
    state.progress = (struct progress){ .o = o, .output = &state.output };
    status = open_tracker(&state);
    if (status == 0)
        status = start(&state);
    if (status == 0)
        status = track(&state);
done:
    gput_tracker_close(state.tracker);
    output_free(&state.output);
    output_free(&state.page_output);
    job_free(&state.job);
    free(state.output_name);
    free(state.tracking_file);
    free(state.page);
    return status;
}
