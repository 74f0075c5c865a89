/* gpus.c - the brands of GPUs. */
#include "model/gpus.h"

#include <string.h>

#define BRAND(id, name, resource) [id] = { name, resource },
const struct gput__gpu_brand gput__gpu_brands[GPUT_N_GPU_BRANDS] = { GPUT_GPU_BRANDS(BRAND) };
#undef BRAND

enum gput_gpu_brand gput__gpu_brand_find(const char *name)
{
    unsigned i = 0;

    while (i < GPUT_N_GPU_BRANDS && strcmp(gput__gpu_brands[i].name, name) != 0)
        i++;
    return (enum gput_gpu_brand)i;
}

const char *gput_gpu_brand(unsigned i)
{
    return i < GPUT_N_GPU_BRANDS ? gput__gpu_brands[i].name : NULL;
}
