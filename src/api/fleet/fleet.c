/* fleet.c - a tracker as one of those of a job on many nodes: it comes, tells, and goes. */
#include "api/fleet/fleet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "report/fleet/node_file.h"

/* How often what we know is stored on this node, and goes into the folder of the fleet: so much is lost
 * where the node dies. */
#define STATE_NS (10 * GPUT__NS_PER_S)
#define REFRESH_NS (60 * GPUT__NS_PER_S)
/* Many nodes that begin or end together do not all write at once. */
#define FIRST_REFRESH_NS (10 * GPUT__NS_PER_S)
#define REFRESH_JITTER_NS (20 * GPUT__NS_PER_S)
#define LAST_JITTER_NS (400 * GPUT__NS_PER_MS)
#define NODES_WITHOUT_JITTER 32
/* The job's end waits no longer for the folder of the fleet. */
#define LAST_PATIENCE_NS (800 * GPUT__NS_PER_MS)
#define THREAD_PATIENCE_NS (100 * GPUT__NS_PER_MS)

#define REFRESH_END "a" /* of the name of the file that is being written */
#define NUMBER_NOTE "number"
#define REFRESHED_NOTE "refreshed"
#define WANTED_NOTE "wanted"

/* --- coming ----------------------------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    while (*text++);
    return hash;
}

/* Each job, step, node and start of a job has a gathering of its own for each folder. */
static void name_gathering(const struct gput__fleet *f, char *ret, size_t size)
{
    const struct gput_launch *l = &f->launch;
    uint64_t hash = 14695981039346656037u;
    char restart[16];

    snprintf(restart, sizeof(restart), "%d", l->restart);
    hash = hash_of(hash_of(hash_of(hash, l->job_id), l->step), l->node);
    hash = hash_of(hash_of(hash, restart), f->folder);
    snprintf(ret, size, "%.40s.%.20s.%.40s.%016llx", l->job_id, l->step, l->node,
             (unsigned long long)hash);
}

static char *absolute(const char *path)
{
    char *here, *ret = NULL;

    if (path[0] == '/')
        return strdup(path);
    here = getcwd(NULL, 0);
    if (here && asprintf(&ret, "%s/%s", here, path) < 0)
        ret = NULL;
    free(here);
    return ret;
}

struct gput__fleet *gput__fleet_open(const char *folder, const struct gput_launch *launch)
{
    struct gput__fleet *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->folder = absolute(folder);
    if (!f->folder) {
        free(f);
        return NULL;
    }
    if (launch)
        memcpy(&f->launch, launch,
               launch->size < sizeof(f->launch) ? launch->size : sizeof(f->launch));
    else
        gput_launch_detect(&f->launch);
    return f;
}

/* Between 0 and `most`, different for each tracker. */
static int64_t jitter(const struct gput__fleet *f, int64_t most)
{
    uint64_t random = strtoull(f->gathering.own, NULL, 16);

    return (int64_t)(random % (uint64_t)most);
}

/* A fleet that cannot be is no reason to stop the job. */
void gput__fleet_begin(struct gput_tracker *t)
{
    struct gput__fleet *f = t->job.fleet;
    char name[200];
    int r;

    if (!f)
        return;
    name_gathering(f, name, sizeof(name));
    r = gput__gathering_join(name, &f->gathering);
    if (r < 0) {
        gput__warn(
            t,
            "--fleet: no folder for the ranks of this node could be made below /tmp: %s; this "
            "rank will be missing",
            strerror(-r));
        return;
    }
    f->was_elected = gput__gathering_elect(&f->gathering);
    f->next_state_ns = gput__now() + GPUT__NS_PER_S;
    f->next_refresh_ns = gput__now() + FIRST_REFRESH_NS + jitter(f, REFRESH_JITTER_NS);
}

bool gput__fleet_asks_all_of_gpus(const struct gput_tracker *t)
{
    return !t->job.fleet || !t->job.fleet->gathering.path || t->job.fleet->was_elected;
}

/* --- telling ---------------------------------------------------------------------------------- */

static int store(struct gput_tracker *t)
{
    struct gput__rank_state state;
    struct gput__buf out = { 0 };
    int r = gput__fleet_state(t, &state);

    if (r == 0) {
        gput__rank_state_print(&state, &out);
        r = out.err ? out.err : gput__gathering_store(&t->job.fleet->gathering, out.data);
    }
    gput__rank_state_free(&state);
    gput__buf_free(&out);
    return r;
}

static void tell(struct gput_tracker *t)
{
    struct gput__rank_state state;
    char line[200];

    gput__rank_state_init(&state);
    gput__fleet_figures(t, &state);
    gput__rank_line_print(&state, line, sizeof(line));
    (void)gput__gathering_tell(&t->job.fleet->gathering, line);
}

