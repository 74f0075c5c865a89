/* catalogue_embedded.c - unpacks the catalogue of servers that is built in. */
#include "servers/catalogue_embedded.h"

#include <errno.h>
#include <zlib.h>

#include "store/files/table.h"

enum {
    PIECE = 16384,
    WINDOW_BITS = 15, /* zlib's own format, any window */
};

static int feed_inflated(struct gput__catalogue_reader *r,
                         const struct gput__embedded_catalogue *from)
{
    unsigned char piece[PIECE];
    z_stream z = { .next_in = (unsigned char *)from->bytes, .avail_in = (uInt)from->size };
    int state = inflateInit2(&z, WINDOW_BITS), result = 0;

    if (state != Z_OK)
        return gput__file_fail(-ENOMEM, r->c->origin, r->err, "it cannot be unpacked");
    while (result == 0 && state == Z_OK) {
        z.next_out = piece;
        z.avail_out = sizeof(piece);
        state = inflate(&z, Z_NO_FLUSH);
        if (state != Z_OK && state != Z_STREAM_END)
            result = gput__file_fail(-EBADMSG, r->c->origin, r->err, "it is damaged");
        else
            result = gput__catalogue_feed(r, (char *)piece, sizeof(piece) - z.avail_out);
    }
    inflateEnd(&z);
    return result;
}

int gput__catalogue_embedded(struct gput_catalogue **ret, struct gput_error *err)
{
    const struct gput__embedded_catalogue *from = &gput__embedded_catalogue;
    struct gput__catalogue_reader r;
    int result = gput__catalogue_begin(&r, GPUT__BUILT_IN, err);

    if (result < 0)
        return result;
    result = from->is_deflated ? feed_inflated(&r, from)
                               : gput__catalogue_feed(&r, (const char *)from->bytes, from->size);
    return gput__catalogue_end(&r, result, ret);
}
