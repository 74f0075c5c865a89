/* marks_csv.c - marks as lines of CSV, each appended by one write. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rangelock.h"
#include "base/root.h"
#include "base/text/dtoa.h"
#include "base/text/text.h"
#include "store/marks/marks.h"
#include "store/marks/sub_tracking_file.h"

/* How long the lock of a file on a network is waited for; then the mark is written without. */
#define PATIENCE_NS (10 * GPUT__NS_PER_S)

/* How the file is opened once more: somebody may have put a link or a pipe in its place. */
#define AGAIN (O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)

/* --- text ----------------------------------------------------------------------------------- */

/* Quotes where Python's csv module does. */
static void write_name(struct gput__buf *b, const char *name)
{
    const char *quote, *guard = gput__text_is_formula(name, strlen(name)) ? "'" : "";

    if (!strpbrk(name, ",\"\r\n")) {
        gput__buf_puts(b, guard);
        gput__buf_puts(b, name);
        return;
    }
    gput__buf_putc(b, '"');
    gput__buf_puts(b, guard);
    for (; (quote = strchr(name, '"')); name = quote + 1) {
        gput__buf_add(b, name, (size_t)(quote - name));
        gput__buf_puts(b, "\"\"");
    }
    gput__buf_puts(b, name);
    gput__buf_putc(b, '"');
}

static char *digits_before(char *end, uint64_t v)
{
    do
        *--end = (char)('0' + v % 10);
    while (v /= 10);
    return end;
}

static void write_whole(struct gput__buf *b, int64_t v)
{
    char text[24], *p = digits_before(text + sizeof(text), v < 0 ? 0 - (uint64_t)v : (uint64_t)v);

    if (v < 0)
        *--p = '-';
    gput__buf_add(b, p, (size_t)(text + sizeof(text) - p));
}

/* Microseconds as Python prints the seconds: doubles of our age lie four to the microsecond, so the
 * six decimals are what repr() gives, and its three costly tries are saved. */
static void write_time(struct gput__buf *b, int64_t real_us)
{
    uint64_t us = real_us < 0 ? 0 : (uint64_t)real_us;
    char text[24], *end = text + sizeof(text), *p = end;

    for (int i = 0; i < 6; i++, us /= 10)
        *--p = (char)('0' + us % 10);
    *--p = '.';
    p = digits_before(p, us);
    while (end[-1] == '0' && end[-2] != '.')
        end--;
    gput__buf_add(b, p, (size_t)(end - p));
}

static void write_cost(struct gput__buf *b, const struct gput__mark_row *row)
{
    char text[32];

    gput__buf_putc(b, ',');
    gput__buf_add(b, text, gput__dtoa(row->cpu_seconds, text));
    gput__buf_putc(b, ',');
    write_whole(b, (int64_t)row->peak_rss_bytes);
}

void gput__mark_line(struct gput__buf *b, const struct gput__mark_row *row, bool is_exact)
{
    write_whole(b, row->process_id);
    gput__buf_putc(b, ',');
    write_name(b, row->name);
    gput__buf_puts(b, row->is_end ? ",1," : ",0,");
    write_time(b, row->real_us);
    if (is_exact)
        write_cost(b, row);
    gput__buf_puts(b, "\r\n");
}

void gput__mark_header(struct gput__buf *b, bool is_exact)
{
    const struct gput__columns *c = &gput__mark_columns;
    unsigned n = c->n_needed + (is_exact ? c->n_further : 0);

    for (unsigned i = 0; i < n; i++) {
        gput__buf_puts(b, c->names[i]);
        gput__buf_puts(b, i + 1 < n ? "," : "\r\n");
    }
}

/* --- the file ------------------------------------------------------------------------------- */

/* Behind the last end of a line before `end`; 0: there is none. */
static off_t line_end_before(int fd, off_t end)
{
    char text[4096];

    while (end > 0) {
        size_t n = end < (off_t)sizeof(text) ? (size_t)end : sizeof(text);
        const char *newline;

        if (pread(fd, text, n, end - (off_t)n) != (ssize_t)n)
            return -EIO;
        newline = memrchr(text, '\n', n);
        if (newline)
            return end - (off_t)n + (newline - text) + 1;
        end -= (off_t)n;
    }
    return 0;
}

/* Whether the line that ends at `end` is the last of a row: position, time and figures, or is empty.
 * Others are of a name of several lines whose row is not whole. */
static bool ends_a_row(int fd, off_t end)
{
    char text[160], *line, *p;
    size_t room = sizeof(text) - 1, n = end < (off_t)room ? (size_t)end : room;

    if (pread(fd, text, n, end - (off_t)n) != (ssize_t)n)
        return true; /* left alone */
    for (n--; n > 0 && text[n - 1] == '\r';)
        n--;
    line = memrchr(text, '\n', n);
    line = line ? line + 1 : text;
    text[n] = '\0';
    for (p = text + n; p > line && strchr("0123456789.eE+-,", p[-1]);)
        p--;
    return !*line || strstr(p, ",0,") || strstr(p, ",1,");
}

