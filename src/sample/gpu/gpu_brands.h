/* gpu_brands.h - the drivers that are searched for GPUs. */
#ifndef GPUT_SAMPLE_GPU_BRANDS_H
#define GPUT_SAMPLE_GPU_BRANDS_H

#include "sample/gpu/gpus.h"

/* Whether it is plain, without opening a driver, that there is no GPU: most machines have none, and a thread
 * costs more than to see that.  Adds the reasons to `why`; *ret_is_bare: nothing is amiss. */
bool gput__gpu_brands_absent(const struct gput__gpu_plan *plan, bool *ret_is_bare, char *why,
                             size_t cap);

/* Opens the drivers and adds their GPUs to `all`, an instance of gput__gpu_all, until *is_abandoned. */
void gput__gpu_brands_open(const struct gput__gpu_plan *plan, const bool *is_abandoned, void *all,
                           bool *ret_is_bare, char *why, size_t cap);

#endif
