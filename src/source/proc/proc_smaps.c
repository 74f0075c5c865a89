/* proc_smaps.c - /proc/<pid>/smaps and smaps_rollup, read piece by piece: see proc_pid_smaps(5). */
#include "source/proc/proc_smaps.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/text/scan.h"

static const struct {
    const char *key;
    size_t offset;
} value_lines[] = {
    { "Rss:", offsetof(struct gput__vma, rss) },
    { "Pss:", offsetof(struct gput__vma, pss) },
    { "Pss_Dirty:", offsetof(struct gput__vma, pss_dirty) },
    { "Pss_Anon:", offsetof(struct gput__vma, pss_anon) },
    { "Shared_Clean:", offsetof(struct gput__vma, shared) },
    { "Shared_Dirty:", offsetof(struct gput__vma, shared) },
    { "Private_Clean:", offsetof(struct gput__vma, private_clean) },
    { "Private_Dirty:", offsetof(struct gput__vma, private_dirty) },
    { "Anonymous:", offsetof(struct gput__vma, anonymous) },
};

/* "55d0-55d4 r-xp 00002000 08:01 1234   /usr/bin/x" or, in a rollup, "55d0-7ffc ---p 0 00:00 0
 * [rollup]" */
static int parse_header(const char *line, struct gput__vma *ret)
{
    struct gput__vma v = { 0 };
    uint64_t begin, end, major, minor;
    const char *p = line;

    if (gput__scan_hex_until(&p, '-', &begin) < 0 || gput__scan_hex_until(&p, ' ', &end) < 0 ||
        gput__scan_skip(&p, 1) < 0 || *p++ != ' ' || gput__scan_hex_until(&p, ' ', &v.from) < 0 ||
        gput__scan_hex_until(&p, ':', &major) < 0 || gput__scan_hex_until(&p, ' ', &minor) < 0 ||
        gput__scan_u64(&p, &v.inode) < 0 || end < begin)
        return -EBADMSG;
    v.to = v.from + (end - begin);
    v.device = major << 32 | (minor & UINT32_MAX);
    v.rollup = v.inode == 0 && !strcmp(p + strspn(p, " \t"), "[rollup]");
    *ret = v;
    return 0;
}

static void parse_value(struct gput__vma *v, const char *line)
{
    for (size_t i = 0; i < sizeof(value_lines) / sizeof(*value_lines); i++) {
        size_t n = strlen(value_lines[i].key);
        const char *p = line + n;
        uint64_t kib;

        if (strncmp(line, value_lines[i].key, n) || gput__scan_u64(&p, &kib) < 0)
            continue;
        *(uint64_t *)((char *)v + value_lines[i].offset) += kib * 1024;
        v->has_pss_dirty |= value_lines[i].offset == offsetof(struct gput__vma, pss_dirty);
        v->has_pss_anon |= value_lines[i].offset == offsetof(struct gput__vma, pss_anon);
        return;
    }
}

static void hand_on(struct gput__smaps *s)
{
    if (s->open)
        s->each(s->ctx, &s->vma);
    s->open = false;
}

static void parse_line(struct gput__smaps *s)
{
    char first = s->line[0];

    /* A header begins with a lower-case hexadecimal address, every other line with a capital. */
    if (first >= 'A' && first <= 'Z') {
        if (s->open)
            parse_value(&s->vma, s->line);
        return;
    }
    hand_on(s);
    if (parse_header(s->line, &s->vma) < 0)
        s->bad = true;
    else
        s->open = true;
}

void gput__smaps_begin(struct gput__smaps *s, gput__vma_fn *each, void *ctx)
{
    *s = (struct gput__smaps){ .each = each, .ctx = ctx };
}

void gput__smaps_feed(struct gput__smaps *s, const char *text, size_t n)
{
    while (n > 0) {
        const char *nl = memchr(text, '\n', n);
        size_t piece = nl ? (size_t)(nl - text) : n;
        size_t room = sizeof(s->line) - 1 - s->len;
        size_t kept = piece < room ? piece : room;

        memcpy(s->line + s->len, text, kept);
        s->len += kept;
        if (!nl)
            return;
        s->line[s->len] = '\0';
        parse_line(s);
        s->len = 0;
        text += piece + 1;
        n -= piece + 1;
    }
}

int gput__smaps_end(struct gput__smaps *s)
{
    hand_on(s);
    return s->bad || s->len ? -EBADMSG : 0;
}

int gput__smaps_read(const struct gput__root *proc, const char *name, const bool *stop,
                     gput__vma_fn *each, void *ctx)
{
    struct gput__smaps s;
    char piece[16384];
    ssize_t n;
    int fd = gput__root_open_file(proc, name);

    if (fd < 0)
        return fd;
    gput__smaps_begin(&s, each, ctx);
    while ((n = read(fd, piece, sizeof(piece))) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        gput__smaps_feed(&s, piece, (size_t)n);
        if (stop && __atomic_load_n(stop, __ATOMIC_RELAXED)) {
            errno = ECANCELED;
            n = -1;
            break;
        }
    }
    n = n < 0 ? -errno : 0;
    close(fd);
    return n < 0 ? (int)n : gput__smaps_end(&s);
}