/* Where the whole rows before `end` end; `header`: no row begins before it. */
static off_t rows_end_before(int fd, off_t header, off_t end)
{
    end = line_end_before(fd, end);
    while (end > header && !ends_a_row(fd, end))
        end = line_end_before(fd, end - 1);
    return end;
}

/* Whether it was us who last wrote through a descriptor: others may share it. */
static bool stands_at(int fd, off_t at, const char *line, size_t len)
{
    char *there = malloc(len);
    bool is = there && pread(fd, there, len, at) == (ssize_t)len && !memcmp(there, line, len);

    free(there);
    return is;
}

/* A part of a row becomes empty lines, which every reader leaves out: others write behind it. */
static void blank_out(const struct gput_marks *m, off_t from, off_t to)
{
    int fd = open(m->path, O_WRONLY | AGAIN); /* an appending one writes at the end only */
    char *empty = malloc((size_t)(to - from));

    if (fd >= 0 && empty) {
        memset(empty, '\n', (size_t)(to - from));
        (void)!pwrite(fd, empty, (size_t)(to - from), from);
    }
    free(empty);
    if (fd >= 0)
        close(fd);
}

/* Who is killed while writing leaves a part of a row, up to where a page of the file ends.  Ours at
 * `at` is then joined to it. */
static void part_from_killed(const struct gput_marks *m, int fd, off_t at)
{
    off_t end = rows_end_before(fd, m->header, at);

    if (end >= m->header && end < at)
        blank_out(m, end, at);
}

/* One write: the kernel keeps appends of many processes apart. */
static int append(const struct gput_marks *m, int fd, const char *line, size_t len)
{
    ssize_t n;
    off_t at;

    do
        n = write(fd, line, len);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    at = lseek(fd, 0, SEEK_CUR) - (off_t)n;
    if ((size_t)n < len) { /* the file system is full */
        if (stands_at(fd, at, line, (size_t)n))
            blank_out(m, at, at + (off_t)n);
        return -ENOSPC;
    }
    if (at % GPUT__SMALLEST_PAGE == 0 && at > 0 && stands_at(fd, at, line, len))
        part_from_killed(m, fd, at);
    return 0;
}

/* On a network each machine finds the end of the file for itself: only a lock keeps two apart.  The
 * descriptor is of this mark alone, so that threads and forked children exclude each other too. */
static int append_locked(const struct gput_marks *m, const char *line, size_t len)
{
    int fd = open(m->path, O_RDWR | O_APPEND | AGAIN);
    int r;

    if (fd < 0)
        return -errno;
    (void)gput__rangelock(fd, GPUT__LOCK_WRITE, F_WRLCK, PATIENCE_NS);
    r = append(m, fd, line, len);
    if (close(fd) < 0 && r == 0) /* some of them tell of a full disk only now */
        r = -errno;
    return r;
}

static int hand_over(const struct gput_marks *m, struct gput__buf *b)
{
    int r = b->err;

    if (r == 0)
        r = m->is_shared ? append_locked(m, b->data, b->len) : append(m, m->fd, b->data, b->len);
    return r;
}

int gput__marks_csv_add(struct gput_marks *m, const struct gput__mark_row *row)
{
    struct gput__buf b = { 0 };
    int r;

    gput__mark_line(&b, row, m->is_exact);
    r = hand_over(m, &b);
    gput__buf_free(&b);
    return r;
}

int gput__marks_csv_begin(struct gput_marks *m)
{
    struct gput__buf b = { 0 };
    int r;

    gput__mark_header(&b, m->is_exact);
    r = b.err ? b.err : append(m, m->fd, b.data, b.len);
    m->header = (off_t)b.len;
    gput__buf_free(&b);
    return r;
}

/* Either end of line; the Python tool's files have both. */
static bool begins_with_header(const char *text, bool is_exact)
{
    struct gput__buf b = { 0 };
    bool is;

    gput__mark_header(&b, is_exact);
    is = !b.err && (!strncmp(text, b.data, b.len) ||
                    (!strncmp(text, b.data, b.len - 2) && text[b.len - 2] == '\n'));
    gput__buf_free(&b);
    return is;
}

/* Of a writer that was killed, or of a full disk. */
static int cut_unfinished_row(int fd, off_t header)
{
    struct stat st;
    off_t end;

    if (fstat(fd, &st) < 0)
        return -errno;
    end = rows_end_before(fd, header, st.st_size);
    if (end < 0)
        return (int)end;
    return end == st.st_size || ftruncate(fd, end) == 0 ? 0 : -errno;
}

int gput__marks_csv_join(struct gput_marks *m, bool is_alone)
{
    char text[256];
    ssize_t n = pread(m->fd, text, sizeof(text) - 1, 0);

    if (n < 0)
        return -errno;
    text[n] = '\0';
    m->is_exact = begins_with_header(text, true);
    if (!m->is_exact && !begins_with_header(text, false))
        return -EINVAL;
    m->header = (off_t)strcspn(text, "\n") + 1;
    return is_alone ? cut_unfinished_row(m->fd, m->header) : 0;
}
