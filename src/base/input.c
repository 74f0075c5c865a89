/* input.c - the bytes of a file from front to back, unpacked where they are gzip. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PIECE = 256 * 1024 };

struct gput__inflate {
    z_stream z;
    bool is_in_member; /* what was read so far ends within gzip data */
    bool is_at_end;
    unsigned char packed[PIECE / 4];
};

static ssize_t read_some(int fd, void *buf, size_t n)
{
    ssize_t got;

    do
        got = read(fd, buf, n);
    while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
}

/* The file begins as gzip: the bytes read so far become the packed data. */
static int begin_inflate(struct gput__input *in)
{
    struct gput__inflate *f = calloc(1, sizeof(*f));
    size_t n = in->end - in->begin;

    if (!f)
        return -ENOMEM;
    memcpy(f->packed, in->data + in->begin, n);
    f->z.next_in = f->packed;
    f->z.avail_in = (uInt)n;
    in->begin = in->end = 0;
    if (inflateInit2(&f->z, 15 + 16) != Z_OK) { /* 16: a gzip header */
        free(f);
        return -ENOSYS;
    }
    in->inflate = f;
    return 0;
}

int gput__input_open_fd(int fd, struct gput__input *ret)
{
    static const char magic[3] = { 0x1f, (char)0x8b, 8 };
    struct gput__input in = { .fd = fd, .data = malloc(PIECE) };
    ssize_t n = 1;
    int r = in.data ? 0 : -ENOMEM;

    /* A pipe may give its first bytes one by one. */
    while (r == 0 && n > 0 && in.end < sizeof(magic)) {
        n = read_some(fd, in.data + in.end, PIECE / 4 - in.end);
        r = n < 0 ? (int)n : 0;
        in.end += n > 0 ? (size_t)n : 0;
    }
    if (r == 0 && in.end >= sizeof(magic) && memcmp(in.data, magic, sizeof(magic)) == 0)
        r = begin_inflate(&in);
    if (r < 0)
        gput__input_close(&in);
    else
        *ret = in;
    return r;
}

int gput__input_open(const char *path, struct gput__input *ret)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat st;

    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        return -EISDIR;
    }
    return gput__input_open_fd(fd, ret);
}

static int fill_packed(struct gput__inflate *f, int fd)
{
    ssize_t n;

    if (f->z.avail_in > 0 || f->is_at_end)
        return 0;
    n = read_some(fd, f->packed, sizeof(f->packed));
    if (n < 0)
        return (int)n;
    f->is_at_end = n == 0;
    f->z.next_in = f->packed;
    f->z.avail_in = (uInt)n;
    return 0;
}

/* Up to n bytes; a file may be several pieces of gzip one behind the other. */
static ssize_t inflate_some(struct gput__inflate *f, int fd, char *buf, size_t n)
{
    f->z.next_out = (unsigned char *)buf;
    f->z.avail_out = (uInt)n;
    while (f->z.avail_out == n) {
        int r = fill_packed(f, fd);

        if (r < 0)
            return r;
        if (f->z.avail_in == 0)
            return f->is_in_member ? -EILSEQ : 0;
        if (!f->is_in_member && inflateReset(&f->z) != Z_OK)
            return -EILSEQ;
        r = inflate(&f->z, Z_NO_FLUSH);
        if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
            return -EILSEQ;
        f->is_in_member = r != Z_STREAM_END;
    }
    return (ssize_t)(n - f->z.avail_out);
}

static ssize_t more(struct gput__input *in, char *buf, size_t n)
{
    return in->inflate ? inflate_some(in->inflate, in->fd, buf, n) : read_some(in->fd, buf, n);
}

int gput__input_fill(struct gput__input *in)
{
    ssize_t n;

    if (in->begin < in->end || in->fd < 0)
        return in->begin < in->end;
    n = more(in, in->data, PIECE);
    if (n < 0)
        return (int)n;
    in->begin = 0;
    in->end = (size_t)n;
    return n > 0;
}

int gput__input_peek(struct gput__input *in, const char **ret, size_t *ret_n)
{
    ssize_t n = 1;

    memmove(in->data, in->data + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
    while (n > 0 && in->end < PIECE / 4) {
        n = more(in, in->data + in->end, PIECE - in->end);
        if (n < 0)
            return (int)n;
        in->end += (size_t)n;
    }
    *ret = in->data;
    *ret_n = in->end;
    return 0;
}

ssize_t gput__input_read(struct gput__input *in, char *buf, size_t n)
{
    size_t left = in->end - in->begin;

    if (left == 0)
        return more(in, buf, n);
    n = n < left ? n : left;
    memcpy(buf, in->data + in->begin, n);
    in->begin += n;
    return (ssize_t)n;
}

void gput__input_close(struct gput__input *in)
{
    if (in->fd >= 0)
        close(in->fd);
    if (in->inflate)
        inflateEnd(&in->inflate->z);
    free(in->inflate);
    free(in->data);
    *in = GPUT__INPUT_INIT;
}
