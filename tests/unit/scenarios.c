/* scenarios.c - every call of the public interface once, on files of its own. */
#include "scenarios.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "fixture.h"

static struct fixture work; /* files that the calls make */
static const char *fixtures;

static const char catalogue[] =
    "vendor,type,vcpus,mem_mib,gpus,gpu_model,vram_mib,region,usd_hour,source,as_of\n"
    "acme,large,64,1048576,8,H100,655360,north,30,a list,2026-07-06\n"
    "acme,small,1,4096,0,,0,north,0.03,a list,2026-07-06\n"
    "acme,middle,8,65536,0,,0,south,0.5,a list,2026-07-06\n";

/* Good until the next call but seven. */
static const char *path_of(const char *folder, const char *below, const char *name)
{
    static char paths[8][512];
    static unsigned turn;
    char *path = paths[turn++ % 8];

    fixture_need((size_t)snprintf(path, sizeof(paths[0]), "%s/%s%s", folder, below, name) <
                     sizeof(paths[0]),
                 "long path");
    return path;
}

static const char *made(const char *name)
{
    return path_of(work.path, "", name);
}

static const char *run_file(const char *name)
{
    return path_of(fixtures, "runs/", name);
}

/* For calls that return an errno alone. */
static void say_errno(struct gput_error *err)
{
    snprintf(err->text, sizeof(err->text), "as the errno says: memory");
}

/* --- what is called ------------------------------------------------------------------------- */

static int page(const char *file, const char *marks, struct gput_error *err)
{
    struct gput_report_options o = GPUT_REPORT_OPTIONS_INIT;
    char *text = NULL;
    int r;

    o.file = file;
    o.sub_tracking_file = marks;
    o.catalogue = made("catalogue.csv");
    o.current_vendor = "acme";
    o.current_type = "large";
    o.current_region = "north";
    r = gput_report_html(&o, &text, err);
    free(text);
    return r;
}

static int page_of_tracking(struct gput_error *err)
{
    return page(run_file("tracking.csv"), made("marks.csv"), err);
}

static int page_of_database(struct gput_error *err)
{
    return page(run_file("tracking.sqlite"), made("marks.sqlite"), err);
}

static int page_of_result(struct gput_error *err)
{
    return page(run_file("result-full.json"), NULL, err);
}

static int page_of_snapshot(struct gput_error *err)
{
    return page(run_file("snapshot.json.gz"), NULL, err);
}

static int page_of_stream(struct gput_error *err)
{
    return page(run_file("system.csv"), NULL, err);
}

static int picture(struct gput_error *err)
{
    struct gput_plot_options o = GPUT_PLOT_OPTIONS_INIT;
    char *text = NULL;
    int r;

    o.file = run_file("tracking.csv");
    o.result_file = run_file("result-full.json");
    o.use_unicode = o.use_colour = 1;
    r = gput_report_text(&o, &text, err);
    free(text);
    return r;
}

static int recommendation(struct gput_error *err)
{
    const char *const files[] = { run_file("tracking.csv"), run_file("process.csv") };
    struct gput_recommend_options o = GPUT_RECOMMEND_OPTIONS_INIT;
    int r = 0;

    for (int round = 0; r == 0 && round < 3; round++) {
        char *text = NULL;

        o.format = round == 1 ? GPUT_JSON : GPUT_TEXT;
        o.target = round == 2 ? "slurm" : NULL;
        r = gput_recommend_files(files, 2, &o, NULL, &text, err);
        free(text);
    }
    return r;
}

static int servers(struct gput_error *err)
{
    const char *const files[] = { run_file("tracking.csv") };
    struct gput_recommend_servers_options o = GPUT_RECOMMEND_SERVERS_OPTIONS_INIT;
    char *text = NULL;
    int r;

    o.catalogue = made("catalogue.csv");
    o.current_vendor = "acme";
    o.current_type = "large";
    r = gput_recommend_servers(files, 1, &o, NULL, &text, err);
    free(text);
    text = NULL;
    o.format = GPUT_JSON;
    r = r < 0 ? r : gput_recommend_servers(files, 1, &o, NULL, &text, err);
    free(text);
    return r;
}

static int offers(struct gput_error *err)
{
    struct gput_server_needs needs = { .vcpus = 2 };
    struct gput_server_offer list[3];
    struct gput_catalogue *c = NULL;
    char *text = NULL;
    int r = gput_catalogue_open(made("catalogue.csv"), NULL, &c, err);

    if (r == 0)
        r = gput_catalogue_find(c, &needs, NULL, list, 3, NULL, err);
    for (int format = GPUT_SERVERS_TEXT; r > 0 && format <= GPUT_SERVERS_CSV; format++) {
        if (gput_servers_format(list, (size_t)r, (enum gput_servers_format)format, &text) < 0)
            say_errno(err);
        free(text);
        text = NULL;
    }
    gput_catalogue_close(c);
    return r < 0 ? r : 0;
}

