/* node_file.c - the file that the trackers of one node left (docs/FLEET.md). */
#include "store/fleet/node_file.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "store/fleet/json_members.h"
#include "store/fleet/node_series.h"

/* More than any node runs, and than a file that is not hostile holds. */
enum { MOST_RANKS = 65536, MOST_GPUS = 4096 };

/* What is being read; the functions of the tables get parts of it. */
struct reading {
    struct gput__members_reading rd;
    struct gput__fleet_file file;
    const char *kind, *job_name;
    int schema;
    size_t cap_ranks, cap_gpus;
    uint32_t rank_points, node_points;
};

typedef struct gput__members_reading members;

/* Where: a type and its member, which is a macro below. */
#define PLACE(...) offsetof(__VA_ARGS__)
/* clang-format off */
#define NUMBER(key, ...) { key, GPUT__MEMBER_NUMBER, PLACE(__VA_ARGS__), NULL }
#define INT(key, ...) { key, GPUT__MEMBER_INT, PLACE(__VA_ARGS__), NULL }
#define TEXT(key, ...) { key, GPUT__MEMBER_TEXT, PLACE(__VA_ARGS__), NULL }
#define BOOL(key, ...) { key, GPUT__MEMBER_BOOL, PLACE(__VA_ARGS__), NULL }
#define MAYBE(key, ...) { key, GPUT__MEMBER_MAYBE, PLACE(__VA_ARGS__), NULL }
#define READ(key, function) { key, GPUT__MEMBER_READ, 0, function }
#define END { NULL, GPUT__MEMBER_READ, 0, NULL }
/* clang-format on */

/* --- a rank ---------------------------------------------------------------------------------- */

/* A rank under way, with what its members only help to tell. */
struct rank_reading {
    struct gput__fleet_rank rank;
    const char *ending;
    size_t cap_gpus;
    uint32_t points;
};

static int read_held(members *rd, int token, void *into)
{
    static const struct gput__member of_gpu[] = {
        INT("index", struct gput__fleet_held, index),
        TEXT("uuid", struct gput__fleet_held, uuid),
        NUMBER("seconds_held", struct gput__fleet_held, held),
        NUMBER("seconds_busy", struct gput__fleet_held, busy),
        END,
    };
    struct rank_reading *rr = into;
    struct gput__fleet_held gpu = { .index = -1, .held = NAN, .busy = NAN };
    int r = gput__members_read(rd, token, of_gpu, &gpu);

    if (r < 0 || rr->rank.n_gpus == MOST_GPUS)
        return r;
    if (GPUT__GROW(rr->rank.gpus, rr->cap_gpus, rr->rank.n_gpus + 1) < 0)
        return -ENOMEM;
    rr->rank.gpus[rr->rank.n_gpus++] = gpu;
    return 0;
}

static int read_rank_gpus(members *rd, int token, void *into)
{
    struct rank_reading *rr = into;

    rr->rank.has_gpus = token == GPUT__JSON_OPEN_LIST;
    return gput__members_read_list(rd, token, read_held, rr);
}

struct bottleneck {
    const char *what;
    double share;
};

static int read_bottleneck(members *rd, int token, void *into)
{
    static const struct gput__member of_bottleneck[] = {
        TEXT("what", struct bottleneck, what),
        NUMBER("share_of_time", struct bottleneck, share),
        END,
    };
    struct gput__fleet_end *end = &((struct rank_reading *)into)->rank.ending;
    struct bottleneck b = { .share = NAN };
    int r = gput__members_read(rd, token, of_bottleneck, &b);

    if (r < 0 || !b.what)
        return r;
    if (!end->limited_by) { /* the heaviest comes first */
        end->limited_by = b.what;
        end->limited_share = b.share;
    }
    end->is_stuck |= strcmp(b.what, "gpu-stuck") == 0;
    return 0;
}

static int read_bottlenecks(members *rd, int token, void *into)
{
    return gput__members_read_list(rd, token, read_bottleneck, into);
}

static int read_cores(members *rd, int token, void *into)
{
    static const struct gput__member of_cpu[] = {
        NUMBER("n_expected_cores", struct rank_reading, rank.cores),
        END,
    };

    return gput__members_read(rd, token, of_cpu, into);
}

static int read_totals(members *rd, int token, void *into)
{
    static const struct gput__member of_totals[] = {
        NUMBER("disk_read_bytes", struct rank_reading, rank.disk_read),
        NUMBER("disk_write_bytes", struct rank_reading, rank.disk_write),
        END,
    };

    return gput__members_read(rd, token, of_totals, into);
}

