/* drm_fdinfo.c - what a DRM driver reports of one client in /proc/<pid>/fdinfo/<fd>. */
#include "source/gpu/drm_fdinfo.h"

#include <errno.h>
#include <string.h>

#include "base/text/scan.h"

struct line {
    const char *key, *value; /* value: behind the colon and the blanks */
    size_t key_len, value_len;
};

/* Takes the next whole line of "key:<blanks>value" form; false at the end. */
static bool next_line(const char **p, struct line *ret)
{
    const char *end;

    for (; (end = strchr(*p, '\n')); *p = end + 1) {
        const char *colon = memchr(*p, ':', (size_t)(end - *p));
        const char *value;

        if (!colon)
            continue;
        for (value = colon + 1; *value == ' ' || *value == '\t'; value++)
            ;
        *ret = (struct line){ *p, value, (size_t)(colon - *p), (size_t)(end - value) };
        *p = end + 1;
        return true;
    }
    return false;
}

/* The rest of the key behind a prefix, to be a name.  False: another key, or no proper name. */
static bool name_after(const struct line *l, const char *prefix, char ret[GPUT__DRM_NAME])
{
    size_t n = strlen(prefix), rest;

    if (l->key_len <= n || memcmp(l->key, prefix, n))
        return false;
    rest = l->key_len - n;
    if (rest >= GPUT__DRM_NAME)
        return false;
    memcpy(ret, l->key + n, rest);
    ret[rest] = '\0';
    return true;
}

static bool key_is(const struct line *l, const char *key)
{
    return l->key_len == strlen(key) && !memcmp(l->key, key, l->key_len);
}

static void parse_word(const struct line *l, char ret[GPUT__DRM_NAME])
{
    size_t n = l->value_len;

    while (n > 0 && (l->value[n - 1] == ' ' || l->value[n - 1] == '\t'))
        n--;
    if (n >= GPUT__DRM_NAME)
        return;
    memcpy(ret, l->value, n);
    ret[n] = '\0';
}

/* A number and the unit behind it, "" for none. */
static bool parse_number(const struct line *l, uint64_t *ret, char *ret_unit, size_t cap)
{
    const char *p = l->value, *end = l->value + l->value_len;
    size_t n;

    if (!l->value_len || gput__scan_u64(&p, ret) < 0)
        return false;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    n = (size_t)(end - p);
    if (n >= cap)
        return false;
    memcpy(ret_unit, p, n);
    ret_unit[n] = '\0';
    return true;
}

static bool parse_count(const struct line *l, const char *want_unit, uint64_t *ret)
{
    uint64_t v;
    char unit[8];

    if (!parse_number(l, &v, unit, sizeof(unit)) || strcmp(unit, want_unit))
        return false;
    *ret = v;
    return true;
}

static bool parse_bytes(const struct line *l, uint64_t *ret)
{
    static const struct {
        const char *unit;
        uint64_t bytes;
    } units[] = { { "", 1 }, { "KiB", 1 << 10 }, { "MiB", 1 << 20 }, { "GiB", 1 << 30 } };
    uint64_t v;
    char unit[8];

    if (!parse_number(l, &v, unit, sizeof(unit)))
        return false;
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (!strcmp(unit, units[i].unit))
            return !__builtin_mul_overflow(v, units[i].bytes, ret);
    return false;
}

static struct gput__drm_engine *engine_named(struct gput__drm_client *c, const char *name)
{
    struct gput__drm_engine *e;

    for (unsigned i = 0; i < c->n_engines; i++)
        if (!strcmp(c->engines[i].name, name))
            return &c->engines[i];
    if (c->n_engines == GPUT__DRM_ENGINES)
        return NULL;
    e = &c->engines[c->n_engines++];
    *e = (struct gput__drm_engine){ .capacity = 1 };
    strcpy(e->name, name);
    return e;
}

static struct gput__drm_region *region_named(struct gput__drm_client *c, const char *name)
{
    struct gput__drm_region *r;

