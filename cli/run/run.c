/* run.c - run mode: tracks a command or a running process and writes what it used. */
#include "run/run.h"

#include "gput.h"
#include "options/config.h"
#include "options/job.h"
#include "options/place.h"
#include "output/exit_codes.h"
#include "output/expand.h"
#include "output/write.h"
#include "run/append.h"
#include "run/ci.h"
#include "run/history.h"
#include "run/live_page.h"
#include "run/progress.h"
#include "run/report.h"
#include "run/result.h"
#include "terminal/plot.h"

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
    struct output output, report_output;
    struct progress progress;
    struct run_history history;
    struct run_ci ci;
    struct gput_tracker *tracker;
    struct gput_page *page; /* NULL: none */
    char *tags;             /* lines */
    struct gput_launch launch;
    char *output_name, *tracking_file, *report_file; /* %h and the like replaced */
    char output_label[LABEL_SIZE], tracking_label[LABEL_SIZE], report_label[LABEL_SIZE];
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

static int check_apart(const struct run *run, struct refusal *ret_why)
{
    struct named files[] = { { run->output_label, run->output_name },
                             { "--output, for the result so far,", NULL },
                             { run->tracking_label, run->tracking_file },
                             { run->report_label, run->report_file },
                             { run->ci.junit_label, run->ci.junit_file } };
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
    struct options *o = run->o;
    char host[256];
    struct expansion by;

    expand_here(host, &by);
    if (place_choose(o, &by.launch, ret_why) < 0)
        return -EINVAL;
    run->launch = by.launch;
    o->quiet = o->quiet || (o->fleet && !o->output);
    option_label(&o->given, OPT_OUTPUT, run->output_label);
    option_label(&o->given, OPT_TF, run->tracking_label);
    option_label(&o->given, OPT_REPORT, run->report_label);
    if (o->report && strcmp(o->report, "-") == 0)
        return refuse(ret_why, "--report: the job writes to standard output; name a file");
    if (o->output && strcmp(o->output, "-") != 0 &&
        expand(run->output_label, o->output, &by, &run->output_name, ret_why) < 0)
        return -EINVAL;
    if (o->tracking_file &&
        expand(run->tracking_label, o->tracking_file, &by, &run->tracking_file, ret_why) < 0)
        return -EINVAL;
    if (o->report && expand(run->report_label, o->report, &by, &run->report_file, ret_why) < 0)
        return -EINVAL;
    if (run_ci_expand(&run->ci, o, &by, ret_why) < 0)
        return -EINVAL;
    return check_apart(run, ret_why);
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
    if (run->o->plot && !run->output_name && run->o->format == GPUT_JSON)
        return refuse(ret_why, "--plot: the JSON goes to standard output too; give it a file (-o)");
    if (run->report_file &&
        output_prepare(run->report_label, run->report_file, &run->report_output, ret_why) < 0)
        return -EINVAL;
    if (run_history_choose(&run->history, run->o, ret_why) < 0 ||
        run_ci_prepare(&run->ci, run->o, ret_why) < 0)
        return -EINVAL;
    if (output_prepare(run->output_label, run->output_name, &run->output, ret_why) < 0 ||
        append_check(run->o, run->output_name, &run->output, ret_why) < 0)
        return -EINVAL;
    if (run->o->append)
        output_set_append(&run->output, run->o->format == GPUT_CSV);
    return 0;
}

static uint32_t flags_of(const struct options *o)
{
    uint32_t flags = GPUT_FINDABLE;

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
    if (o->kill_over_budget)
        flags |= GPUT_KILL_OVER_BUDGET;
    if (o->full)
        flags |= GPUT_WANT_ALL;
    if (!progress_tells_of_no_gpu(o))
        flags |= GPUT_NO_GPU_IS_NO_NEWS;
    if (o->report || o->plot || o->serve)
        flags |= GPUT_KEEP_SERIES;
    if (o->tracking_file && o->tf_columns && strcmp(o->tf_columns, "all") == 0)
        flags |= GPUT_ALL_COLUMNS;
    return flags;
}