static int usual_catalogue(struct gput_error *err)
{
    struct gput_catalogue *c = NULL;
    int r = gput_catalogue_open(NULL, NULL, &c, err);

    gput_catalogue_close(c);
    return r;
}

static int update(struct gput_error *err)
{
    char *path = NULL;
    int r = gput_catalogue_update(made("catalogue.csv"), &path, err);

    free(path);
    return r;
}

static int analysis(const char *tracking, const char *marks, struct gput_error *err)
{
    struct gput_analysis *a = NULL;
    char *text = NULL;
    int r = gput_sub_analyze(tracking, marks, NULL, &a, err);

    for (int round = 0; r == 0 && round < 2; round++) {
        r = gput_analysis_format(a, round ? GPUT_JSON : GPUT_TEXT, 1, &text);
        if (r < 0)
            say_errno(err);
        free(text);
        text = NULL;
    }
    gput_analysis_close(a);
    return r;
}

static int analysis_of_csv(struct gput_error *err)
{
    return analysis(run_file("tracking.csv"), made("marks.csv"), err);
}

static int analysis_of_sqlite(struct gput_error *err)
{
    return analysis(run_file("tracking.sqlite"), made("marks.sqlite"), err);
}

static int comparison(struct gput_error *err)
{
    const struct gput_session sessions[] = { { "one", made("analysis.json") },
                                             { "two", made("analysis.json") } };
    int r = 0;

    for (int round = 0; r == 0 && round < 2; round++) {
        char *text = NULL;

        r = gput_sub_compare(sessions, 2, GPUT_MEAN, round ? GPUT_JSON : GPUT_TEXT, NULL, &text,
                             err);
        free(text);
    }
    return r;
}

static int combination(const char *into, struct gput_error *err)
{
    const char *const files[] = { made("marks.csv"), made("marks.sqlite") };
    int r = gput_sub_combine(into, files, 2, NULL, err);

    if (access(into, F_OK) == 0 && r < 0)
        return 1; /* nothing is left behind on failure */
    unlink(into);
    return r;
}

static int combination_as_csv(struct gput_error *err)
{
    return combination(made("all.csv"), err);
}

static int combination_as_sqlite(struct gput_error *err)
{
    return combination(made("all.sqlite"), err);
}

static int marks(const char *path, struct gput_error *err)
{
    struct gput_marks *m = NULL;
    int r = gput_marks_open(path, GPUT_MARKS_OVERWRITE, &m, err);

    if (r == 0) {
        (void)gput_block_begin(m, "a block");
        (void)gput_block_end(m, "a block");
        (void)gput_marks_close(m);
    }
    return r;
}

static int marks_as_csv(struct gput_error *err)
{
    return marks(made("new.csv"), err);
}

static int marks_as_sqlite(struct gput_error *err)
{
    return marks(made("new.sqlite"), err);
}

static int replacement(struct gput_error *err)
{
    int r = gput_file_replace(made("replaced"), "a text\n");

    if (r < 0)
        say_errno(err);
    return r;
}

static int discovery(struct gput_error *err)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_discovery *d = NULL;
    char *text = NULL;
    int r;

    o.proc_root = path_of(fixtures, "gpu/amd-discrete/0/", "proc");
    o.sys_root = path_of(fixtures, "gpu/amd-discrete/0/", "sys");
    r = gput_discovery_start(&o, GPUT_DISCOVER_SERVER | GPUT_DISCOVER_CLOUD, "http://127.0.0.1:9",
                             &d);
    if (r == 0) {
        (void)gput_discovery_wait(d, 20);
        r = gput_discovery_format(d, GPUT_JSON, &text);
    }
    if (r < 0)
        say_errno(err);
    free(text);
    gput_discovery_close(d);
    return r;
}

static int statistics(struct gput_error *err)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    char *text = NULL;
    int r = gput_stats_format(&o, getpid(), &text, err);

    free(text);
    text = NULL;
    r = r < 0 ? r : gput_stats_format(&o, 0, &text, err);
    free(text);
    return r;
}

static int doctor(struct gput_error *err)
{
    char *text = NULL;
    int r = gput_doctor(NULL, GPUT_JSON, &text);

    if (r < 0)
        say_errno(err);
    free(text);
    return r;
}

/* --- a whole run ---------------------------------------------------------------------------- */

static char lost[480]; /* what was warned of */

static void keep_warning(void *ctx, const char *line)
{
    (void)ctx;
    snprintf(lost, sizeof(lost), "%s", line);
}

static void make_line(void *ctx, const struct gput_tracker *t)
{
    char *text = NULL;

    (void)ctx;
    if (gput_stream_line(t, GPUT_STREAM_PROCESS, GPUT_COLUMNS_MIB, GPUT_LINE_JSON, &text) == 0)
        free(text);
}

static int show(struct gput_tracker *t)
{
    struct gput_report_options o = GPUT_REPORT_OPTIONS_INIT;
    struct gput_usage u = { .size = sizeof(u) };
    char *text = NULL;
    int r = gput_tracker_usage(t, &u);

    if (r == 0)
        r = gput_usage_format(&u, GPUT_JSON, 1, &text);
    free(text);
    text = NULL;
    o.tracker = t;
    o.catalogue = made("catalogue.csv");
    if (r == 0)
        r = gput_report_html(&o, &text, NULL);
    free(text);
    return r;
}

