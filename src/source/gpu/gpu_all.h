/* gpu_all.h - the GPUs of all brands that a machine has, as one back end. */
#ifndef GPUT_SOURCE_GPU_ALL_H
#define GPUT_SOURCE_GPU_ALL_H

#include "source/gpu/gpu.h"

/* Without `present` and `open`: brands are opened one by one, and added. */
extern const struct gput__gpu_ops gput__gpu_all;

/* -ENOMEM. */
int gput__gpu_all_new(void **ret_gpus);
/* Takes over the instance of a brand's back end. */
void gput__gpu_all_add(void *gpus, const struct gput__gpu_ops *ops, void *of_brand);

#endif
