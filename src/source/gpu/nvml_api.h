/* nvml_api.h - what we use of NVIDIA's management library: its binary interface, declared by hand
 * and found at run time, so that neither its header nor its library is needed to build. */
#ifndef GPUT_SOURCE_NVML_API_H
#define GPUT_SOURCE_NVML_API_H

#include <stddef.h>
#include <stdint.h>

enum gput__nvml_code {
    GPUT__NVML_SUCCESS = 0,
    GPUT__NVML_INVALID_ARGUMENT = 2,
    GPUT__NVML_NOT_SUPPORTED = 3,
    GPUT__NVML_NO_PERMISSION = 4,
    GPUT__NVML_NOT_FOUND = 6,
    GPUT__NVML_INSUFFICIENT_SIZE = 7,
    GPUT__NVML_INSUFFICIENT_POWER = 8,
    GPUT__NVML_DRIVER_NOT_LOADED = 9,
    GPUT__NVML_TIMEOUT = 10,
    GPUT__NVML_IRQ_ISSUE = 11,
    GPUT__NVML_LIBRARY_NOT_FOUND = 12,
    GPUT__NVML_FUNCTION_NOT_FOUND = 13,
    GPUT__NVML_GPU_IS_LOST = 15,
    GPUT__NVML_RESET_REQUIRED = 16,
    GPUT__NVML_OPERATING_SYSTEM = 17,
    GPUT__NVML_VERSION_MISMATCH = 18, /* of the library and the kernel's driver */
    GPUT__NVML_MEMORY = 20,
    GPUT__NVML_NO_DATA = 21,
    GPUT__NVML_ARGUMENT_VERSION = 25,
    GPUT__NVML_GPU_NOT_FOUND = 28,
    GPUT__NVML_UNKNOWN = 999,
};

/* What a field holds that the driver has no value for. */
#define GPUT__NVML_NO_U32 UINT32_MAX
#define GPUT__NVML_NO_U64 UINT64_MAX

#define GPUT__NVML_SENSOR_GPU 0
#define GPUT__NVML_CLOCK_SM 1
#define GPUT__NVML_CLOCK_MEMORY 2
#define GPUT__NVML_SAMPLES_GPU_UTILIZATION 1

struct gput__nvml_device; /* a GPU or a MIG instance; the library's own */

struct gput__nvml_utilization {
    uint32_t gpu, memory; /* percent */
};

struct gput__nvml_memory {
    uint64_t total, free, used; /* used: with the driver's reserve */
};

#define GPUT__NVML_MEMORY_V2 ((uint32_t)sizeof(struct gput__nvml_memory_v2) | 2u << 24)
struct gput__nvml_memory_v2 {
    uint32_t version;
    uint64_t total, reserved, free, used;
};
_Static_assert(sizeof(struct gput__nvml_memory_v2) == 0x28, "the version holds the size");

/* The fields that each version of the call begins with; the newest writes 68 bytes. */
struct gput__nvml_pci {
    char bus_id[16];
    uint32_t domain, bus, device, device_id;
    char rest[96];
};

enum gput__nvml_value_type {
    GPUT__NVML_DOUBLE,
    GPUT__NVML_UINT,
    GPUT__NVML_ULONG,
    GPUT__NVML_ULONGLONG,
    GPUT__NVML_LONGLONG,
    GPUT__NVML_INT,
    GPUT__NVML_USHORT,
};

struct gput__nvml_sample {
    uint64_t time_us;
    union {
        double f64;
        uint32_t u32;
        uint64_t u64;
        int64_t i64;
        int32_t i32;
        uint16_t u16;
    } value;
};
_Static_assert(sizeof(struct gput__nvml_sample) == 16, "as the library writes it");

struct gput__nvml_process_sample {
    uint32_t pid;
    uint64_t time_us;
    uint32_t sm, memory, encoder, decoder; /* percent */
};
_Static_assert(sizeof(struct gput__nvml_process_sample) == 32, "as the library writes it");

/* A record of a process list begins with these; what follows and so its size depends on the
 * driver: 16 bytes, 24 (with the ids of its instance) or 32 (with protected memory too). */
struct gput__nvml_process {
    uint32_t pid;
    uint64_t memory;
};
#define GPUT__NVML_PROCESS_MAX 32

enum gput__nvml_list {
    GPUT__NVML_COMPUTE,
    GPUT__NVML_GRAPHICS,
    GPUT__NVML_MPS,
    GPUT__NVML_N_LISTS,
};

/* What the hardware counted between two samples. */
struct gput__nvml_gpm_support {
    uint32_t version, is_supported;
};
#define GPUT__NVML_GPM_SUPPORT 1

struct gput__nvml_gpm_metric {
    uint32_t id;
    int32_t code;
    double value;
    const char *names[3];
};

/* The newest library has room for 333 and clears it all. */
#define GPUT__NVML_GPM_ROOM 512
#define GPUT__NVML_GPM_METRICS 1
struct gput__nvml_gpm_metrics {
    uint32_t version, n;
    void *from, *to; /* samples */
    struct gput__nvml_gpm_metric metrics[GPUT__NVML_GPM_ROOM];
};
_Static_assert(sizeof(struct gput__nvml_gpm_metric) == 40, "as the library writes it");

