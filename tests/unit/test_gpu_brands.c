/* test_gpu_brands.c - the brands of GPUs, and how many of them there may be. */
#include "model/gpus.h"

#include <string.h>

#include "source/gpu/gpu.h"
#include "summary/series.h"
#include "tap.h"

static void brands(void)
{
    unsigned n = 0;
    int wrong = 0;

    while (gput_gpu_brand(n))
        n++;
    OK(n == GPUT_N_GPU_BRANDS && n == 3, "each has a name");
    for (unsigned i = 0; i < n; i++)
        wrong += gput__gpu_brand_find(gput_gpu_brand(i)) != i ||
                 !strchr(gput__gpu_brands[i].resource, '/') ||
                 strlen(gput_gpu_brand(i)) >= sizeof(((struct gput_demand *)0)->gpu_brand);
    OK(wrong == 0, "by which it is found; and is something to Kubernetes");
    OK(gput__gpu_brand_find("") == GPUT_N_GPU_BRANDS &&
           gput__gpu_brand_find("NVIDIA") == GPUT_N_GPU_BRANDS,
       "there are no others");
    OK(gput__gpu_nvml.brand == GPUT_NVIDIA && gput__gpu_amdgpu.brand == GPUT_AMD &&
           gput__gpu_intel.brand == GPUT_INTEL,
       "each has a back end");
}

/* Memory that is not touched costs nothing, but what is shared between processes is made whole. */
static void room(void)
{
    struct gput__series_plan plan = { .n_gpus = GPUT__MOST_GPUS, .cap = 32 * 1024 };

    for (int m = 0; m < GPUT__N_METRICS; m++)
        gput__metric_set_add(&plan.metrics, (enum gput__metric)m);
    OK(gput__series_size(&plan) < 64 << 20, "a series of all metrics and GPUs: %zu MiB",
       gput__series_size(&plan) >> 20);
}

int main(void)
{
    brands();
    room();
    return DONE();
}
