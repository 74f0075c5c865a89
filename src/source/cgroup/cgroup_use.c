/* cgroup_use.c - what a control group has used, read again and again, versions 1 and 2. */
#include "source/cgroup/cgroup_use.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/text/scan.h"
#include "source/stalls/sys_pressure.h"

static void set(struct gput__cgroup_use *u, enum gput__cgroup_value v, uint64_t value)
{
    u->value[v] = value;
    u->known |= 1u << v;
}

static void set_key(struct gput__cgroup_use *u, enum gput__cgroup_value v, const char *text,
                    const char *key, uint64_t scale)
{
    uint64_t value;

    if (gput__scan_key(text, key, &value) == 0 && !__builtin_mul_overflow(value, scale, &value))
        set(u, v, value);
}

static void set_number(struct gput__cgroup_use *u, enum gput__cgroup_value v, const char *text)
{
    uint64_t value;

    if (gput__scan_u64(&text, &value) == 0)
        set(u, v, value);
}

/* --- text ----------------------------------------------------------------------------------- */

void gput__cgroup_parse_cpu_stat(const char *text, struct gput__cgroup_use *u)
{
    set_key(u, GPUT__CGROUP_CPU_NS, text, "usage_usec", 1000);
    set_key(u, GPUT__CGROUP_USER_NS, text, "user_usec", 1000);
    set_key(u, GPUT__CGROUP_SYSTEM_NS, text, "system_usec", 1000);
}

void gput__cgroup_parse_cpuacct_usage(const char *text, struct gput__cgroup_use *u)
{
    set_number(u, GPUT__CGROUP_CPU_NS, text);
}

void gput__cgroup_parse_cpuacct_stat(const char *text, struct gput__cgroup_use *u)
{
    uint64_t user, system, cpu = u->value[GPUT__CGROUP_CPU_NS];
    double part;

    if (!gput__cgroup_knows(u, GPUT__CGROUP_CPU_NS) || gput__scan_key(text, "user", &user) < 0 ||
        gput__scan_key(text, "system", &system) < 0)
        return;
    /* Less than a tick: in which of the two is not known. */
    part = user || system ? (double)user / ((double)user + (double)system) : 0.5;
    user = (uint64_t)((double)cpu * part);
    user = user < cpu ? user : cpu;
    set(u, GPUT__CGROUP_USER_NS, user);
    set(u, GPUT__CGROUP_SYSTEM_NS, cpu - user);
}

