/* amd_kfd.c - AMD's compute driver (KFD) in sysfs: its names of the GPUs and the ROCm processes. */
#include "source/gpu/amd_kfd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/scan.h"
#include "source/gpu/drm_card.h"

static int read_number(const struct gput__root *sys, const char *name, uint64_t *ret)
{
    char text[32];
    const char *p = text;
    ssize_t n = gput__root_read(sys, name, text, sizeof(text));

    if (n < 0)
        return (int)n;
    return gput__scan_u64(&p, ret);
}

static bool is_number(const char *name)
{
    return name[0] && strlen(name) < 10 && strspn(name, "0123456789") == strlen(name);
}

static void read_node(const struct gput__root *sys, const char *node, gput__kfd_node_fn *each,
                      void *ctx)
{
    char name[96], text[4096];
    uint64_t id, location, domain = 0;

    snprintf(name, sizeof(name), "class/kfd/kfd/topology/nodes/%.10s/gpu_id", node);
    if (read_number(sys, name, &id) < 0 || id == 0) /* 0: a CPU */
        return;
    snprintf(name, sizeof(name), "class/kfd/kfd/topology/nodes/%.10s/properties", node);
    if (gput__root_read(sys, name, text, sizeof(text)) <= 0 ||
        gput__scan_key(text, "location_id", &location) < 0)
        return;
    (void)gput__scan_key(text, "domain", &domain); /* older kernels do not say: 0 */
    each(ctx, id, domain, location);
}

void gput__kfd_nodes(const struct gput__root *sys, gput__kfd_node_fn *each, void *ctx)
{
    DIR *dir = gput__folder_open(sys->fd, "class/kfd/kfd/topology/nodes");
    struct dirent *e;

    while (dir && (e = readdir(dir)))
        if (is_number(e->d_name))
            read_node(sys, e->d_name, each, ctx);
    if (dir)
        closedir(dir);
}

/* Only vram_* is read: asking for sdma_* makes the driver schedule work.  Every ROCm process is
 * listed for every GPU: with 0 bytes it does not use this one. */
static void read_process(const struct gput__root *sys, const char *pid, const uint64_t *gpu_ids,
                         unsigned n, gput__kfd_process_fn *each, void *ctx)
{
    uint64_t sum = 0;
    bool told = false, untold = false;

    for (unsigned i = 0; i < n; i++) {
        char name[96];
        uint64_t bytes;

        snprintf(name, sizeof(name), "class/kfd/kfd/proc/%.10s/vram_%llu", pid,
                 (unsigned long long)gpu_ids[i]);
        if (read_number(sys, name, &bytes) < 0)
            continue;
        if (bytes == UINT64_MAX) { /* not available */
            untold = true;
            continue;
        }
        told |= bytes > 0;
        sum += bytes;
    }
    if (told || untold)
        each(ctx, (pid_t)strtol(pid, NULL, 10), told, sum);
}

void gput__kfd_processes(const struct gput__root *sys, const uint64_t *gpu_ids, unsigned n,
                         gput__kfd_process_fn *each, void *ctx)
{
    DIR *dir = n > 0 ? gput__folder_open(sys->fd, "class/kfd/kfd/proc") : NULL;
    struct dirent *e;

    while (dir && (e = readdir(dir)))
        if (is_number(e->d_name))
            read_process(sys, e->d_name, gpu_ids, n, each, ctx);
    if (dir)
        closedir(dir);
}
