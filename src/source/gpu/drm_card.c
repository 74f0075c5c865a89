/* drm_card.c - the graphics cards that the kernel shows in /sys/class/drm, and their files. */
#include "source/gpu/drm_card.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/scan.h"

static int read_below(const struct gput__root *sys, const char *folder, const char *file, char *ret,
                      size_t cap)
{
    char name[192];
    ssize_t n;

    if ((size_t)snprintf(name, sizeof(name), "%s/%s", folder, file) >= sizeof(name))
        return -ENAMETOOLONG;
    n = gput__root_read(sys, name, ret, cap);
    if (n < 0)
        return (int)n;
    while (n > 0 && (ret[n - 1] == '\n' || ret[n - 1] == ' '))
        ret[--n] = '\0';
    return n > 0 ? 0 : -ENODATA;
}

int gput__drm_card_text(const struct gput__drm_card *c, const char *file, char *ret, size_t cap)
{
    return read_below(c->sys, c->path, file, ret, cap);
}

int gput__drm_card_number(const struct gput__drm_card *c, const char *file, uint64_t *ret)
{
    char text[32];
    const char *p = text;
    uint64_t v;
    int r = gput__drm_card_text(c, file, text, sizeof(text));

    if (r < 0)
        return r;
    if (gput__scan_u64(&p, &v) < 0 || v == UINT64_MAX)
        return -ENODATA;
    *ret = v;
    return 0;
}

int gput__drm_card_sensor(const struct gput__drm_card *c, const char *file, double scale,
                          double *ret)
{
    char text[32];
    const char *p = text;
    int64_t v;
    int r;

    if (!c->hwmon[0])
        return -ENODATA;
    r = read_below(c->sys, c->hwmon, file, text, sizeof(text));
    if (r < 0)
        return r;
    if (gput__scan_i64(&p, &v) < 0 || (double)v / scale >= 0xFFFF)
        return -ENODATA;
    *ret = (double)v / scale;
    return 0;
}

/* The first is the edge of the chip or its package.  AMD's accelerators and xe only have the second: the
 * hottest point, or the package. */
int gput__drm_card_temperature(const struct gput__drm_card *c, double *ret)
{
    if (gput__drm_card_sensor(c, "temp1_input", 1e3, ret) == 0)
        return 0;
    return gput__drm_card_sensor(c, "temp2_input", 1e3, ret);
}

/* The first is the card's where the driver has it, the second the chip package's. */
int gput__drm_card_energy(const struct gput__drm_card *c, double *ret)
{
    static const char *const files[] = { "energy1_input", "energy2_input" };

    for (size_t i = 0; i < sizeof(files) / sizeof(*files) && c->hwmon[0]; i++) {
        char text[32];
        const char *p = text;
        uint64_t microjoules;
        int r = read_below(c->sys, c->hwmon, files[i], text, sizeof(text));

        if (r == -EACCES)
            return r;
        if (r < 0 || gput__scan_u64(&p, &microjoules) < 0 || microjoules == UINT64_MAX)
            continue;
        *ret = (double)microjoules / 1e6;
        return 0;
    }
    return -ENOTSUP;
}

bool gput__drm_card_asleep(const struct gput__drm_card *c)
{
    char text[32];

    return gput__drm_card_text(c, "device/power/runtime_status", text, sizeof(text)) == 0 &&
           !strcmp(text, "suspended");
}

bool gput__drm_card_gone(const struct gput__drm_card *c)
{
    char text[16];
    int r = gput__drm_card_text(c, "device/vendor", text, sizeof(text));

    return r == -ENOENT || r == -ENODEV;
}

/* --- finding -------------------------------------------------------------------------------- */

/* "0x1002" */
static int read_id(const struct gput__drm_card *c, const char *file, unsigned *ret)
{
    char text[16];
    const char *p = text + 2;
    uint64_t v;

    if (gput__drm_card_text(c, file, text, sizeof(text)) < 0 || strncmp(text, "0x", 2) ||
        gput__scan_hex_until(&p, '\0', &v) < 0 || v > 0xFFFF)
        return -ENODATA;
    *ret = (unsigned)v;
    return 0;
}

/* The value of a line "KEY=value"; ret stays as it is where there is none or it is too long. */
static void copy_value(const char *text, const char *key, char *ret, size_t cap)
{
    size_t n = strlen(key);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        size_t len;

        line += *line == '\n';
        if (strncmp(line, key, n) || line[n] != '=')
            continue;
        len = strcspn(line + n + 1, "\n");
        if (len >= cap)
            return;
        memcpy(ret, line + n + 1, len);
        ret[len] = '\0';
        return;
    }
}

/* A device may have several: that of the whole device bears the driver's name, those of i915's
 * tiles are called i915_gt0 and so on. */