struct gput__nvml_field {
    uint32_t id, scope;
    int64_t time_us, took_us;
    int32_t type; /* enum gput__nvml_value_type */
    int32_t code;
    union {
        double f64;
        uint32_t u32;
        uint64_t u64;
    } value;
};
_Static_assert(sizeof(struct gput__nvml_field) == 40, "as the library writes it");

#define GPUT__NVML_EVENT_XID UINT64_C(8)
struct gput__nvml_event {
    struct gput__nvml_device *device;
    uint64_t type, data; /* of an Xid its number */
    uint32_t gpu_instance, compute_instance;
};
_Static_assert(sizeof(struct gput__nvml_event) == 32, "as the library writes it");

#define GPUT__NVML_ECC_CORRECTED 0
#define GPUT__NVML_ECC_UNCORRECTED 1
#define GPUT__NVML_ECC_VOLATILE 0 /* since the driver was loaded */

typedef int gput__nvml_list_fn(struct gput__nvml_device *, uint32_t *count, void *records);
typedef int gput__nvml_u32_fn(struct gput__nvml_device *, uint32_t *ret);
typedef int gput__nvml_u64_fn(struct gput__nvml_device *, uint64_t *ret);
typedef int gput__nvml_text_fn(struct gput__nvml_device *, char *ret, uint32_t cap);
typedef int gput__nvml_pick_fn(struct gput__nvml_device *, int which, uint32_t *ret);

/* A loaded library.  Calls down to `memory` are always there, the others may be NULL. */
struct gput__nvml_api {
    void *lib;

    int (*init)(void);
    int (*shutdown)(void);
    int (*count)(uint32_t *ret);
    int (*by_index)(uint32_t i, struct gput__nvml_device **ret);
    gput__nvml_text_fn *name, *uuid;
    int (*memory)(struct gput__nvml_device *, struct gput__nvml_memory *ret);

    const char *(*error_string)(int code);
    int (*memory_v2)(struct gput__nvml_device *, struct gput__nvml_memory_v2 *ret);
    int (*pci)(struct gput__nvml_device *, struct gput__nvml_pci *ret);
    int (*utilization)(struct gput__nvml_device *, struct gput__nvml_utilization *ret);
    gput__nvml_u32_fn *power; /* milliwatts */
    gput__nvml_pick_fn *temperature, *clock;
    gput__nvml_u64_fn *throttle; /* bits */
    gput__nvml_u64_fn *energy;   /* millijoules */
    gput__nvml_list_fn *processes[GPUT__NVML_N_LISTS];
    int (*samples)(struct gput__nvml_device *, int what, uint64_t since_us, int *ret_type,
                   uint32_t *count, struct gput__nvml_sample *ret);
    int (*process_utilization)(struct gput__nvml_device *, struct gput__nvml_process_sample *ret,
                               uint32_t *count, uint64_t since_us);
    int (*mig_mode)(struct gput__nvml_device *, uint32_t *ret_current, uint32_t *ret_pending);
    gput__nvml_u32_fn *mig_max;
    int (*mig_by_index)(struct gput__nvml_device *, uint32_t i, struct gput__nvml_device **ret);
    gput__nvml_u32_fn *instance_id; /* of a MIG instance */
    int (*gpm_support)(struct gput__nvml_device *, struct gput__nvml_gpm_support *ret);
    int (*gpm_alloc)(void **ret_sample);
    int (*gpm_free)(void *sample);
    int (*gpm_sample)(struct gput__nvml_device *, void *sample);
    int (*gpm_sample_mig)(struct gput__nvml_device *whole, uint32_t instance, void *sample);
    int (*gpm_metrics)(struct gput__nvml_gpm_metrics *);
    gput__nvml_u32_fn *power_limit; /* milliwatts */
    gput__nvml_pick_fn *max_clock;
    gput__nvml_u32_fn *pcie_generation, *pcie_width;
    int (*fields)(struct gput__nvml_device *, int32_t n, struct gput__nvml_field *);
    int (*ecc)(struct gput__nvml_device *, int32_t kind, int32_t since, uint64_t *ret);
    int (*remapped)(struct gput__nvml_device *, uint32_t *ret_corrected, uint32_t *ret_uncorrected,
                    uint32_t *ret_is_pending, uint32_t *ret_has_failed);
    int (*events_create)(void **ret_set);
    int (*events_free)(void *set);
    int (*events_register)(struct gput__nvml_device *, uint64_t types, void *set);
    int (*events_wait)(void *set, struct gput__nvml_event *ret, uint32_t timeout_ms);
};

/* Whether the library is there and may have a driver, without asking that anything; the same errors. */
int gput__nvml_present(const char *path, char *ret_why, size_t cap);

/* `path` NULL: libnvidia-ml.so.1 where the loader finds it.  -ENODEV: it is not there; -ELIBBAD: it
 * is, and cannot be used.  A failure leaves its reason in `ret_why`. */
int gput__nvml_load(const char *path, struct gput__nvml_api *ret, char *ret_why, size_t cap);

/* What was never loaded may be unloaded. */
void gput__nvml_unload(struct gput__nvml_api *api);

/* A code in a few words, the library's own where it has some. */
const char *gput__nvml_words(const struct gput__nvml_api *api, int code);

/* The negative errno that a code stands for; 0 for success. */
int gput__nvml_errno(int code);

#endif
