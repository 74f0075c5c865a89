/* identity.c - which run it is: its id, when and where it began, and what its user calls it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "api/tracker.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/root.h"

/* With all others they go to a helper in one message. */
#define MOST_PAIRS 16000
#define LONGEST_NAME 1000

/* Names of the older tools; each is read from TRACKER_<NAME>. */
static const char *const metadata_names[] = {
    "project_name", "stage_name",      "task_name",       "team", "env", "language", "orchestrator",
    "executor",     "external_run_id", "container_image",
};

static bool is_given(const char *text)
{
    return text && *text;
}

static const char *from_environment(const char *name)
{
    char variable[64] = "TRACKER_";
    size_t n = strlen(variable);

    for (; *name && n + 1 < sizeof(variable); name++)
        variable[n++] = *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
    variable[n] = '\0';
    return getenv(variable);
}

/* On one line, whatever is in it. */
static void add_pair(struct gput__buf *out, const char *name, const char *value)
{
    size_t n = strnlen(value, LONGEST_NAME);

    gput__buf_printf(out, "%s=", name);
    for (size_t i = 0; i < n; i++)
        gput__buf_putc(out, value[i] == '\n' || value[i] == '\r' ? ' ' : value[i]);
    gput__buf_putc(out, '\n');
}

static int choose_metadata(struct gput_options *o)
{
    struct gput__buf pairs = GPUT__BUF_INIT;
    char *text = NULL;
    int r;

    for (size_t i = 0; i < sizeof(metadata_names) / sizeof(*metadata_names); i++) {
        const char *value = from_environment(metadata_names[i]);

        if (is_given(value))
            add_pair(&pairs, metadata_names[i], value);
    }
    if (pairs.len == 0 && !pairs.err)
        return 0;
    r = gput__buf_detach(&pairs, &text);
    o->metadata = text;
    return r;
}

/* Whether a later line has the same key. */
static bool comes_again(const char *line, size_t key, const char *rest)
{
    for (; *rest; rest += strcspn(rest, "\n"), rest += *rest == '\n')
        if (strcspn(rest, "=\n") == key && strncmp(rest, line, key) == 0)
            return true;
    return false;
}

static int check_pairs(const char **pairs, const char *field, struct gput_error *err)
{
    struct gput__buf out = GPUT__BUF_INIT;
    char *text = NULL;
    int r;

    if (!*pairs)
        return 0;
    if (strlen(*pairs) > MOST_PAIRS)
        return gput__refuse(err, -EINVAL, field, "there is more than %d bytes of it", MOST_PAIRS);
    for (const char *p = *pairs; *p;) {
        size_t line = strcspn(p, "\n"), key = strcspn(p, "=\n");
        const char *next = p + line + (p[line] == '\n');

        if (key == 0 || key == line) {
            gput__buf_free(&out);
            return gput__refuse(err, -EINVAL, field, "'%.*s' is not a key=value", (int)line, p);
        }
        if (!comes_again(p, key, next))
            gput__buf_printf(&out, "%.*s\n", (int)line, p);
        p = next;
    }
    r = gput__buf_detach(&out, &text);
    if (r < 0)
        return gput__refuse(err, r, "", "%s", strerror(-r));
    free((char *)*pairs);
    *pairs = text;
    return 0;
}

static int choose_id(struct gput_options *o)
{
    unsigned char bytes[16];
    char *id = malloc(2 * sizeof(bytes) + 1);

    if (!id)
        return -ENOMEM;
    if (getrandom(bytes, sizeof(bytes), GRND_NONBLOCK) != (ssize_t)sizeof(bytes)) {
        /* So early after the start of a machine: no two runs have both of these. */
        int64_t parts[2] = { gput__clock_ns(CLOCK_REALTIME), getpid() };

        memcpy(bytes, parts, sizeof(bytes));
    }
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(id + 2 * i, 3, "%02x", bytes[i]);
    o->run_id = id;
    return 0;
}

static int choose_job_name(struct gput_options *o, struct gput_error *err)
{
    const char *name = o->job_name ? o->job_name : getenv("TRACKER_JOB_NAME");

    if (!is_given(name))
        return 0;
    if (strlen(name) > LONGEST_NAME || strpbrk(name, "\r\n"))
        return gput__refuse(err, -EINVAL, "job_name", "it is more than a line of %d bytes",
                            LONGEST_NAME);
    if (!o->job_name)
        o->job_name = strdup(name);
    return o->job_name ? 0 : -ENOMEM;
}

int gput__identity_choose(struct gput_options *o, struct gput_error *ret_err)
{
    int r = choose_job_name(o, ret_err);

    r = r < 0 ? r : check_pairs(&o->tags, "tags", ret_err);
    r = r < 0 ? r : check_pairs(&o->metadata, "metadata", ret_err);
    if (r == 0 && !o->metadata)
        r = choose_metadata(o);
    if (r == 0 && !o->run_id)
        r = choose_id(o);
    if (r == 0 && !o->folder)
        o->folder = getcwd(NULL, 0); /* NULL: it is gone */
    return r == -ENOMEM ? gput__refuse(ret_err, r, "", "out of memory") : r;
}

static void read_host(const char *proc_root, char *ret, size_t size)
{
    struct gput__root proc;

    if (!proc_root) {
        if (gethostname(ret, size) < 0)
            ret[0] = '\0';
        ret[size - 1] = '\0';
        return;
    }
    if (gput__root_open(proc_root, "/proc", &proc) < 0)
        return;
    if (gput__root_read(&proc, "sys/kernel/hostname", ret, size) <= 0)
        ret[0] = '\0';
    ret[strcspn(ret, "\n")] = '\0';
    gput__root_close(&proc);
}

void gput__identity_begin(struct gput_tracker *t, int64_t start_ns)
{
    int64_t ago = gput__now() - start_ns;

    (void)gput__iso_time(gput__clock_ns(CLOCK_REALTIME) - ago, t->job.identity.start_time);
    read_host(t->opts.proc_root, t->job.identity.host, sizeof(t->job.identity.host));
}

static const char *or_null(const char *text)
{
    return is_given(text) ? text : NULL;
}

void gput__identity_fill(const struct gput_tracker *t, struct gput_usage *u)
{
    u->run.id = t->opts.run_id;
    u->run.start_time = or_null(t->job.identity.start_time);
    u->run.host = or_null(t->job.identity.host);
    u->run.version = gput_version();
    u->run.folder = t->opts.folder;
    u->run.job_name = or_null(t->opts.job_name);
    u->run.tags = or_null(t->opts.tags);
    u->run.metadata = or_null(t->opts.metadata);
}
