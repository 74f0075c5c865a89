/* gpus.h - the most GPUs that are counted, and their brands. */
#ifndef GPUT_MODEL_GPUS_H
#define GPUT_MODEL_GPUS_H

#include "gput.h"

/* Of one machine: rows over time, charts, pictures and the memory that a helper shares have room for so
 * many; those past it are in the sums alone. */
enum { GPUT__MOST_GPUS = 64 };

/* Of a server to rent: a larger number in a catalogue is a mistake. */
#define GPUT__MOST_SERVER_GPUS 1024.0

/* THE table of brands, from GPUT_GPU_BRANDS of gput.h. */
struct gput__gpu_brand {
    const char *name;
    const char *resource; /* what Kubernetes calls such a GPU, by its device plugin */
};
extern const struct gput__gpu_brand gput__gpu_brands[GPUT_N_GPU_BRANDS];

/* GPUT_N_GPU_BRANDS: there is none of that name. */
enum gput_gpu_brand gput__gpu_brand_find(const char *name);

#endif
