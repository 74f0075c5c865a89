/* gpu_work.h - what a GPU really did: for how much of the time its parts were at work, and what went over
 * its links.
 *
 * Drivers count it between two moments.  THE table of these figures: source, result and metrics follow
 * it. */
#ifndef GPUT_MODEL_GPU_WORK_H
#define GPUT_MODEL_GPU_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* X(id, member of struct gput_gpu_work, label): shares of the time, in percent.  In this order, and
 * with those of GPUT__GPU_FLOWS behind them, their metrics stand in the table of metrics. */
#define GPUT__GPU_SHARES(X)                                                                        \
    X(ENGINE, engine_active, "Engine active percent")                                              \
    X(SM, sm_active, "SMs active percent")                                                         \
    X(OCCUPANCY, sm_occupancy, "SM occupancy percent")                                             \
    X(TENSOR, tensor_active, "Tensor cores active percent")                                        \
    X(TENSOR_FP64, tensor_fp64_active, "Tensor cores active percent, FP64")                        \
    X(TENSOR_HALF, tensor_half_active, "Tensor cores active percent, TF32 and smaller")            \
    X(TENSOR_INT, tensor_int_active, "Tensor cores active percent, integers")                      \
    X(FP64, fp64_active, "FP64 pipes active percent")                                              \
    X(FP32, fp32_active, "FP32 pipes active percent")                                              \
    X(FP16, fp16_active, "FP16 pipes active percent")                                              \
    X(DRAM, dram_active, "Memory bandwidth percent")                                               \
    X(MEMORY, memory_busy, "Memory controller busy percent")                                       \
    X(AT_WORK, at_work, "Kernels or copies percent")

/* Bytes over links. */
#define GPUT__GPU_FLOWS(X)                                                                         \
    X(PCIE_RX, pcie_rx_bytes, "Bytes received over PCIe")                                          \
    X(PCIE_TX, pcie_tx_bytes, "Bytes sent over PCIe")                                              \
    X(NVLINK_RX, nvlink_rx_bytes, "Bytes received over NVLink")                                    \
    X(NVLINK_TX, nvlink_tx_bytes, "Bytes sent over NVLink")

/* What the time went into, each moment into one of them. */
#define GPUT__GPU_KINDS(X)                                                                         \
    X(TENSOR, tensor_seconds, "Seconds bound by tensor cores")                                     \
    X(PIPES, pipes_seconds, "Seconds bound by other pipes")                                        \
    X(BANDWIDTH, memory_seconds, "Seconds bound by memory bandwidth")                              \
    X(OTHER, other_seconds, "Seconds of kernels that none of these bound")                         \
    X(SMALL, small_seconds, "Seconds of kernels with hardly any SM")                               \
    X(STUCK, stuck_seconds, "Seconds as if stuck")                                                 \
    X(COPIES, copies_seconds, "Seconds of copies, no kernel at work")                              \
    X(IDLE, idle_seconds, "Seconds idle")

#define GPUT__KIND_ID(id, member, label) GPUT__KIND_##id,
enum gput__gpu_kind { GPUT__GPU_KINDS(GPUT__KIND_ID) GPUT__N_GPU_KINDS };
#undef GPUT__KIND_ID

/* What the driver counts on and on: how much of it fell into the run is exact. */
#define GPUT__GPU_TIMES(X)                                                                         \
    X(POWER_CAPPED, power_capped_seconds, "Seconds slowed down for power")                         \
    X(THERMAL, thermal_seconds, "Seconds slowed down for heat")                                    \
    X(OTHER_CAPPED, other_capped_seconds, "Seconds slowed down for other reasons")
#define GPUT__GPU_ERRORS(X)                                                                        \
    X(ECC_CORRECTED, ecc_corrected, "ECC errors that were corrected")                              \
    X(ECC_UNCORRECTED, ecc_uncorrected, "ECC errors that were not corrected")                      \
    X(ROWS_REMAPPED, rows_remapped, "Rows of memory remapped")                                     \
    X(XIDS, xid_events, "Errors that the driver reported (Xid)")

#define GPUT__COUNT_ID(id, member, label) GPUT__COUNT_##id,
enum gput__gpu_count_id {
    GPUT__GPU_TIMES(GPUT__COUNT_ID) GPUT__GPU_ERRORS(GPUT__COUNT_ID)
    /* shown as flows */
    GPUT__COUNT_PCIE_RX,
    GPUT__COUNT_PCIE_TX,
    GPUT__N_GPU_COUNTS,
};
#undef GPUT__COUNT_ID

/* Since some moment in the past. */
struct gput__gpu_counts {
    uint32_t known;                   /* a bit for each */
    double value[GPUT__N_GPU_COUNTS]; /* seconds, bytes, numbers */
    unsigned last_xid;                /* of the last error, 0: there was none */
};

static inline void gput__gpu_counts_set(struct gput__gpu_counts *c, int id, double value)
{
    c->value[id] = value;
    c->known |= UINT32_C(1) << id;
}

#define GPUT__WORK_ID(id, member, label) GPUT__WORK_##id,
enum gput__work_id {
    GPUT__GPU_SHARES(GPUT__WORK_ID) GPUT__N_GPU_SHARES,
    GPUT__WORK_LAST_SHARE = GPUT__N_GPU_SHARES - 1,
    GPUT__GPU_FLOWS(GPUT__WORK_ID) GPUT__N_GPU_WORK,
};
#undef GPUT__WORK_ID

/* Between two moments. */
struct gput__gpu_work {
    double seconds;
    uint32_t known;                 /* a bit for each */
    double value[GPUT__N_GPU_WORK]; /* percent of these seconds; bytes per second of each flow */
    /* At its end; 0: not known. */
    double power_watts, power_limit_watts, clock_mhz, max_clock_mhz;
    double pcie_most, nvlink_most; /* what its links carry in one direction, bytes per second */
};

static inline bool gput__gpu_work_has(const struct gput__gpu_work *w, int id)
{
    return w->known >> id & 1;
}

static inline void gput__gpu_work_set(struct gput__gpu_work *w, int id, double value)
{
    w->value[id] = value;
    w->known |= UINT32_C(1) << id;
}

#endif
