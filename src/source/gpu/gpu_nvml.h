/* gpu_nvml.h - what the parts of the NVIDIA back end share. */
#ifndef GPUT_SOURCE_GPU_NVML_H
#define GPUT_SOURCE_GPU_NVML_H

#include "source/gpu/gpu.h"
#include "source/gpu/nvml_api.h"

struct gput__nvml_gpu {
    struct gput__nvml_device *device;
    struct gput__gpu_info info;
    bool is_partitioned; /* MIG is on: its instances report what is used and by which process */
    bool is_lost;        /* calls on a lost GPU may be slow and cannot succeed */
    bool refuses_memory_v2;
    struct gput__nvml_work {
        bool was_asked, has_gpm;
        uint32_t instance; /* of a MIG instance, in its GPU */
        void *sample[3];   /* two to begin from, which may be one, and room for the next */
        int64_t at_ns;     /* of the older one; 0: there is none */
        unsigned older;    /* which one the next pair begins with */
        struct gput__nvml_engine {
            unsigned since;   /* which sample it was last asked for with */
            int64_t at_ns;    /* when */
            int64_t pause_ns; /* until it is asked for again though nothing changes */
            double percent;   /* what it is taken for until then */
            double told;      /* percent times seconds, since it was asked for */
            double seen;      /* of the other metrics then; percent */
        } engine;
        const char *why; /* it has no such counters; NULL: it has */
        double power_limit_watts, max_clock_mhz, pcie_most, nvlink_most; /* 0: not known */
    } work;
    struct gput__nvml_counts {
        uint64_t pcie[2]; /* received, sent: KiB so far */
        uint32_t raw[2];  /* as the 32 bits stood then */
        bool has_raw[2], has_events;
        uint32_t
            lacks; /* which fields it said not to have: each costs as much as one that it has */
        unsigned n_xids, last_xid;
    } counts;
};

struct gput__nvml {
    struct gput__nvml_api api;
    bool is_started;
    struct gput__nvml_gpu *gpus;
    unsigned n;
    size_t cap;
    size_t strides[GPUT__NVML_N_LISTS]; /* of the records of a process list, 0: not known yet */
    void *scratch;                      /* what the library writes lists into */
    size_t scratch_size;
    struct gput__nvml_gpm_metrics *gpm; /* what the library fills; NULL: not yet */
    void *events;                       /* what it reports by itself; NULL: nothing */
    bool has_events;                    /* it was asked to */
};

/* The GPU, or NULL with the error to answer with: there is no such, or it is gone. */
struct gput__nvml_gpu *gput__nvml_pick(struct gput__nvml *nvml, unsigned i, int *ret_error);

/* The error that an answer stands for; a GPU that was lost is remembered as such. */
int gput__nvml_answer(struct gput__nvml_gpu *gpu, int code);

/* A code of the library; `used` is without the driver's reserve where that is separate. */
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
int gput__nvml_work(void *gpus, unsigned i, struct gput__gpu_work *ret, const char **ret_why);
int gput__nvml_counts(void *gpus, unsigned i, unsigned which, struct gput__gpu_counts *ret);

/* Before the library is unloaded. */
void gput__nvml_work_close(struct gput__nvml *nvml);
void gput__nvml_counts_close(struct gput__nvml *nvml);

#endif
