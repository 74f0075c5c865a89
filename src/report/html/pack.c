/* pack.c - numbers on their way into a page: small, and exact enough to be drawn. */
#include "report/html/pack.h"

#include <errno.h>
#include <math.h>
#ifndef GPUT_WITHOUT_ZLIB
#include <zlib.h>
#endif

double gput__pack_step(double max, int is_whole, unsigned top)
{
    if (!(max > 0))
        return 1;
    return is_whole && max <= top - 1 ? 1 : max / (top - 1);
}

void gput__pack_codes(const double *value, size_t n, double step, unsigned top, uint16_t *ret)
{
    for (size_t i = 0; i < n; i++) {
        double steps = value[i] > 0 ? round(value[i] / step) : 0;

        if (isnan(value[i]))
            ret[i] = 0;
        else
            ret[i] = (uint16_t)(1 + (steps < top - 1 ? (unsigned)steps : top - 1));
    }
}

/* Room for n more bytes, which are then the caller's to fill; NULL: there is none. */
static unsigned char *add_room(struct gput__buf *out, size_t n)
{
    unsigned char *room;

    if (gput__buf_reserve(out, n) < 0)
        return NULL;
    room = (unsigned char *)out->data + out->len;
    out->len += n;
    out->data[out->len] = '\0';
    return room;
}

/* In 16 bits, where differences wrap around and come back the same way. */
static uint16_t zigzag(uint16_t now, uint16_t before)
{
    uint16_t d = (uint16_t)(now - before);

    return (uint16_t)(d & 0x8000 ? ~(d << 1) : d << 1);
}

void gput__pack_differences(struct gput__buf *out, const uint16_t *code, size_t n)
{
    unsigned char *low = add_room(out, 2 * n);

    for (size_t i = 0; low && i < n; i++) {
        uint16_t word = zigzag(code[i], i > 0 ? code[i - 1] : 0);

        low[i] = (unsigned char)(word & 0xFF);
        low[n + i] = (unsigned char)(word >> 8);
    }
}

void gput__pack_above(struct gput__buf *out, const uint16_t *code, const uint16_t *base, size_t n)
{
    unsigned char *low = add_room(out, 2 * n);

    for (size_t i = 0; low && i < n; i++) {
        uint16_t word = (uint16_t)(code[i] - base[i]);

        low[i] = (unsigned char)(word & 0xFF);
        low[n + i] = (unsigned char)(word >> 8);
    }
}

void gput__pack_rising(struct gput__buf *out, const uint32_t *number, size_t n)
{
    unsigned char *plane = add_room(out, 4 * n);

    for (unsigned shift = 0; plane && shift < 32; shift += 8, plane += n)
        for (size_t i = 0; i < n; i++)
            plane[i] = (number[i] - (i > 0 ? number[i - 1] : 0)) >> shift & 0xFF;
}

void gput__pack_base64(struct gput__buf *out, const void *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *to = add_room(out, (n + 2) / 3 * 4);
    const unsigned char *b = bytes;

    for (size_t i = 0; to && i < n; i += 3, to += 4) {
        unsigned three = (unsigned)b[i] << 16 | (i + 1 < n ? (unsigned)b[i + 1] << 8 : 0) |
                         (i + 2 < n ? b[i + 2] : 0);

        to[0] = (unsigned char)digits[three >> 18];
        to[1] = (unsigned char)digits[three >> 12 & 63];
        to[2] = (unsigned char)(i + 1 < n ? digits[three >> 6 & 63] : '=');
        to[3] = (unsigned char)(i + 2 < n ? digits[three & 63] : '=');
    }
}

#ifdef GPUT_WITHOUT_ZLIB
int gput__pack_deflate(const struct gput__buf *in, struct gput__buf *out)
{
    (void)in, (void)out;
    return -ENOSYS;
}
#else
int gput__pack_deflate(const struct gput__buf *in, struct gput__buf *out)
{
    uLongf n = compressBound((uLong)in->len);

    if (in->err < 0 || gput__buf_reserve(out, n) < 0)
        return -ENOMEM;
    if (compress2((Bytef *)out->data + out->len, &n, (const Bytef *)in->data, (uLong)in->len,
                  Z_DEFAULT_COMPRESSION) != Z_OK)
        return -ENOMEM;
    out->len += n;
    out->data[out->len] = '\0';
    return 0;
}
#endif
