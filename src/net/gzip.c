/* gzip.c - a text made small for the way. */
#include "net/gzip.h"

#include <errno.h>
#include <stdint.h>
#include <zlib.h>

#ifdef GPUT_WITHOUT_ZLIB
int gput__gzip(const char *text, size_t n, struct gput__buf *out)
{
    (void)text, (void)n, (void)out;
    return -ENOSYS;
}
#else
enum { WITH_GZIP_HEADER = 15 + 16, MEMORY_LEVEL = 8 };

int gput__gzip(const char *text, size_t n, struct gput__buf *out)
{
    z_stream z = { 0 };
    int r;

    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WITH_GZIP_HEADER, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return -ENOMEM;
    r = gput__buf_reserve(out, deflateBound(&z, (uLong)n));
    if (r == 0) {
        z.next_in = (Bytef *)(uintptr_t)text; /* it is only read */
        z.avail_in = (uInt)n;
        z.next_out = (Bytef *)out->data + out->len;
        z.avail_out = (uInt)(out->cap - out->len);
        r = deflate(&z, Z_FINISH) == Z_STREAM_END ? 0 : -ENOMEM;
    }
    if (r == 0)
        out->len += z.total_out;
    deflateEnd(&z);
    return r;
}
#endif