/* "--ru: ..." as the user knows it, where the library blames one of its options. */
static void say_error(const struct options *o, const struct gput_error *error, int r)
{
    const char *text = error->text[0] ? error->text : strerror(-r);
    int id = option_by_key(run_options, error->field);
    char label[LABEL_SIZE];

    if (id < 0) {
        say("%s%s%s", error->field, error->field[0] ? ": " : "", text);
        return;
    }
    say("%s: %s", option_label(&o->given, id, label), text);
}

static int refused(const struct options *o, const struct gput_error *error, int r)
{
    say_error(o, error, r);
    return error->field[0] ? EXIT_USAGE : EXIT_TRACKER_FAILED;
}

/* "auto" is chosen at the end; a tracking file cannot wait for that. */
static const char *fixed_unit(const char *unit)
{
    return unit && strcmp(unit, "auto") == 0 ? NULL : unit;
}

static int open_tracker(struct run *run)
{
    const struct options *o = run->o;
    struct gput_error error = { .field = "" };
    struct gput_options opts = GPUT_OPTIONS_INIT;
    int r;

    opts.flags = flags_of(o);
    opts.sleep_time = o->sleep_time;
    opts.ram_unit = fixed_unit(o->ram_unit);
    opts.gpu_ram_unit = fixed_unit(o->gpu_ram_unit);
    opts.time_unit = fixed_unit(o->time_unit);
    opts.n_expected_cores = o->n_expected_cores;
    opts.gpu_uuids = o->gpu_uuids;
    opts.gpu_brand = o->gpu_brand;
    opts.tracking_file = run->tracking_file;
    opts.timeout = o->timeout;
    opts.carbon_intensity = o->carbon;
    opts.budget = o->budget;
    opts.discover = o->report || o->serve ? GPUT_DISCOVER_CLOUD : 0;
    opts.job_name = o->job_name;
    opts.tags = run->tags = many_lines(&o->tags);
    opts.fleet = o->fleet;
    opts.launch = &run->launch;
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
    char label[LABEL_SIZE];
    const char *near;
    int r;

    if (!run->job.argv) {
        r = gput_tracker_attach(run->tracker, run->o->pid, &error);
        if (r < 0 && error.field[0] && strcmp(error.field, "process_id"))
            return refused(run->o, &error, r);
        if (r < 0)
            say("%s: %s", option_label(&run->o->given, OPT_PID, label),
                error.text[0] ? error.text : strerror(-r));
        return r == 0 ? 0 : r == -ESRCH ? EXIT_USAGE : EXIT_TRACKER_FAILED;
    }
    r = gput_tracker_spawn(run->tracker, run->job.argv, &error);
    if (r == 0)
        return 0;
    if (error.field[0])
        return refused(run->o, &error, r);
    near = r == -ENOENT ? command_near(run->o->given.command->subcommands, run->job.argv[0]) : NULL;
    if (near)
        say("%s; did you mean the subcommand '%s'?", error.text, near);
    else
        say("%s%s", error.text[0] ? error.text : strerror(-r), hint(run->job.argv[0], r));
    return spawn_status(r);
}

static void do_nothing(int sig)
{
    (void)sig;
}

/* Only after the start: the command keeps the dispositions that we were given.  A handler, not SIG_IGN:
 * that would drop a signal for the command which has come since, and is yet to be passed on. */