/* Version 1 has the group's own and, as total_, with the groups below it; version 2 only the latter. */
void gput__cgroup_parse_memory_stat(const char *text, struct gput__cgroup_use *u)
{
    static const struct {
        enum gput__cgroup_value value;
        const char *key;
    } keys[] = { /* a later one that is there wins */
                 { GPUT__CGROUP_ANON, "rss" },
                 { GPUT__CGROUP_ANON, "total_rss" },
                 { GPUT__CGROUP_ANON, "anon" },
                 { GPUT__CGROUP_SHMEM, "shmem" },
                 { GPUT__CGROUP_SHMEM, "total_shmem" },
                 { GPUT__CGROUP_MAPPED_FILE, "mapped_file" },
                 { GPUT__CGROUP_MAPPED_FILE, "total_mapped_file" },
                 { GPUT__CGROUP_MAPPED_FILE, "file_mapped" }
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        set_key(u, keys[i].value, text, keys[i].key, 1);
}

static const char *next_line(const char *line)
{
    line = strchrnul(line, '\n');
    return line + (*line == '\n');
}

/* "MAJOR:MINOR", behind which *line then stands; false: the line is of no device that counts. */
static bool is_counted(const char **line, const struct gput__cgroup_disks *disks)
{
    size_t n = strcspn(*line, " \n");
    char device[32];

    if (n == 0 || n >= sizeof(device) || (*line)[n] != ' ' || !memchr(*line, ':', n))
        return false;
    memcpy(device, *line, n);
    device[n] = '\0';
    *line += n;
    return !disks->leave_out || !disks->leave_out(disks->ctx, device);
}

static void add(uint64_t *sum, uint64_t v)
{
    if (__builtin_add_overflow(*sum, v, sum))
        *sum = UINT64_MAX;
}

/* The number behind the word, e.g. "rbytes=", that begins after a blank of this line. */
static uint64_t word_of_line(const char *line, const char *word)
{
    const char *end = strchrnul(line, '\n'), *at = strstr(line, word);
    uint64_t v;

    if (!at || at >= end || at == line || at[-1] != ' ')
        return 0;
    at += strlen(word);
    return *at >= '0' && *at <= '9' && gput__scan_u64(&at, &v) == 0 ? v : 0;
}

void gput__cgroup_parse_io_stat(const char *text, const struct gput__cgroup_disks *disks,
                                struct gput__cgroup_use *u)
{
    uint64_t read = 0, written = 0;

    for (const char *line = text; *line; line = next_line(line)) {
        const char *rest = line;

        if (!is_counted(&rest, disks))
            continue;
        add(&read, word_of_line(rest, "rbytes="));
        add(&written, word_of_line(rest, "wbytes="));
    }
    set(u, GPUT__CGROUP_READ_BYTES, read);
    set(u, GPUT__CGROUP_WRITTEN_BYTES, written);
}

void gput__cgroup_parse_blkio(const char *text, const struct gput__cgroup_disks *disks,
                              struct gput__cgroup_use *u)
{
    uint64_t read = 0, written = 0;

    for (const char *line = text; *line; line = next_line(line)) {
        const char *rest = line;
        uint64_t v;

        if (!is_counted(&rest, disks))
            continue;
        rest++;
        if (!strncmp(rest, "Read ", 5)) {
            rest += 5;
            add(&read, gput__scan_u64(&rest, &v) == 0 ? v : 0);
        } else if (!strncmp(rest, "Write ", 6)) {
            rest += 6;
            add(&written, gput__scan_u64(&rest, &v) == 0 ? v : 0);
        }
    }
    set(u, GPUT__CGROUP_READ_BYTES, read);
    set(u, GPUT__CGROUP_WRITTEN_BYTES, written);
}

/* --- files ---------------------------------------------------------------------------------- */

/* Bytes of a device on top of others are bytes of those too. */
static bool is_stacked(const void *ctx, const char *device)
{
    const struct gput__root *sys = ctx;
    char name[64];

    snprintf(name, sizeof(name), "dev/block/%s/slaves", device);
    return !strncmp(device, "7:", 2) /* loop */ || gput__folder_has(sys->fd, name, "");
}

static void parse_memory_peak(const char *text, struct gput__cgroup_use *u)
{
    set_number(u, GPUT__CGROUP_MEMORY_PEAK, text);
}

static void parse_tasks(const char *text, struct gput__cgroup_use *u)
{
    set_number(u, GPUT__CGROUP_N_TASKS, text);
}

static void parse_tasks_peak(const char *text, struct gput__cgroup_use *u)
{
    set_number(u, GPUT__CGROUP_TASKS_PEAK, text);
}

static void parse_kills(const char *text, struct gput__cgroup_use *u)
{
    set_key(u, GPUT__CGROUP_OOM_KILLS, text, "oom_kill", 1);
}

/* `some`, which "full" follows. */
static void set_pressure(const char *text, enum gput__cgroup_value some, struct gput__cgroup_use *u)
{
    struct gput__sys_pressure p;

    if (gput__sys_pressure_parse(text, &p) < 0)
        return;
    set(u, some, p.some_us);
    if (p.has_full)
        set(u, some + 1, p.full_us);
}

static void parse_cpu_pressure(const char *text, struct gput__cgroup_use *u)
{
    set_pressure(text, GPUT__CGROUP_CPU_SOME_US, u);
}

static void parse_memory_pressure(const char *text, struct gput__cgroup_use *u)
{
    set_pressure(text, GPUT__CGROUP_MEMORY_SOME_US, u);
}

static void parse_io_pressure(const char *text, struct gput__cgroup_use *u)
{
    set_pressure(text, GPUT__CGROUP_IO_SOME_US, u);
}

/* NULL: input and output, which need the disks too. */
typedef void parse(const char *text, struct gput__cgroup_use *u);

struct file {
    enum gput__cgroup_kind kind;
    const char *name[2]; /* in version 1 and 2; NULL: not there */
    parse *parse[2];
    enum gput__cgroup_depth depth;
};

/* clang-format off */
static const struct file files[GPUT__CGROUP_MOST_FILES] = {
    { GPUT__CGROUP_MEMORY, { "memory.stat", "memory.stat" },
      { gput__cgroup_parse_memory_stat, gput__cgroup_parse_memory_stat }, GPUT__CGROUP_POLL },
    { GPUT__CGROUP_TASKS, { "pids.current", "pids.current" }, { parse_tasks, parse_tasks },
      GPUT__CGROUP_POLL },
    { GPUT__CGROUP_CPU, { "cpuacct.usage", "cpu.stat" },
      { gput__cgroup_parse_cpuacct_usage, gput__cgroup_parse_cpu_stat }, GPUT__CGROUP_RECORD },
    { GPUT__CGROUP_CPU, { "cpuacct.stat", NULL }, { gput__cgroup_parse_cpuacct_stat, NULL },
      GPUT__CGROUP_ALL },
    { GPUT__CGROUP_MEMORY, { "memory.max_usage_in_bytes", "memory.peak" },
      { parse_memory_peak, parse_memory_peak }, GPUT__CGROUP_ALL },
    { GPUT__CGROUP_MEMORY, { "memory.oom_control", "memory.events" }, { parse_kills, parse_kills },
      GPUT__CGROUP_ALL },
    { GPUT__CGROUP_TASKS, { "pids.peak", "pids.peak" }, { parse_tasks_peak, parse_tasks_peak },
      GPUT__CGROUP_ALL },
    { GPUT__CGROUP_IO, { "blkio.throttle.io_service_bytes_recursive", "io.stat" }, { NULL, NULL },
      GPUT__CGROUP_ALL },
    { GPUT__CGROUP_PRESSURE, { "cpu.pressure", "cpu.pressure" },
      { parse_cpu_pressure, parse_cpu_pressure }, GPUT__CGROUP_RECORD },
    { GPUT__CGROUP_PRESSURE, { "memory.pressure", "memory.pressure" },
      { parse_memory_pressure, parse_memory_pressure }, GPUT__CGROUP_RECORD },
    { GPUT__CGROUP_PRESSURE, { "io.pressure", "io.pressure" },
      { parse_io_pressure, parse_io_pressure }, GPUT__CGROUP_RECORD },
};
/* clang-format on */

void gput__cgroup_files_begin(struct gput__cgroup_files *f, const struct gput__root *sys,
                              const struct gput__cgroup_place *place)
{
    *f = (struct gput__cgroup_files){ .sys = sys, .place = place };
    for (int i = 0; i < GPUT__CGROUP_MOST_FILES; i++)
        f->fd[i] = -1;
}

void gput__cgroup_files_close(struct gput__cgroup_files *f)
{
    for (int i = 0; f->sys && i < GPUT__CGROUP_MOST_FILES; i++) {
        if (f->fd[i] >= 0)
            close(f->fd[i]);
        f->fd[i] = -1;
    }
}

static void read_one(struct gput__cgroup_files *f, int i, struct gput__cgroup_use *u)
{
    const struct gput__cgroup_disks disks = { is_stacked, f->sys };
    const char *folder = f->place->folder[files[i].kind];
    int version = f->place->version - 1;
    char path[GPUT__CGROUP_PATH + 64], text[8192];

    if (!*folder || !files[i].name[version])
        return;
    snprintf(path, sizeof(path), "%s/%s", folder, files[i].name[version]);
    if (gput__root_reread(f->sys, path, &f->fd[i], text, sizeof(text)) < 0)
        return;
    if (files[i].parse[version])
        files[i].parse[version](text, u);
    else if (version == 0)
        gput__cgroup_parse_blkio(text, &disks, u);
    else
        gput__cgroup_parse_io_stat(text, &disks, u);
}

void gput__cgroup_files_read(struct gput__cgroup_files *f, enum gput__cgroup_depth depth,
                             struct gput__cgroup_use *u)
{
    if (f->place->version != 1 && f->place->version != 2)
        return;
    for (int i = 0; i < GPUT__CGROUP_MOST_FILES; i++)
        if (files[i].depth <= depth)
            read_one(f, i, u);
}

int gput__cgroup_members(const struct gput__root *sys, const char *folder,
                         void (*each)(void *ctx, pid_t pid), void *ctx)
{
    char path[GPUT__CGROUP_PATH + 64];
    struct gput__buf text = { 0 };
    int fd = -1, r;

    snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
    r = gput__root_reread_whole(sys, path, &fd, sizeof("4194304"), &text);
    if (fd >= 0)
        close(fd);
    for (const char *p = r == 0 ? text.data : ""; *p; p = next_line(p)) {
        uint64_t pid;

        if (gput__scan_u64(&p, &pid) == 0 && pid > 0 && pid <= INT32_MAX)
            each(ctx, (pid_t)pid);
        else
            r = -EBADMSG;
    }
    gput__buf_free(&text);
    return r;
}
