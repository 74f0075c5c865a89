/* test_drm_fdinfo.c - clients of DRM devices: the text of fdinfo, and who holds which client. */
#include "source/gpu/drm_fdinfo.h"

#include <errno.h>
#include <string.h>

#include "fixture.h"
#include "source/gpu/drm_clients.h"
#include "tap.h"

static const struct gput__drm_engine *engine(const struct gput__drm_client *c, const char *name)
{
    for (unsigned i = 0; i < c->n_engines; i++)
        if (!strcmp(c->engines[i].name, name))
            return &c->engines[i];
    return NULL;
}

static const struct gput__drm_region *region(const struct gput__drm_client *c, const char *name)
{
    for (unsigned i = 0; i < c->n_regions; i++)
        if (!strcmp(c->regions[i].name, name))
            return &c->regions[i];
    return NULL;
}

/* --- the text --------------------------------------------------------------------------------- */

static void an_amd_client(void)
{
    static const char text[] = "pos:\t0\nflags:\t02100002\nmnt_id:\t24\nino:\t1181\n"
                               "drm-driver:\tamdgpu\ndrm-client-id:\t30\ndrm-pdev:\t0000:04:00.0\n"
                               "pasid:\t32785\ndrm-total-vram:\t155068 KiB\n"
                               "drm-shared-vram:\t13 MiB\n"
                               "drm-resident-vram:\t155068 KiB\ndrm-resident-gtt:\t20 MiB\n"
                               "drm-memory-vram:\t155068 KiB\ndrm-memory-gtt: \t20480 KiB\n"
                               "drm-memory-cpu: \t7 KiB\namd-evicted-vram:\t9 KiB\n"
                               "drm-engine-gfx:\t19291217545 ns\ndrm-engine-enc:\t12 ns\n";
    static const char *const vram[] = { "vram", NULL };
    struct gput__drm_client c;
    uint64_t bytes;

    if (!OK(gput__drm_fdinfo_parse(text, &c) == 0, "amdgpu parses"))
        return;
    OK(!strcmp(c.driver, "amdgpu") && !strcmp(c.pdev, "0000:04:00.0"), "driver and device");
    OK(c.has_id && c.id == 30, "client id");
    OK(c.n_engines == 2 && engine(&c, "gfx") && engine(&c, "gfx")->has_ns &&
           engine(&c, "gfx")->ns == UINT64_C(19291217545) && engine(&c, "gfx")->capacity == 1,
       "engine time");
    OK(c.n_regions == 3, "three regions, not one for each name");
    OK(region(&c, "vram") && region(&c, "vram")->resident == 155068 * 1024 &&
           region(&c, "vram")->total == 155068 * 1024 && region(&c, "vram")->shared == 13 << 20,
       "KiB and MiB; the older name adds nothing");
    OK(region(&c, "cpu") && region(&c, "cpu")->has_resident &&
           region(&c, "cpu")->resident == 7 * 1024 && !region(&c, "cpu")->has_total,
       "the older name alone");
    OK(gput__drm_client_memory(&c, vram, &bytes) && bytes == 155068 * 1024, "bytes of VRAM");
    OK(gput__drm_client_memory(&c, NULL, &bytes) && bytes == (155068 + 20480 + 7) * 1024,
       "bytes of all regions");
}

static void an_xe_client(void)
{
    static const char text[] = "drm-driver:     xe\ndrm-client-id:  3\n"
                               "drm-pdev:       0000:03:00.0\n"
                               "drm-total-vram0:        23992 KiB\ndrm-resident-vram0:     4096\n"
                               "drm-cycles-rcs: 28257900\ndrm-total-cycles-rcs:   7655183225\n"
                               "drm-cycles-ccs: 5\ndrm-total-cycles-ccs:   7655183226\n"
                               "drm-engine-capacity-ccs:        4\n";
    const struct gput__drm_engine *e;
    struct gput__drm_client c;

    if (!OK(gput__drm_fdinfo_parse(text, &c) == 0, "xe parses"))
        return;
    e = engine(&c, "rcs");
    OK(e && !e->has_ns && e->has_cycles && e->cycles == 28257900 && e->has_total_cycles &&
           e->total_cycles == UINT64_C(7655183225),
       "cycles and the engine's clock");
    e = engine(&c, "ccs");
    OK(e && e->capacity == 4 && e->cycles == 5, "capacity");
    OK(c.n_engines == 2, "capacity and cycles are no engines of their own");
    OK(c.n_regions == 1 && region(&c, "vram0")->resident == 4096 &&
           region(&c, "vram0")->total == 23992 * 1024,
       "a bare number is bytes; total cycles are no region");
}

