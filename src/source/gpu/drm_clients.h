/* drm_clients.h - the DRM clients that processes hold, found through /proc/<pid>/fd and fdinfo. */
#ifndef GPUT_SOURCE_DRM_CLIENTS_H
#define GPUT_SOURCE_DRM_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/root.h"
#include "source/gpu/drm_fdinfo.h"

typedef void gput__drm_client_fn(void *ctx, pid_t pid, const struct gput__drm_client *client);

struct gput__drm_scan {
    unsigned denied; /* processes that we may not read */
    unsigned mute;   /* DRM descriptors whose driver gives nothing */
};

/* Hands on each client that the processes hold, once; the first process in the order of `pids` that
 * holds it owns it.  A process or descriptor that has gone is no error.  `check_major`: ask the
 * descriptors themselves whether they are DRM devices, not only by name.  -ENOMEM, -EMFILE: nobody
 * knows what is missing. */
int gput__drm_clients(const struct gput__root *proc, bool check_major, const pid_t *pids, size_t n,
                      gput__drm_client_fn *each, void *ctx, struct gput__drm_scan *ret);

#endif
