/* proc_status.c - the fields we use of /proc/<pid>/status, see proc_pid_status(5). */
#include "source/proc/proc_status.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "base/text/scan.h"

static const struct {
    const char *key;
    size_t offset;
} memory_lines[] = {
    { "VmHWM:", offsetof(struct gput__proc_status, hwm) },
    { "VmRSS:", offsetof(struct gput__proc_status, rss) },
    { "RssAnon:", offsetof(struct gput__proc_status, anon) },
    { "RssFile:", offsetof(struct gput__proc_status, file) },
    { "RssShmem:", offsetof(struct gput__proc_status, shmem) },
    { "VmSwap:", offsetof(struct gput__proc_status, swap) },
};

/* What follows the key; NULL: the line has another one.  The third byte decides for most. */
static const char *value_of(const char *line, const char *key)
{
    size_t n;

    if (line[0] != key[0] || line[1] != key[1] || line[2] != key[2])
        return NULL;
    n = strlen(key);
    return strncmp(line, key, n) ? NULL : line + n;
}

static void parse_memory_line(const char *line, struct gput__proc_status *st)
{
    for (size_t i = 0; i < sizeof(memory_lines) / sizeof(*memory_lines); i++) {
        const char *p = value_of(line, memory_lines[i].key);
        uint64_t kib;

        if (!p)
            continue;
        if (gput__scan_u64(&p, &kib) < 0)
            return;
        *(uint64_t *)((char *)st + memory_lines[i].offset) = kib * 1024;
        st->has_memory = true;
        return;
    }
}

/* "SigIgn:\t0000000000010000": bit n - 1 is of signal n. */
static void parse_ignored(const char *p, struct gput__proc_status *st)
{
    uint64_t ignored;

    if (gput__scan_hex_until(&p, '\n', &ignored) == 0)
        st->ignores_children = ignored >> (SIGCHLD - 1) & 1;
}

/* "NSpid:  4711  12  1": ours first. */
static void parse_namespaces(const char *p, struct gput__proc_status *st)
{
    uint64_t pid;

    while (gput__scan_u64(&p, &pid) == 0 && pid <= INT32_MAX) {
        st->n_namespaces++;
        st->inner_pid = (int)pid;
    }
}

int gput__proc_status_parse(const char *text, struct gput__proc_status *ret)
{
    static const char cpus[] = "Cpus_allowed_list:";
    struct gput__proc_status st = { 0 };

    if (strncmp(text, "Name:", 5))
        return -EBADMSG;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        /* Only lines that begin so are of interest: one byte decides for most of the sixty. */
        if (*line == 'V' || *line == 'R')
            parse_memory_line(line, &st);
        else if (*line == 'C' && !strncmp(line, cpus, sizeof(cpus) - 1))
            (void)gput__scan_cpu_list(line + sizeof(cpus) - 1, &st.n_cpus);
        else if (*line == 'N' && !strncmp(line, "NSpid:", 6))
            parse_namespaces(line + 6, &st);
        else if (*line == 'S' && !strncmp(line, "SigIgn:\t", 8))
            parse_ignored(line + 8, &st);
    }
    *ret = st;
    return 0;
}