/* Order of the two names must not matter. */
static void older_name_first(void)
{
    struct gput__drm_client c;

    OK(gput__drm_fdinfo_parse("drm-driver: amdgpu\ndrm-memory-vram: 8 KiB\n"
                              "drm-resident-vram: 6 KiB\n",
                              &c) == 0 &&
           c.n_regions == 1 && c.regions[0].resident == 6 * 1024,
       "drm-resident replaces drm-memory");
    OK(gput__drm_fdinfo_parse("drm-driver: amdgpu\ndrm-resident-vram: 6 KiB\n"
                              "drm-memory-vram: 8 KiB\n",
                              &c) == 0 &&
           c.n_regions == 1 && c.regions[0].resident == 6 * 1024,
       "drm-memory does not replace drm-resident");
}

static void refused(const char *text, const char *what)
{
    struct gput__drm_client c = { .id = 77 };

    OK(gput__drm_fdinfo_parse(text, &c) == -ENODATA && c.id == 77, "%s", what);
}

static void no_clients(void)
{
    refused("", "no text");
    refused("pos:\t0\nflags:\t0100000\nmnt_id:\t24\n", "a plain file");
    refused("drm-client-id: 3\ndrm-engine-render: 5 ns\n", "no driver");
    refused("drm-driver:\n", "a driver without a name");
    refused("drm-driver: i915", "a line that was cut");
    refused("pdev:\t0000:03:00.0\npasid:\t3\nvram mem:\t4 kB\n", "amdgpu before Linux 5.19");
}

/* Every value that is not what it should be leaves its field absent. */
static void odd_values(void)
{
    struct gput__drm_client c;
    uint64_t bytes = 5;

    OK(gput__drm_fdinfo_parse("drm-driver: x\ndrm-client-id: -1\ndrm-engine-a: 5 ms\n"
                              "drm-engine-b: 5\ndrm-engine-c: ns\ndrm-engine-d:\n"
                              "drm-engine-capacity-e: 0\ndrm-cycles-f: 5 ns\n"
                              "drm-resident-g: 5 KB\ndrm-resident-h: 5 lightyears\n"
                              "drm-resident-i: 18446744073709551615 KiB\n"
                              "drm-resident-j: 99999999999999999999\ndrm-engine-: 5 ns\n"
                              "drm-resident-: 5\nno colon\n",
                              &c) == 0,
       "odd values do not spoil the rest");
    OK(!c.has_id, "no negative client");
    OK(c.n_engines == 1 && !strcmp(c.engines[0].name, "e") && c.engines[0].capacity == 1 &&
           !c.engines[0].has_ns,
       "a capacity of 0 is none; other units are no time");
    OK(c.n_regions == 0 && !gput__drm_client_memory(&c, NULL, &bytes) && bytes == 5,
       "no bytes from other units and from what does not fit");
    OK(gput__drm_fdinfo_parse("drm-driver: x\ndrm-resident-a: 16777215 GiB\n"
                              "drm-resident-b: 16777215 TiB\n",
                              &c) == 0 &&
           c.n_regions == 1,
       "GiB is taken, TiB not");
    OK(gput__drm_fdinfo_parse("drm-driver: x\ndrm-total-vram: 4 KiB\n", &c) == 0 &&
           !gput__drm_client_memory(&c, NULL, &bytes),
       "total alone is no memory in use");
}