void gput__fleet_started(struct gput_tracker *t)
{
    struct gput__fleet *f = t->job.fleet;

    if (!f || !f->gathering.path)
        return;
    f->is_started = true;
    (void)store(t);
}

/* --- the node's file -------------------------------------------------------------------------- */

static bool read_member(const struct gput__gathering *g, const struct gput__member *m,
                        struct gput__rank_state *ret)
{
    struct gput__buf text = { 0 };
    char line[256];
    bool is_whole;

    gput__rank_state_init(ret);
    is_whole = gput__gathering_read(g, m, &text, line, sizeof(line)) == 0 && text.len > 0 &&
               gput__rank_state_parse(text.data, ret) == 0;
    if (is_whole && ret->number[GPUT__RANK_IS_FINAL] != 1) {
        gput__rank_line_apply(line, ret);
        ret->was_killed = !m->is_alive;
    }
    if (!is_whole)
        gput__rank_state_free(ret);
    gput__buf_free(&text);
    return is_whole;
}

static int gather(struct gput__fleet *f, bool is_final, char **ret_text, size_t *ret_len)
{
    struct gput__node_file file = { .gathering = f->gathering.id,
                                    .wall = f->gathering.wall,
                                    .boot = f->gathering.boot,
                                    .written_wall = (double)gput__clock_ns(CLOCK_REALTIME) / 1e9,
                                    .written_boot = (double)gput__clock_ns(CLOCK_BOOTTIME) / 1e9,
                                    .is_final = is_final };
    struct gput__member *members = NULL;
    struct gput__buf out = { 0 };
    size_t n = 0;
    int r = gput__gathering_members(&f->gathering, &members, &n);

    file.ranks = r == 0 ? calloc(n ? n : 1, sizeof(*file.ranks)) : NULL;
    if (r == 0 && !file.ranks)
        r = -ENOMEM;
    for (size_t i = 0; r == 0 && i < n; i++)
        file.n += read_member(&f->gathering, &members[i], &file.ranks[file.n]);
    if (r == 0)
        r = gput__node_file_print(&file, &out);
    for (size_t i = 0; i < file.n; i++)
        gput__rank_state_free(&file.ranks[i]);
    free(file.ranks);
    free(members);
    *ret_len = out.len;
    if (r == 0)
        return gput__buf_detach(&out, ret_text);
    gput__buf_free(&out);
    return r;
}

static void address(const struct gput__fleet *f, bool is_last, struct gput__delivery *ret)
{
    char number[16];

    *ret = (struct gput__delivery){ .number = 0 };
    snprintf(ret->folder, sizeof(ret->folder), "%s", f->folder);
    snprintf(ret->job, sizeof(ret->job), "%s", f->launch.job_id);
    snprintf(ret->step, sizeof(ret->step), "%s", f->launch.step);
    snprintf(ret->node, sizeof(ret->node), "%s", f->launch.node);
    snprintf(ret->id, sizeof(ret->id), "%s%s", f->gathering.own, is_last ? "" : REFRESH_END);
    snprintf(ret->note, sizeof(ret->note), "%s/" NUMBER_NOTE, f->gathering.path);
    gput__delivery_choose_part(ret, f->launch.n_nodes);
    if (gput__gathering_note(&f->gathering, NUMBER_NOTE, number, sizeof(number)) == 0)
        ret->number = (int)strtol(number, NULL, 10);
}

/* --- one refresh per node and minute ---------------------------------------------------------- */

static void note_refresh(struct gput__fleet *f, int64_t now)
{
    char text[32];

    snprintf(text, sizeof(text), "%lld", (long long)now);
    (void)gput__gathering_make_note(&f->gathering, REFRESHED_NOTE, text);
    gput__gathering_drop_note(&f->gathering, WANTED_NOTE);
}

/* The first one out wants that what is known by then is not lost; else it is time after a minute. */
static bool is_refresh_due(struct gput__fleet *f, int64_t now)
{
    char text[32];
    int64_t last;

    if (gput__gathering_note(&f->gathering, WANTED_NOTE, text, sizeof(text)) == 0)
        return true;
    if (now < f->next_refresh_ns)
        return false;
    if (gput__gathering_note(&f->gathering, REFRESHED_NOTE, text, sizeof(text)) < 0)
        return true;
    last = strtoll(text, NULL, 10);
    f->next_refresh_ns = last + REFRESH_NS + jitter(f, REFRESH_JITTER_NS);
    return now >= f->next_refresh_ns;
}

