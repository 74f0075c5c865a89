/* fuzz_gzip.c - files that are gzip, whole and damaged.
 *
 * The input is packed, and read as it was.  Its first bytes decide where the packed bytes are changed
 * then, and where they are cut. */
#include <zlib.h>

#include "base/input.h"
#include "fuzz.h"
#include "memory_file.h"

#define ROOM 65536

static size_t pack(const uint8_t *data, size_t size, uint8_t *ret)
{
    z_stream z = {
        .next_in = (Bytef *)data, .avail_in = (uInt)size, .next_out = ret, .avail_out = ROOM
    };

    fuzz_must(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    fuzz_must(deflate(&z, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&z);
    return ROOM - z.avail_out;
}

/* How much of it can be read, or a negative errno. */
static ssize_t unpack(const uint8_t *packed, size_t n, char *ret)
{
    struct fuzz_memory_file file = fuzz_memory_file(packed, n);
    struct gput__input in;
    ssize_t all = 0, got;

    if (gput__input_open_fd(file.fd, &in) < 0)
        return -1;
    while ((got = gput__input_read(&in, ret + all, (size_t)(ROOM - all))) > 0)
        all += got;
    gput__input_close(&in);
    return got < 0 ? got : all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t packed[ROOM];
    static char text[ROOM];
    size_t n;

    if (size < 4 || size > ROOM / 2)
        return 0;
    n = pack(data + 4, size - 4, packed);
    fuzz_must(unpack(packed, n, text) == (ssize_t)size - 4 && !memcmp(text, data + 4, size - 4));
    packed[(data[0] | (size_t)data[1] << 8) % n] ^= data[2];
    (void)unpack(packed, n, text);
    (void)unpack(packed, n - data[3] % n, text);
    return 0;
}