static int read_rank_result(members *rd, int token, void *into)
{
    static const struct gput__member of_result[] = {
        READ("cpu_utilization", read_cores),
        READ("totals", read_totals),
        READ("bottlenecks", read_bottlenecks),
        END,
    };

    return gput__members_read(rd, token, of_result, into);
}

static int read_rank_series(members *rd, int token, void *into)
{
    static const char *const columns[GPUT__FLEET_COLUMNS] = { "ram", "pss", "cpu", "gpu",
                                                              "gpu_ram" };
    struct rank_reading *rr = into;
    int r = gput__node_series_read(rd, token, columns, &rr->rank.series);

    if (r == 0)
        gput__fleet_series_thin(&rr->rank.series, rr->points);
    return r;
}

static enum gput__fleet_ending ending_of(const char *word)
{
    static const char *const words[] = {
        [GPUT__FLEET_EXITED] = "exited",   [GPUT__FLEET_SIGNALED] = "signaled",
        [GPUT__FLEET_GONE] = "gone",       [GPUT__FLEET_DETACHED] = "detached",
        [GPUT__FLEET_RUNNING] = "running", [GPUT__FLEET_KILLED] = "killed",
    };

    for (unsigned i = GPUT__FLEET_EXITED; word && i < sizeof(words) / sizeof(*words); i++)
        if (strcmp(word, words[i]) == 0)
            return (enum gput__fleet_ending)i;
    return GPUT__FLEET_UNKNOWN;
}

#define RANK(member) struct rank_reading, rank.member
static const struct gput__member rank_members[] = {
    INT("rank", RANK(rank)),
    INT("local_rank", RANK(local_rank)),
    INT("pid", RANK(pid)),
    TEXT("ending", struct rank_reading, ending),
    INT("exit_code", RANK(ending.exit_code)),
    INT("signal", RANK(ending.signal)),
    BOOL("timed_out", RANK(ending.timed_out)),
    TEXT("killed_for_memory", RANK(ending.killed_for_memory)),
    NUMBER("start", RANK(start)),
    NUMBER("end", RANK(end)),
    NUMBER("wall_seconds", RANK(wall_seconds)),
    NUMBER("cpu_seconds", RANK(cpu_seconds)),
    NUMBER("max_ram", RANK(max_ram)),
    NUMBER("max_pss", RANK(max_pss)),
    NUMBER("max_gpu_ram", RANK(max_gpu_ram)),
    READ("gpus", read_rank_gpus),
    READ("result", read_rank_result),
    READ("series", read_rank_series),
    END,
};

static const struct gput__fleet_rank nothing_known = {
    .rank = -1,
    .local_rank = -1,
    .pid = -1,
    .start = NAN,
    .end = NAN,
    .wall_seconds = NAN,
    .cpu_seconds = NAN,
    .max_ram = NAN,
    .max_pss = NAN,
    .max_gpu_ram = NAN,
    .cores = NAN,
    .disk_read = NAN,
    .disk_write = NAN,
    .ending = { .exit_code = -1, .signal = -1, .limited_share = NAN },
};

static int read_rank(members *rd, int token, void *into)
{
    struct reading *r = into;
    struct gput__fleet_file *f = &r->file;
    struct rank_reading rr = { .rank = nothing_known, .points = r->rank_points };
    const char **killed = &rr.rank.ending.killed_for_memory;
    int s = gput__members_read(rd, token, rank_members, &rr);

    if (*killed && strcmp(*killed, "no") == 0)
        *killed = NULL;
    rr.rank.ending.how = ending_of(rr.ending);
    if (s == 0 && f->n_ranks == MOST_RANKS)
        s = -EFBIG;
    if (s == 0)
        s = GPUT__GROW(f->ranks, r->cap_ranks, f->n_ranks + 1);
    if (s == 0) {
        f->ranks[f->n_ranks++] = rr.rank;
        return 0;
    }
    free(rr.rank.gpus);
    gput__fleet_series_free(&rr.rank.series);
    return s;
}

static int read_ranks(members *rd, int token, void *into)
{
    return gput__members_read_list(rd, token, read_rank, into);
}

/* --- the node -------------------------------------------------------------------------------- */

#define FILE_OF(member) struct reading, file.member

