/* pack.c - numbers on their way into a page: small, and exact enough to be drawn. */
#include "report/pack.h"

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

static void put_planes(struct gput__buf *out, const uint16_t *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        gput__buf_putc(out, (char)(word[i] & 0xFF));
    for (size_t i = 0; i < n; i++)
        gput__buf_putc(out, (char)(word[i] >> 8));
}

/* In 16 bits, where differences wrap around and come back the same way. */
static uint16_t zigzag(uint16_t now, uint16_t before)
{
    uint16_t d = (uint16_t)(now - before);

    return (uint16_t)(d & 0x8000 ? ~(d << 1) : d << 1);
}

void gput__pack_differences(struct gput__buf *out, const uint16_t *code, size_t n)
{
    if (gput__buf_reserve(out, 2 * n) < 0)
        return;
    for (int high = 0; high < 2; high++)
        for (size_t i = 0; i < n; i++) {
            uint16_t word = zigzag(code[i], i > 0 ? code[i - 1] : 0);

            gput__buf_putc(out, (char)(high ? word >> 8 : word & 0xFF));
        }
}

void gput__pack_plain(struct gput__buf *out, const uint16_t *code, size_t n)
{
    put_planes(out, code, n);
}

void gput__pack_rising(struct gput__buf *out, const uint32_t *number, size_t n)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        for (size_t i = 0; i < n; i++)
            gput__buf_putc(out, (char)((number[i] - (i > 0 ? number[i - 1] : 0)) >> shift & 0xFF));
}

void gput__pack_base64(struct gput__buf *out, const void *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = bytes;

    for (size_t i = 0; i < n; i += 3) {
        unsigned three = (unsigned)b[i] << 16 | (i + 1 < n ? (unsigned)b[i + 1] << 8 : 0) |
                         (i + 2 < n ? b[i + 2] : 0);
        char four[4] = { digits[three >> 18], digits[three >> 12 & 63],
                         i + 1 < n ? digits[three >> 6 & 63] : '=',
                         i + 2 < n ? digits[three & 63] : '=' };

        gput__buf_add(out, four, sizeof(four));
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