static void too_many_names(void)
{
    struct gput__drm_client c;
    char text[4096] = "drm-driver: x\n", line[64];

    for (int i = 0; i < 40; i++) {
        snprintf(line, sizeof(line), "drm-engine-e%d: 1 ns\ndrm-resident-r%d: 1\n", i, i);
        strcat(text, line);
    }
    strcat(text, "drm-engine-abcdefghijklmnopqrstuvwxyz: 1 ns\n"
                 "drm-pdev: 0000:00:00.0000000000000000\ndrm-client-id: 8\n");
    OK(gput__drm_fdinfo_parse(text, &c) == 0 && c.n_engines == GPUT__DRM_ENGINES &&
           c.n_regions == GPUT__DRM_REGIONS && c.id == 8,
       "more names than there is room for");
    OK(!strcmp(c.engines[15].name, "e15") && !strcmp(c.regions[15].name, "r15"), "the first stay");
    OK(c.pdev[0] == '\0', "a device's name that is too long is not cut");
}

static void every_cut(void)
{
    static const char full[] = "drm-driver: i915\ndrm-pdev: 0000:00:02.0\ndrm-client-id: 123\n"
                               "drm-engine-render: 456 ns\ndrm-resident-system0: 789 KiB\n";
    struct gput__drm_client c;
    char cut[sizeof(full)];
    int wrong = 0, taken = 0;

    for (size_t n = 0; n < sizeof(full); n++) {
        memcpy(cut, full, n);
        cut[n] = '\0';
        if (gput__drm_fdinfo_parse(cut, &c) < 0)
            continue;
        taken++;
        wrong += c.has_id && c.id != 123;
        wrong += c.n_engines && c.engines[0].ns != 456;
        wrong += c.n_regions && c.regions[0].resident != 789 * 1024;
    }
    OK(taken > 0 && wrong == 0, "no cut of a text gives a wrong number");
}

/* --- who holds what --------------------------------------------------------------------------- */

struct got {
    int n;
    pid_t pids[16];
    uint64_t ids[16];
    char pdevs[16][GPUT__DRM_NAME];
};

static void add_client(void *ctx, pid_t pid, const struct gput__drm_client *c)
{
    struct got *g = ctx;

    if (g->n < 16) {
        g->pids[g->n] = pid;
        g->ids[g->n] = c->id;
        strcpy(g->pdevs[g->n], c->pdev);
    }
    g->n++;
}

static void descriptor(const struct fixture *f, int pid, int fd, const char *target,
                       const char *text)
{
    char name[64], path[256];

    snprintf(name, sizeof(name), "%d/fdinfo/%d", pid, fd);
    fixture_write(f, name, text);
    snprintf(name, sizeof(name), "%d/fd/.keep", pid);
    fixture_write(f, name, "");
    snprintf(name, sizeof(name), "%d/fd/%d", pid, fd);
    fixture_path(f, name, path, sizeof(path));
    fixture_need(symlink(target, path) == 0, path);
}

#define CLIENT(pdev, id) "drm-driver: i915\ndrm-pdev: " pdev "\ndrm-client-id: " id "\n"

