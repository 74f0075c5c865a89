/* gpu_brands.c - the drivers that are searched for GPUs. */
#include "sample/gpu/gpu_brands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "source/gpu/gpu_all.h"

static const struct gput__gpu_ops *const brands[] = { &gput__gpu_nvml, &gput__gpu_amdgpu,
                                                      &gput__gpu_intel };
#define N_BRANDS (sizeof(brands) / sizeof(*brands))

static bool is_wanted(const struct gput__gpu_plan *plan, const struct gput__gpu_ops *ops)
{
    return !plan->brand || !strcmp(plan->brand, gput_gpu_brand(ops->brand));
}

static void note(char *why, size_t cap, const char *brand, const char *reason)
{
    size_t len = strlen(why);

    snprintf(why + len, cap - len, "%s%s: %s", len ? "; " : "", brand, reason);
}

void gput__gpu_brands_open(const struct gput__gpu_plan *plan, const bool *is_abandoned, void *all,
                           bool *ret_is_bare, char *why, size_t cap)
{
    *ret_is_bare = true;
    for (size_t i = 0; i < N_BRANDS && !__atomic_load_n(is_abandoned, __ATOMIC_ACQUIRE); i++) {
        char reason[160] = "";
        void *gpus = NULL;
        int r;

        if (!is_wanted(plan, brands[i]) ||
            brands[i]->present(&plan->config, reason, sizeof(reason)) < 0)
            continue;
        r = brands[i]->open(&plan->config, &gpus, reason, sizeof(reason));
        if (r == 0) {
            gput__gpu_all_add(all, brands[i], gpus);
            continue;
        }
        /* Cards that only show a picture are everywhere; a driver without its GPU is not. */
        *ret_is_bare &= brands[i]->is_drm && r == -ENODEV;
        note(why, cap, gput_gpu_brand(brands[i]->brand), reason);
    }
}

bool gput__gpu_brands_absent(const struct gput__gpu_plan *plan, bool *ret_is_bare, char *why,
                             size_t cap)
{
    bool hopeless = true, no_drm = false;
    int r;

    *ret_is_bare = true;
    for (size_t i = 0; i < N_BRANDS; i++) {
        char reason[160] = "";

        if (!is_wanted(plan, brands[i]) || (brands[i]->is_drm && no_drm))
            continue; /* what one brand lacks the other need not be asked for */
        r = brands[i]->present(&plan->config, reason, sizeof(reason));
        if (r == 0) {
            hopeless = false;
            continue;
        }
        no_drm |= brands[i]->is_drm;
        *ret_is_bare &= r == -ENODEV;
        note(why, cap,
             brands[i]->is_drm && !plan->brand ? "amd, intel" : gput_gpu_brand(brands[i]->brand),
             reason);
    }
    return hopeless;
}
