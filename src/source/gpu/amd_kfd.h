/* amd_kfd.h - AMD's compute driver (KFD) in sysfs: its names of the GPUs and the ROCm processes. */
#ifndef GPUT_SOURCE_AMD_KFD_H
#define GPUT_SOURCE_AMD_KFD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

/* `location`: bus << 8 | device << 3 | function in its low 16 bits. */
typedef void gput__kfd_node_fn(void *ctx, uint64_t gpu_id, uint64_t domain, uint64_t location);
/* `told` is false where the driver does not give the size; a size that it gives is never 0. */
typedef void gput__kfd_process_fn(void *ctx, pid_t pid, bool told, uint64_t bytes);

/* Each GPU of the topology; none where the driver is not there. */
void gput__kfd_nodes(const struct gput__root *sys, gput__kfd_node_fn *each, void *ctx);

/* Each process of the whole machine that has VRAM on one of these GPUs, with the sum over them.
 * The pids are those of the first pid namespace. */
void gput__kfd_processes(const struct gput__root *sys, const uint64_t *gpu_ids, unsigned n,
                         gput__kfd_process_fn *each, void *ctx);

#endif
