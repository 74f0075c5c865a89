/* gpu_nvml.h - what the parts of the NVIDIA back end share. */
#ifndef GPUT_SOURCE_GPU_NVML_H
#define GPUT_SOURCE_GPU_NVML_H

#include "source/gpu/gpu.h"
#include "source/gpu/nvml_api.h"

struct gput__nvml_gpu {
    struct gput__nvml_device *device;
    struct gput__gpu_info info;
    bool is_partitioned; /* MIG is on: what is used and by whom, its instances tell */
    bool is_lost;        /* calls on a lost GPU may be slow and cannot succeed */
    bool refuses_memory_v2;
};

struct gput__nvml {
    struct gput__nvml_api api;
    bool is_started;
    struct gput__nvml_gpu *gpus;
    unsigned n, cap;
    size_t strides[GPUT__NVML_N_LISTS]; /* of the records of a process list, 0: not known yet */
    void *scratch;                      /* what the library writes lists into */
    size_t scratch_size;
};

/* The GPU, or NULL with the error to answer with: there is no such, or it is gone. */
struct gput__nvml_gpu *gput__nvml_pick(struct gput__nvml *nvml, unsigned i, int *ret_error);

/* The error that an answer stands for; a GPU that was lost is remembered as such. */
int gput__nvml_answer(struct gput__nvml_gpu *gpu, int code);

/* A code of the library; `used` is without the driver's reserve where that is told apart. */
int gput__nvml_memory_of(const struct gput__nvml *nvml, struct gput__nvml_gpu *gpu,
                         struct gput__nvml_memory_v2 *ret);

/* Operations of struct gput__gpu_ops. */
int gput__nvml_read(void *gpus, unsigned i, unsigned what, struct gput__gpu_reading *ret);
int gput__nvml_energy(void *gpus, unsigned i, double *ret_joules);
int gput__nvml_processes(void *gpus, unsigned i, const pid_t *job, size_t n_job,
                         struct gput__gpu_processes *ret);
int gput__nvml_history(void *gpus, unsigned i, int64_t since_us, gput__gpu_sample_fn *each,
                       void *ctx);
int gput__nvml_process_utilization(void *gpus, unsigned i, int64_t since_us,
                                   void (*each)(void *ctx, pid_t pid, int64_t time_us,
                                                double percent),
                                   void *ctx);

#endif