static void shared_clients(void)
{
    static const pid_t order[] = { 12, 11, 99, 13 };
    struct gput__drm_scan scan = { 9, 9 };
    struct got g = { 0 };
    struct fixture f;

    fixture_begin(&f);
    descriptor(&f, 11, 4, "/dev/dri/renderD128", CLIENT("a", "1"));
    descriptor(&f, 11, 5, "/dev/dri/card0", CLIENT("a", "1"));
    descriptor(&f, 11, 6, "/dev/dri/renderD129", CLIENT("b", "1"));
    descriptor(&f, 12, 4, "/dev/dri/renderD128", CLIENT("a", "1"));
    descriptor(&f, 13, 4, "/dev/dri/renderD128", CLIENT("a", "2"));
    descriptor(&f, 13, 5, "/dev/null", CLIENT("a", "3"));
    descriptor(&f, 13, 6, "socket:[4711]", CLIENT("a", "4"));
    descriptor(&f, 13, 7, "/dev/dri/renderD130", "pos: 0\nflags: 2\n");
    OK(gput__drm_clients(&f.root, false, order, 4, add_client, &g, &scan) == 0 && g.n == 3,
       "three clients behind six descriptors; one process has ended");
    OK(g.pids[0] == 12 && g.ids[0] == 1 && !strcmp(g.pdevs[0], "a"),
       "the first process in order owns the shared client");
    OK(g.pids[1] == 11 && !strcmp(g.pdevs[1], "b"), "the same id on another device is another");
    OK(g.pids[2] == 13 && g.ids[2] == 2, "a client of its own");
    OK(scan.mute == 1 && scan.denied == 0, "one descriptor tells nothing");
    g.n = 0;
    OK(gput__drm_clients(&f.root, true, order, 4, add_client, &g, &scan) == 0 && g.n == 0,
       "asked by major number, links to nothing are no devices");
    OK(gput__drm_clients(&f.root, false, order, 0, add_client, &g, &scan) == 0 && g.n == 0,
       "no processes");
    OK(gput__drm_clients(&GPUT__ROOT_NONE, false, order, 4, add_client, &g, &scan) == 0 && g.n == 0,
       "no /proc");
    fixture_end(&f);
}

static void clients_without_id(void)
{
    static const pid_t order[] = { 21, 22 };
    struct gput__drm_scan scan;
    struct got g = { 0 };
    struct fixture f;

    fixture_begin(&f);
    descriptor(&f, 21, 4, "/dev/dri/renderD128", "drm-driver: msm\n");
    descriptor(&f, 21, 5, "/dev/dri/renderD128", "drm-driver: msm\n");
    descriptor(&f, 22, 4, "/dev/dri/renderD128", "drm-driver: msm\n");
    OK(gput__drm_clients(&f.root, false, order, 2, add_client, &g, &scan) == 0 && g.n == 2 &&
           g.pids[0] == 21 && g.pids[1] == 22,
       "without ids one for each process");
    fixture_end(&f);
}

static void many_clients(void)
{
    static const pid_t pid = 31;
    struct gput__drm_scan scan;
    struct got g = { 0 };
    struct fixture f;
    char text[128];

    fixture_begin(&f);
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof(text), "drm-driver: xe\ndrm-pdev: a\ndrm-client-id: %d\n", i / 2);
        descriptor(&f, pid, i, "/dev/dri/renderD128", text);
    }
    OK(gput__drm_clients(&f.root, false, &pid, 1, add_client, &g, &scan) == 0 && g.n == 50,
       "fifty clients, each twice");
    fixture_end(&f);
}

/* Root may read everything: then there is nothing to deny. */
static void not_allowed(void)
{
    static const pid_t order[] = { 41, 42 };
    struct gput__drm_scan scan = { 0 };
    struct got g = { 0 };
    struct fixture f;
    char path[64];

    fixture_begin(&f);
    descriptor(&f, 41, 4, "/dev/dri/renderD128", CLIENT("a", "1"));
    descriptor(&f, 42, 4, "/dev/dri/renderD128", CLIENT("a", "2"));
    fixture_path(&f, "41/fd", path, sizeof(path));
    chmod(path, 0);
    OK(gput__drm_clients(&f.root, false, order, 2, add_client, &g, &scan) == 0 &&
           (geteuid() == 0 ? scan.denied == 0 && g.n == 2 : scan.denied == 1 && g.n == 1),
       "a process that may not be read is counted, the others go on");
    chmod(path, 0755);
    fixture_end(&f);
}

int main(void)
{
    an_amd_client();
    an_xe_client();
    older_name_first();
    no_clients();
    odd_values();
    too_many_names();
    every_cut();
    shared_clients();
    clients_without_id();
    many_clients();
    not_allowed();
    return DONE();
}
