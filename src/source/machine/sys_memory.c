/* sys_memory.c - /proc/meminfo: the machine's memory, bytes. */
#include "source/machine/sys_memory.h"

#include <errno.h>
#include <string.h>

#include "base/text/scan.h"

enum line {
    MEM_TOTAL,
    MEM_FREE,
    MEM_AVAILABLE,
    BUFFERS,
    CACHED,
    ACTIVE,
    INACTIVE,
    SWAP_TOTAL,
    SWAP_FREE,
    ANON_PAGES,
    MAPPED,
    SRECLAIMABLE,
    N_LINES
};

/* In the order of the kernel's. */
static const char *const keys[N_LINES] = {
    [MEM_TOTAL] = "MemTotal:",   [MEM_FREE] = "MemFree:",     [MEM_AVAILABLE] = "MemAvailable:",
    [BUFFERS] = "Buffers:",      [CACHED] = "Cached:",        [ACTIVE] = "Active:",
    [INACTIVE] = "Inactive:",    [SWAP_TOTAL] = "SwapTotal:", [SWAP_FREE] = "SwapFree:",
    [ANON_PAGES] = "AnonPages:", [MAPPED] = "Mapped:",        [SRECLAIMABLE] = "SReclaimable:",
};

struct lines {
    uint64_t kib[N_LINES];
    unsigned found; /* a bit for each */
};

#define BIT(line) (1u << (line))

static bool has(const struct lines *l, unsigned bits)
{
    return (l->found & bits) == bits;
}

/* Whether it is that line; what it says, if that is a number. */
static bool parse_line(const char *line, int i, struct lines *l)
{
    size_t n = strlen(keys[i]);
    const char *p = line + n;

    if (line[0] != keys[i][0] || strncmp(line, keys[i], n) || (*p != ' ' && *p != '\t'))
        return false;
    if (!has(l, BIT(i)) && gput__scan_u64(&p, &l->kib[i]) == 0 &&
        l->kib[i] <= UINT64_MAX / 1024 / 4)
        l->found |= BIT(i);
    return true;
}

/* From `i` on, round and round: the next key is mostly the right one.  Returns the key after it. */
static int parse_any(const char *line, int i, int n, struct lines *l)
{
    for (int k = 0; k < n; k++) {
        int key = (i + k) % N_LINES;

        if (parse_line(line, key, l))
            return (key + 1) % N_LINES;
    }
    return i;
}

static void parse_lines(const char *text, int n_keys, struct lines *l)
{
    int next = 0;

    while (text && *text && !has(l, BIT(N_LINES) - 1)) {
        next = parse_any(text, next, n_keys, l);
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
}

/* Before Linux 3.14 there is no MemAvailable; what can be dropped at once is used for it. */
static int available(const struct lines *l, uint64_t *ret_kib)
{
    if (has(l, BIT(MEM_AVAILABLE)))
        *ret_kib = l->kib[MEM_AVAILABLE];
    else if (has(l, BIT(MEM_FREE) | BIT(BUFFERS) | BIT(CACHED)))
        *ret_kib = l->kib[MEM_FREE] + l->kib[BUFFERS] + l->kib[CACHED];
    else
        return -EBADMSG;
    return 0;
}

/* All or nothing.  Before Linux 2.6.19 the slab is not split into parts. */
static void set_parts(const struct lines *l, struct gput__sys_memory *ret)
{
    if (!has(l, BIT(MEM_FREE) | BIT(BUFFERS) | BIT(CACHED) | BIT(ACTIVE) | BIT(INACTIVE)))
        return;
    ret->has_parts = true;
    ret->free = l->kib[MEM_FREE] * 1024;
    ret->buffers = l->kib[BUFFERS] * 1024;
    ret->cached = (l->kib[CACHED] + l->kib[SRECLAIMABLE]) * 1024;
    ret->active = l->kib[ACTIVE] * 1024;
    ret->inactive = l->kib[INACTIVE] * 1024;
}

/* The kernel may be built without swap. */
static void set_swap(const struct lines *l, struct gput__sys_memory *ret)
{
    if (!has(l, BIT(SWAP_TOTAL) | BIT(SWAP_FREE)) || l->kib[SWAP_FREE] > l->kib[SWAP_TOTAL])
        return;
    ret->swap_total = l->kib[SWAP_TOTAL] * 1024;
    ret->swap_free = l->kib[SWAP_FREE] * 1024;
}

int gput__sys_memory_parse(const char *text, struct gput__sys_memory *ret)
{
    struct lines l = { 0 };
    uint64_t free_kib;

    parse_lines(text, 1, &l); /* as the kernels of today have them; else each is searched for */
    if (!has(&l, BIT(N_LINES) - 1))
        parse_lines(text, N_LINES, &l);
    if (!has(&l, BIT(MEM_TOTAL)) || available(&l, &free_kib) < 0 || free_kib > l.kib[MEM_TOTAL])
        return -EBADMSG;
    *ret =
        (struct gput__sys_memory){ .total = l.kib[MEM_TOTAL] * 1024, .available = free_kib * 1024 };
    set_parts(&l, ret);
    if (has(&l, BIT(ANON_PAGES) | BIT(MAPPED)))
        ret->mapped = (l.kib[ANON_PAGES] + l.kib[MAPPED]) * 1024;
    set_swap(&l, ret);
    return 0;
}