static int read_run(members *rd, int token, void *into)
{
    static const struct gput__member of_run[] = {
        TEXT("version", FILE_OF(version)),
        TEXT("command", FILE_OF(command)),
        TEXT("job_name", struct reading, job_name),
        END,
    };

    return gput__members_read(rd, token, of_run, into);
}

static int read_job(members *rd, int token, void *into)
{
    static const struct gput__member of_job[] = {
        TEXT("id", FILE_OF(job.id)),
        TEXT("step", FILE_OF(job.step)),
        TEXT("launcher", FILE_OF(job.launcher)),
        TEXT("name", FILE_OF(job.name)),
        TEXT("array_job", FILE_OF(job.array_job)),
        TEXT("array_task", FILE_OF(job.array_task)),
        BOOL("has_id", FILE_OF(job.has_id)),
        INT("restart", FILE_OF(job.restart)),
        INT("size", FILE_OF(job.size)),
        INT("n_nodes", FILE_OF(job.n_nodes)),
        END,
    };

    return gput__members_read(rd, token, of_job, into);
}

static int read_node(members *rd, int token, void *into)
{
    static const struct gput__member of_node[] = {
        TEXT("name", FILE_OF(node)),
        TEXT("host", FILE_OF(host)),
        TEXT("boot_id", FILE_OF(boot_id)),
        INT("index", FILE_OF(node_index)),
        INT("local_size", FILE_OF(local_size)),
        END,
    };

    return gput__members_read(rd, token, of_node, into);
}

static int read_clock(members *rd, int token, void *into)
{
    static const struct gput__member of_clock[] = {
        NUMBER("wall", FILE_OF(clock.wall)),
        NUMBER("max_error", FILE_OF(clock.max_error)),
        MAYBE("synchronized", FILE_OF(clock.synchronized)),
        END,
    };

    return gput__members_read(rd, token, of_clock, into);
}

static int read_written(members *rd, int token, void *into)
{
    static const struct gput__member of_written[] = {
        NUMBER("wall", FILE_OF(written)),
        BOOL("is_final", FILE_OF(is_final)),
        END,
    };

    return gput__members_read(rd, token, of_written, into);
}

static int read_result(members *rd, int token, void *into)
{
    static const struct gput__member of_result[] = {
        NUMBER("ram_capacity", FILE_OF(result.ram_capacity)),
        NUMBER("ram_at_start", FILE_OF(result.ram_at_start)),
        NUMBER("max_ram_system", FILE_OF(result.max_ram_system)),
        NUMBER("cores", FILE_OF(result.cores)),
        NUMBER("cpu_seconds_system", FILE_OF(result.cpu_seconds_system)),
        NUMBER("gpu_ram_capacity", FILE_OF(result.gpu_ram_capacity)),
        NUMBER("max_gpu_ram_system", FILE_OF(result.max_gpu_ram_system)),
        NUMBER("n_gpus", FILE_OF(result.n_gpus)),
        NUMBER("disk_read_bytes", FILE_OF(result.disk_read)),
        NUMBER("disk_write_bytes", FILE_OF(result.disk_write)),
        NUMBER("net_received_bytes", FILE_OF(result.net_received)),
        NUMBER("net_sent_bytes", FILE_OF(result.net_sent)),
        NUMBER("energy_joules", FILE_OF(result.energy)),
        NUMBER("wall_seconds", FILE_OF(result.wall_seconds)),
        NUMBER("cpu_seconds", FILE_OF(result.cpu_seconds)),
        NUMBER("sum_of_peak_ram", FILE_OF(result.sum_of_peak_ram)),
        NUMBER("max_ram_job", FILE_OF(result.max_ram_job)),
        TEXT("max_ram_job_source", FILE_OF(result.max_ram_job_source)),
        END,
    };

    return gput__members_read(rd, token, of_result, into);
}

static int read_gpu(members *rd, int token, void *into)
{
    static const struct gput__member of_gpu[] = {
        INT("index", struct gput__fleet_gpu, index),
        TEXT("name", struct gput__fleet_gpu, name),
        TEXT("uuid", struct gput__fleet_gpu, uuid),
        TEXT("state", struct gput__fleet_gpu, state),
        NUMBER("mean_utilization_percent", struct gput__fleet_gpu, mean_use),
        NUMBER("max_memory", struct gput__fleet_gpu, max_memory),
        NUMBER("memory_total", struct gput__fleet_gpu, memory),
        NUMBER("energy_joules", struct gput__fleet_gpu, energy),
        NUMBER("xid_events", struct gput__fleet_gpu, xid_events),
        END,
    };
    struct reading *r = into;
    struct gput__fleet_gpu gpu = { .index = -1,
                                   .mean_use = NAN,
                                   .max_memory = NAN,
                                   .memory = NAN,
                                   .energy = NAN,
                                   .xid_events = NAN };
    int s = gput__members_read(rd, token, of_gpu, &gpu);

    if (s < 0 || r->file.n_gpus == MOST_GPUS)
        return s;
    if (GPUT__GROW(r->file.gpus, r->cap_gpus, r->file.n_gpus + 1) < 0)
        return -ENOMEM;
    r->file.gpus[r->file.n_gpus++] = gpu;
    return 0;
}