static void survive_write_signals(void)
{
    struct sigaction handled = { .sa_handler = do_nothing, .sa_flags = SA_RESTART };

    sigaction(SIGPIPE, &handled, NULL);
    sigaction(SIGXFSZ, &handled, NULL);
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

/* Reports and pictures are written last: whatever becomes of them, the result is out.  They are made
 * first: a result that waits for its reader is written without the tracker. */
struct extras {
    char *picture, *html;
};

static struct extras make_extras(struct run *run)
{
    struct plot picture = { .tracker = run->tracker, .no_redact = run->o->no_redact };

    return (struct extras){ .picture = run->o->plot ? plot_text(&picture) : NULL,
                            .html = run->report_file || run->page
                                        ? report_html(run->tracker, run->o->no_redact)
                                        : NULL };
}

static void write_extras(struct run *run, struct extras *e)
{
    int r = 0;

    if (e->picture)
        (void)write_all(STDOUT_FILENO, e->picture, strlen(e->picture));
    if (e->html && run->report_file)
        r = output_finish(&run->report_output, e->html);
    if (r < 0)
        say("cannot write the report to %s: %s", run->report_file, output_why(r));
    else if (e->html && run->report_file && !run->o->quiet)
        say_bare("Report: %s", run->report_file);
    free(e->picture);
    free(e->html);
}

/* The program, for who receives figures of a run without a name. */
static const char *program_of(const struct run *run)
{
    const char *slash = run->job.argv ? strrchr(run->job.argv[0], '/') : NULL;

    return !run->job.argv ? NULL : slash && slash[1] ? slash + 1 : run->job.argv[0];
}

static int start_exports(struct run *run)
{
    const struct gput_callbacks on = progress_callbacks(&run->progress);
    const struct options *o = run->o;
    const struct exports_about about = { .prefix = "",
                                         .task = program_of(run),
                                         .launch = &run->launch,
                                         .no_redact = o->no_redact,
                                         .is_quiet = o->quiet };

    return exports_start(&o->exports, &o->given, &about, run->tracker, &on,
                         &run->progress.exporter);
}

/* Not for long where nobody looks at the page. */
static void end_page(struct run *run)
{
    if (run->page)
        gput_page_end(run->page, NULL); /* no report was made */
    run->page = gput_page_close(run->page);
}

static int start_page(struct run *run)
{
    const struct gput_callbacks on = progress_callbacks(&run->progress);

    return live_page_start(run->o, run->tracker, &on, &run->page);
}

static int track(struct run *run)
{
    struct gput_usage usage = { .size = sizeof(usage) };
    int r;

    survive_write_signals();
    give_up_rights();
    if (run->progress.exporter)
        gput_exporter_update(run->progress.exporter, run->tracker);
    r = gput_tracker_wait(run->tracker);
    progress_end(&run->progress);
    if (r < 0)
        say("tracking failed: %s", strerror(-r));
    r = gput_tracker_usage(run->tracker, &usage);
    if (r < 0)
        say("the figures are lost: %s", strerror(-r));
    if (run->progress.exporter)
        gput_exporter_end(run->progress.exporter, run->tracker);
    result_choose_units(run->o, &usage);
    wait_untracked(run, &usage);
    result_say(run->o, run->tracker, &usage);
    if (r == 0) {
        struct extras extras = make_extras(run);

        if (run->page)
            gput_page_end(run->page, extras.html);
        run_history_record(&run->history, run->o, &usage);
        run_ci_record(&run->ci, run->o, &usage);
        if (run->output_name || !run->o->fleet) /* else hundreds of ranks print one */
            run->tracker = result_write(run->o, &run->output, run->tracker, &usage);
        write_extras(run, &extras);
        run_ci_write(&run->ci);
        run_history_add(&run->history);
    }
    run->progress.exporter = gput_exporter_close(run->progress.exporter);
    end_page(run);
    return result_status(run->o, &usage);
}

int run(struct options *o)
{
    struct run state = { .o = o, .output.fd = -1, .report_output.fd = -1, .ci.junit.fd = -1 };
    struct refusal why;
    int status = EXIT_USAGE;

    if (prepare(&state, &why) < 0) {
        say("%s", why.text);
        goto done;
    }
    state.progress = (struct progress){ .o = o, .output = &state.output };
    status = open_tracker(&state);
    if (status == 0)
        status = start_exports(&state);
    if (status == 0)
        status = start_page(&state);
    if (status == 0)
        status = start(&state);
    if (status == 0)
        status = track(&state);
done:
    gput_exporter_close(state.progress.exporter);
    end_page(&state);
    gput_tracker_close(state.tracker);
    output_free(&state.output);
    output_free(&state.report_output);
    run_ci_free(&state.ci);
    job_free(&state.job);
    free(state.output_name);
    free(state.tracking_file);
    free(state.report_file);
    free(state.tags);
    run_history_free(&state.history);
    return status;
}