static void find_hwmon(struct gput__drm_card *c)
{
    char folder[64], path[96], name[32];
    struct dirent *e;
    DIR *dir;

    snprintf(folder, sizeof(folder), "%s/device/hwmon", c->path);
    dir = gput__folder_open(c->sys->fd, folder);
    while (dir && (e = readdir(dir))) {
        bool is_whole;

        if (strncmp(e->d_name, "hwmon", 5) ||
            (size_t)snprintf(path, sizeof(path), "%s/%.24s", folder, e->d_name) >= sizeof(path))
            continue;
        is_whole =
            read_below(c->sys, path, "name", name, sizeof(name)) == 0 && !strcmp(name, c->driver);
        if (is_whole || !c->hwmon[0])
            strcpy(c->hwmon, path);
        if (is_whole)
            break;
    }
    if (dir)
        closedir(dir);
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

/* "card0", but not its connectors ("card0-DP-1"). */
static bool card_number(const char *name, unsigned *ret)
{
    const char *p = name + 4;
    uint64_t v;

    if (strncmp(name, "card", 4) || gput__scan_dec_until(&p, '\0', &v) < 0 || v > 9999)
        return false;
    *ret = (unsigned)v;
    return true;
}

static bool read_card(const struct gput__root *sys, const char *name, unsigned vendor,
                      const char *const *drivers, struct gput__drm_card *ret)
{
    struct gput__drm_card c = { .sys = sys };
    char uevent[1024];
    unsigned found;

    if (!card_number(name, &c.number))
        return false;
    snprintf(c.path, sizeof(c.path), "class/drm/card%u", c.number);
    if (read_id(&c, "device/vendor", &found) < 0 || found != vendor)
        return false;
    if (gput__drm_card_text(&c, "device/uevent", uevent, sizeof(uevent)) == 0) {
        copy_value(uevent, "DRIVER", c.driver, sizeof(c.driver));
        copy_value(uevent, "PCI_SLOT_NAME", c.pci, sizeof(c.pci));
    }
    if (c.driver[0] && !is_one_of(c.driver, drivers))
        return false;
    (void)read_id(&c, "device/device", &c.device_id);
    find_hwmon(&c);
    *ret = c;
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct gput__drm_card *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static int collect(const struct gput__root *sys, DIR *dir, unsigned vendor,
                   const char *const *drivers, struct gput__drm_card **list, unsigned *n)
{
    struct gput__drm_card c, *bigger;
    struct dirent *e;

    while ((e = readdir(dir))) {
        if (!read_card(sys, e->d_name, vendor, drivers, &c))
            continue;
        bigger = realloc(*list, (*n + 1) * sizeof(*bigger));
        if (!bigger)
            return -ENOMEM;
        *list = bigger;
        bigger[(*n)++] = c;
    }
    return 0;
}

int gput__drm_cards_find(const struct gput__root *sys, unsigned vendor, const char *const *drivers,
                         struct gput__drm_card **ret, unsigned *ret_n, char *ret_why, size_t cap)
{
    struct gput__drm_card *list = NULL;
    unsigned n = 0;
    DIR *dir = gput__folder_open(sys->fd, "class/drm");
    int r;

    if (!dir) {
        r = errno == ENOENT ? -ENODEV : -errno;
        snprintf(ret_why, cap, "/sys/class/drm: %s", r == -ENODEV ? "not there" : strerror(-r));
        return r;
    }
    r = collect(sys, dir, vendor, drivers, &list, &n);
    closedir(dir);
    if (r == 0 && n == 0)
        r = -ENODEV;
    if (r < 0) {
        snprintf(ret_why, cap,
                 r == -ENODEV ? "/sys/class/drm has no card of vendor 0x%04x"
                              : "no memory for the cards of vendor 0x%04x",
                 vendor);
        free(list);
        return r;
    }
    qsort(list, n, sizeof(*list), by_number);
    *ret = list;
    *ret_n = n;
    return 0;
}

/* --- all of a back end ------------------------------------------------------------------------ */

void gput__drm_gpus_close(void *gpus)
{
    struct gput__drm_gpus *g = gpus;

    if (g)
        free(g->cards);
    free(g);
}

unsigned gput__drm_gpus_count(const void *gpus)
{
    return ((const struct gput__drm_gpus *)gpus)->n;
}

int gput__drm_gpus_energy(void *gpus, unsigned i, double *ret_joules)
{
    const struct gput__drm_gpus *g = gpus;
    const void *card = (const char *)g->cards + i * g->size;

    return gput__drm_card_energy(card, ret_joules);
}

int gput__drm_gpus_open(const struct gput__gpu_config *config, unsigned vendor,
                        const char *const *drivers, size_t size, struct gput__drm_gpus **ret,
                        char *ret_why, size_t cap)
{
    struct gput__drm_card *found = NULL;
    struct gput__drm_gpus *g;
    unsigned n = 0;
    int r = gput__drm_cards_find(config->sys, vendor, drivers, &found, &n, ret_why, cap);

    if (r < 0)
        return r;
    g = calloc(1, sizeof(*g));
    if (g)
        g->cards = calloc(n, size);
    if (!g || !g->cards) {
        snprintf(ret_why, cap, "no memory");
        free(found);
        gput__drm_gpus_close(g);
        return -ENOMEM;
    }
    g->proc = config->proc;
    g->sys = config->sys;
    g->check_major = config->dev_is_live;
    g->n = n;
    g->size = size;
    for (unsigned i = 0; i < n; i++)
        memcpy((char *)g->cards + i * size, &found[i], sizeof(*found));
    free(found);
    *ret = g;
    return 0;
}