static void refresh(struct gput_tracker *t, int64_t now)
{
    struct gput__fleet *f = t->job.fleet;
    struct gput__delivery d;
    char *text = NULL;

    if (!is_refresh_due(f, now) || !gput__gathering_begin_writing(&f->gathering))
        return;
    note_refresh(f, now);
    f->next_refresh_ns = now + REFRESH_NS + jitter(f, REFRESH_JITTER_NS);
    (void)store(t);
    address(f, false, &d);
    if (gather(f, false, &text, &d.len) < 0 || gput__courier_send(&f->courier, &d, text) < 0)
        gput__gathering_end_writing(&f->gathering);
}

static void receive(struct gput__fleet *f)
{
    if (gput__courier_is_back(&f->courier))
        gput__gathering_end_writing(&f->gathering);
}

void gput__fleet_record(struct gput_tracker *t)
{
    struct gput__fleet *f = t->job.fleet;
    int64_t now = t->now.boot_ns;

    if (!f || !f->gathering.path)
        return;
    f->max_pss = fmax(f->max_pss, t->now.value[GPUT__JOB_PSS]);
    (void)gput__gathering_elect(&f->gathering);
    tell(t);
    receive(f);
    if (now >= f->next_state_ns) {
        f->next_state_ns = now + STATE_NS;
        (void)store(t);
    }
    refresh(t, now);
}

/* --- going ------------------------------------------------------------------------------------ */

static bool is_out(const struct gput__gathering *g, const struct gput__member *m)
{
    struct gput__rank_state state;
    bool is = read_member(g, m, &state) && state.number[GPUT__RANK_IS_FINAL] == 1;

    gput__rank_state_free(&state);
    return is;
}

static const char *words_for(int r)
{
    return r == -ENOENT ? "there is no such folder" : strerror(-r);
}

/* What could not be brought to its place lies whole on this node. */
static void keep(struct gput_tracker *t, const struct gput__delivery *d, int why)
{
    struct gput__fleet *f = t->job.fleet;
    char name[GPUT__DELIVERY_NAME + 8];
    int r;

    snprintf(name, sizeof(name), "%s.json", d->node);
    r = gput__gathering_make_note(&f->gathering, name, d->text);
    if (r < 0)
        gput__warn(t, "--fleet: the result of this node is lost: %s: %s; %s: %s", f->folder,
                   words_for(why), f->gathering.path, strerror(-r));
    else if (why == -ETIMEDOUT)
        gput__warn(
            t,
            "--fleet: %s is slow: the result of this node is still on its way there, and is in %s/%s",
            f->folder, f->gathering.path, name);
    else
        gput__warn(t, "--fleet: cannot write to %s: %s; the result of this node is in %s/%s",
                   f->folder, words_for(why), f->gathering.path, name);
}

/* `left`: a refresh of ours is still on its way. */
static void write_last(struct gput_tracker *t, bool left)
{
    struct gput__fleet *f = t->job.fleet;
    int64_t pause = f->launch.n_nodes > NODES_WITHOUT_JITTER ? jitter(f, LAST_JITTER_NS) : 0;
    struct gput__delivery d;
    char *text = NULL;
    int r;

    address(f, true, &d);
    if (left)
        snprintf(d.stale, sizeof(d.stale), "%s" REFRESH_END, f->gathering.own);
    r = gather(f, true, &text, &d.len);
    if (r < 0) {
        gput__warn(
            t,
            "--fleet: the result of this node could not be put together: %s; its parts are in %s",
            strerror(-r), f->gathering.path);
        return;
    }
    d.text = text;
    r = gput__courier_finish(&d, pause, LAST_PATIENCE_NS);
    if (r < 0)
        keep(t, &d, r);
    else
        gput__gathering_remove(&f->gathering);
    free(text);
}

void gput__fleet_end(struct gput_tracker *t)
{
    struct gput__fleet *f = t->job.fleet;
    bool left;
    int r;

    if (!f || !f->gathering.path)
        return;
    left = gput__courier_cancel(&f->courier, THREAD_PATIENCE_NS);
    gput__gathering_end_writing(&f->gathering);
    r = store(t);
    if (r < 0)
        gput__warn(t, "--fleet: the result of this rank cannot be kept in %s: %s",
                   f->gathering.path, strerror(-r));
    if (gput__gathering_close(&f->gathering, is_out))
        write_last(t, left);
    else
        (void)gput__gathering_make_note(&f->gathering, WANTED_NOTE, "");
    gput__courier_close(&f->courier, left ? LAST_PATIENCE_NS : 0);
    gput__gathering_leave(&f->gathering);
}

void gput__fleet_close(struct gput__fleet *f)
{
    if (!f)
        return;
    if (f->gathering.path && !f->is_started) /* there was no command to run */
        gput__gathering_withdraw(&f->gathering);
    gput__courier_close(&f->courier, 0);
    gput__gathering_leave(&f->gathering);
    free(f->folder);
    free(f);
}
