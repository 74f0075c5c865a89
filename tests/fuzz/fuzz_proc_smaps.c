/* fuzz_proc_smaps.c - /proc/PID/smaps, whole and in pieces: both must say the same.
 *
 * The first byte of the input decides how long the pieces are. */
#include "fuzz.h"
#include "source/proc/proc_smaps.h"
#include "text.h"

struct sum {
    uint64_t n, digest;
};

static void add(void *ctx, const struct gput__vma *v)
{
    const uint64_t values[] = { v->device,        v->inode,     v->from,     v->to,
                                v->rss,           v->pss,       v->shared,   v->private_clean,
                                v->private_dirty, v->anonymous, v->pss_anon, v->pss_dirty,
                                v->rollup };
    struct sum *s = ctx;

    s->n++;
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
        s->digest = (s->digest ^ values[i]) * 0x100000001B3u + (s->digest >> 29);
}

static int in_pieces(const char *text, size_t size, uint32_t seed, struct sum *ret)
{
    struct gput__smaps s;
    size_t piece;

    *ret = (struct sum){ 0 };
    gput__smaps_begin(&s, add, ret);
    for (size_t at = 0; at < size; at += piece) {
        seed = seed * 1664525u + 1013904223u;
        piece = 1 + (seed >> 16) % 300;
        piece = piece < size - at ? piece : size - at;
        gput__smaps_feed(&s, text + at, piece);
    }
    return gput__smaps_end(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sum whole = { 0 }, pieces;
    struct gput__smaps s;
    int r;

    if (size < 1)
        return 0;
    gput__smaps_begin(&s, add, &whole);
    gput__smaps_feed(&s, (const char *)data + 1, size - 1);
    r = gput__smaps_end(&s);
    fuzz_must(in_pieces((const char *)data + 1, size - 1, data[0], &pieces) == r);
    fuzz_must(pieces.n == whole.n && pieces.digest == whole.digest);
    return 0;
}