static int read_gpus(members *rd, int token, void *into)
{
    return gput__members_read_list(rd, token, read_gpu, into);
}

static int read_node_series(members *rd, int token, void *into)
{
    static const char *const columns[GPUT__FLEET_COLUMNS] = { "ram_system", "ram_job", "cpu_system",
                                                              "gpu", "gpu_ram" };

    struct reading *r = into;
    int s = gput__node_series_read(rd, token, columns, &r->file.series);

    if (s == 0)
        gput__fleet_series_thin(&r->file.series, r->node_points);
    return s;
}

static const struct gput__member file_members[] = {
    INT("schema", struct reading, schema),
    TEXT("kind", struct reading, kind),
    READ("run", read_run),
    TEXT("gathering", FILE_OF(gathering)),
    READ("job", read_job),
    READ("node", read_node),
    READ("clock", read_clock),
    READ("written", read_written),
    READ("ranks", read_ranks),
    READ("result", read_result),
    READ("gpus", read_gpus),
    READ("series", read_node_series),
    END,
};

/* --- the whole file -------------------------------------------------------------------------- */

static void begin(struct reading *r, struct gput__input *in, const char *path,
                  struct gput__fleet *fleet)
{
    *r = (struct reading){ .schema = -1,
                           .rank_points = fleet->rank_points,
                           .node_points = fleet->node_points };
    r->rd.names = &fleet->names;
    gput__json_pull_begin(&r->rd.pull, in);
    r->file = (struct gput__fleet_file){
        .path = path,
        .job = { .restart = -1, .size = -1, .n_nodes = -1 },
        .node_index = -1,
        .local_size = -1,
        .clock = { NAN, NAN, -1 },
        .written = NAN,
        .result = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                    NAN, NULL },
    };
}

static int read_all(struct reading *r)
{
    int token = gput__json_pull_next(&r->rd.pull);
    int s = token < 0 ? token : gput__members_read(&r->rd, token, file_members, r);

    if (s < 0)
        return s;
    token = gput__json_pull_next(&r->rd.pull); /* behind it: nothing */
    return token < 0 ? token : 0;
}

/* What a reader cannot do without. */
static int check(const struct reading *r, char why[200])
{
    const char *what = NULL;

    if (!r->kind || strcmp(r->kind, "gpu-tracker-node") != 0) {
        snprintf(why, 200, "it is no node file");
        return -ENODATA;
    }
    if (r->schema != GPUT__FLEET_SCHEMA) {
        snprintf(why, 200, "its format is %d, and this gpu-tracker (" GPUT_VERSION ") reads %d",
                 r->schema, GPUT__FLEET_SCHEMA);
        return -EBADMSG;
    }
    if (!r->file.job.id || !*r->file.job.id)
        what = "job's id";
    else if (!r->file.node || !*r->file.node)
        what = "node's name";
    else if (r->file.n_ranks == 0)
        what = "rank";
    if (what)
        snprintf(why, 200, "there is no %s in it", what);
    return what ? -EBADMSG : 0;
}

int gput__node_file_read(struct gput__input *in, const char *path, struct gput__fleet *fleet,
                         struct gput__fleet_file *ret, char why[200])
{
    struct reading r;
    int s;

    begin(&r, in, path, fleet);
    s = read_all(&r);
    if (s == 0)
        s = check(&r, why);
    else
        snprintf(why, 200, "line %llu: %s", (unsigned long long)r.rd.pull.line,
                 s == -EBADMSG && r.rd.pull.error ? r.rd.pull.error : strerror(-s));
    if (r.job_name) /* --job-name rather than what the launcher says */
        r.file.job.name = r.job_name;
    if (s == 0)
        *ret = r.file;
    else
        gput__fleet_file_free(&r.file);
    gput__json_pull_end(&r.rd.pull);
    free(r.rd.numbers);
    return s;
}