/* Whatever fails, a job that was started ends with its own status. */
static int job(const char *tracking_file, struct gput_error *err)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    char *const argv[] = { (char *)"sh", (char *)"-c", (char *)"exit 5", NULL };
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_tracker *t = NULL;
    int r;

    unlink(tracking_file);
    o.sleep_time = 0.005;
    o.tracking_file = tracking_file;
    o.flags = GPUT_KEEP_SERIES | GPUT_WANT_ALL | GPUT_STREAM_OF_PROCESS | GPUT_STREAM_OF_SYSTEM;
    o.on = (struct gput_callbacks){ .warn = keep_warning, .record = make_line };
    r = gput_tracker_open(&o, &t, err);
    if (r < 0)
        return r;
    r = gput_tracker_spawn(t, argv, err);
    if (r == 0) {
        r = gput_tracker_wait(t);
        say_errno(err);
        if (r == 0 && gput_tracker_usage(t, &u) == 0 && u.job.code != 5)
            r = 1;
        if (r == 0)
            r = show(t);
    }
    gput_tracker_close(t);
    while (waitpid(-1, NULL, 0) > 0) /* one that was started is a child still */
        ;
    return r;
}

static int job_with_csv(struct gput_error *err)
{
    return job(made("job.csv"), err);
}

static int job_with_sqlite(struct gput_error *err)
{
    return job(made("job.sqlite"), err);
}

/* The asking end; the helper is another process, in which nothing fails. */
static int from_inside(struct gput_error *err)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_tracker *t = NULL;
    struct gput_now now;
    int r, stopped;

    if (!getenv("GPUT_HELPER"))
        return 0;
    o.sleep_time = 0.005;
    o.flags = GPUT_STREAM_OF_PROCESS;
    r = gput_tracker_open(&o, &t, err);
    if (r == 0)
        r = gput_tracker_start(t, err);
    if (r == 0) {
        gput_tracker_now(t, &now);
        stopped = gput_tracker_stop(t, 0, err);
        r = show(t);
        if (r < 0)
            say_errno(err);
        r = stopped < 0 ? stopped : r;
    }
    gput_tracker_close(t);
    return r;
}

const struct scenario scenarios[] = {
    { "from inside", from_inside },
    { "page of a tracking file", page_of_tracking },
    { "page of a database", page_of_database },
    { "page of a result", page_of_result },
    { "page of a snapshot", page_of_snapshot },
    { "page of a stream", page_of_stream },
    { "picture", picture },
    { "recommendation", recommendation },
    { "servers", servers },
    { "offers", offers },
    { "the usual catalogue", usual_catalogue },
    { "update of the catalogue", update },
    { "analysis of .csv", analysis_of_csv },
    { "analysis of .sqlite", analysis_of_sqlite },
    { "comparison", comparison },
    { "combination as .csv", combination_as_csv },
    { "combination as .sqlite", combination_as_sqlite },
    { "marks as .csv", marks_as_csv },
    { "marks as .sqlite", marks_as_sqlite },
    { "a file replaced", replacement },
    { "discovery", discovery },
    { "statistics", statistics },
    { "doctor", doctor },
    { "a job, recorded as .csv", job_with_csv },
    { "a job, recorded as .sqlite", job_with_sqlite },
    { NULL, NULL },
};

/* --- what they are called on ---------------------------------------------------------------- */

static void make_marks(const char *path)
{
    struct gput_marks *m = NULL;

    fixture_need(gput_marks_open(path, 0, &m, NULL) == 0, path);
    for (int i = 0; i < 3; i++) {
        fixture_need(gput_block_begin(m, "load") == 0, "block_begin");
        fixture_need(gput_block_end(m, "load") == 0, "block_end");
    }
    fixture_need(gput_marks_close(m) == 0, "marks_close");
}

static void make_analysis(void)
{
    struct gput_analysis *a = NULL;
    char *text = NULL;

    fixture_need(gput_sub_analyze(run_file("tracking.csv"), made("marks.csv"), NULL, &a, NULL) == 0,
                 "sub_analyze");
    fixture_need(gput_analysis_format(a, GPUT_JSON, 0, &text) == 0, "analysis_format");
    fixture_write(&work, "analysis.json", text);
    free(text);
    gput_analysis_close(a);
}

void scenarios_begin(const char *folder)
{
    fixtures = folder;
    fixture_begin(&work);
    setenv("XDG_CACHE_HOME", work.path, 1);
    unsetenv("GPUT_CATALOGUE");
    fixture_write(&work, "catalogue.csv", catalogue);
    make_marks(made("marks.csv"));
    make_marks(made("marks.sqlite"));
    make_analysis();
}

void scenarios_end(void)
{
    fixture_end(&work);
}
