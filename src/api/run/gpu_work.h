/* gpu_work.h - the figures of what one GPU really did. */
#ifndef GPUT_API_GPU_WORK_H
#define GPUT_API_GPU_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "gput.h"
#include "sample/gpu/gpu_works.h"

void gput__gpu_fill_work(const struct gput__gpu_works *w, struct gput_gpu_work *ret);
/* The errors of the device during the run, in words; false: none is known. */
bool gput__gpu_errors(const struct gput__gpu_works *w, char *ret, size_t cap);
/* That it is stuck, in words. */
void gput__gpu_stuck(const struct gput__gpu_works *w, char *ret, size_t cap);

#endif