    for (unsigned i = 0; i < c->n_regions; i++)
        if (!strcmp(c->regions[i].name, name))
            return &c->regions[i];
    if (c->n_regions == GPUT__DRM_REGIONS)
        return NULL;
    r = &c->regions[c->n_regions++];
    *r = (struct gput__drm_region){ 0 };
    strcpy(r->name, name);
    return r;
}

enum engine_key { CAPACITY, NS, CYCLES, TOTAL_CYCLES };

static void set_engine(struct gput__drm_engine *e, enum engine_key key, uint64_t v)
{
    switch (key) {
    case CAPACITY:
        if (v > 0 && v <= 1024)
            e->capacity = (unsigned)v;
        break;
    case NS:
        e->ns = v;
        e->has_ns = true;
        break;
    case CYCLES:
        e->cycles = v;
        e->has_cycles = true;
        break;
    case TOTAL_CYCLES:
        e->total_cycles = v;
        e->has_total_cycles = true;
        break;
    }
}

/* True if the line is an engine's, whatever its value is worth. */
static bool parse_engine(struct gput__drm_client *c, const struct line *l)
{
    static const struct {
        const char *prefix; /* longer ones first where one begins with another */
        enum engine_key key;
        const char *unit;
    } keys[] = {
        { "drm-engine-capacity-", CAPACITY, "" },
        { "drm-engine-", NS, "ns" },
        { "drm-cycles-", CYCLES, "" },
        { "drm-total-cycles-", TOTAL_CYCLES, "" },
    };
    char name[GPUT__DRM_NAME];

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        struct gput__drm_engine *e;
        uint64_t v;

        if (!name_after(l, keys[i].prefix, name))
            continue;
        if (parse_count(l, keys[i].unit, &v) && (e = engine_named(c, name)))
            set_engine(e, keys[i].key, v);
        return true;
    }
    return false;
}

/* The same figure under two names: what drm-resident said is not touched by the older name. */
static void set_resident(struct gput__drm_region *r, bool is_older_name, uint64_t v)
{
    if (is_older_name && r->has_resident)
        return;
    r->resident = v;
    r->has_resident = true;
}

static void parse_region(struct gput__drm_client *c, const struct line *l)
{
    static const char *const prefixes[] = { "drm-resident-", "drm-memory-", "drm-total-",
                                            "drm-shared-" };
    char name[GPUT__DRM_NAME];

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
        struct gput__drm_region *r;
        uint64_t v;

        if (!name_after(l, prefixes[i], name))
            continue;
        if (!parse_bytes(l, &v) || !(r = region_named(c, name)))
            return;
        if (i < 2) {
            set_resident(r, i == 1, v);
        } else if (i == 2) {
            r->total = v;
            r->has_total = true;
        } else {
            r->shared = v;
            r->has_shared = true;
        }
        return;
    }
}

int gput__drm_fdinfo_parse(const char *text, struct gput__drm_client *ret)
{
    struct gput__drm_client c = { 0 };
    struct line l;

    while (next_line(&text, &l)) {
        if (key_is(&l, "drm-driver"))
            parse_word(&l, c.driver);
        else if (key_is(&l, "drm-pdev"))
            parse_word(&l, c.pdev);
        else if (key_is(&l, "drm-client-id"))
            c.has_id = parse_count(&l, "", &c.id) || c.has_id;
        else if (!parse_engine(&c, &l))
            parse_region(&c, &l);
    }
    if (!c.driver[0])
        return -ENODATA;
    *ret = c;
    return 0;
}

bool gput__drm_client_memory(const struct gput__drm_client *c, const char *const *prefixes,
                             uint64_t *ret)
{
    uint64_t sum = 0, more;
    bool any = false;

    for (unsigned i = 0; i < c->n_regions; i++) {
        const struct gput__drm_region *r = &c->regions[i];
        bool wanted = !prefixes;

        for (const char *const *p = prefixes; p && *p && !wanted; p++)
            wanted = !strncmp(r->name, *p, strlen(*p));
        if (!wanted || !r->has_resident || __builtin_add_overflow(sum, r->resident, &more))
            continue;
        sum = more;
        any = true;
    }
    if (any)
        *ret = sum;
    return any;
}
