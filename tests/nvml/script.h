/* script.h - the play that the stand-in for NVIDIA's management library performs.
 *
 * The file that GPUT_NVML_SCRIPT names holds one thing to a line; # begins a comment.
 *
 *     init CODE                        nvmlInit answers CODE
 *     fail FUNCTION CODE [FROM [TO]]   the calls FROM to TO of FUNCTION answer CODE (1, for ever)
 *     delay FUNCTION MS [FROM [TO]]    likewise they take MS milliseconds
 *     clear                            process lists clear all the room that they were given
 *     gpu UUID NAME...                 a GPU; what follows is its own
 *     mig UUID NAME...                 an instance of the last GPU; what follows is its own
 *     gap                              a number of an instance that does not exist
 *
 * Of a GPU or an instance:
 *
 *     KEY VALUE [WHEN]                 a value from WHEN on, until a later line holds; keys:
 *         total reserved used          bytes; the older call adds `reserved` to `used`
 *         util power temp              percent, milliwatts, degrees
 *         clock memclock throttle      MHz, MHz, bits
 *         energy                       millijoules; grows with `power` as time goes by if it is set
 *         mig_mode                     1 for a GPU that has instances, unless said otherwise
 *         memutil                      percent that the memory controller was busy, 1 if not given
 *         gpm                          1: its hardware counts what it does (Hopper and later), as:
 *         engine sm occupancy tensor tensor64 tensor16 tensorint dram fp64 fp32 fp16   percent
 *         pcietx pcierx nvlinkrx nvlinktx   MiB per second
 *         powercap thermal             percent of the time that it is slowed down, counted in nanoseconds
 *         pcieraw                      where its counters of KiB over PCIe stand at the start: 32 bits
 *         ecc eccbad remapped          errors of its memory so far: corrected, not corrected, rows
 *         xid                          from then on the error of that number is to be had as an event
 *         limit maxclock               milliwatts, MHz
 *         pciegen pciewidth            of its link to the machine
 *         handle uuid pci list         only with !CODE: nvmlDeviceGetHandleByIndex, ...
 *     process LIST PID BYTES [FROM [TO]]  LIST: compute, graphics, mps
 *     sample TIME PERCENT              an entry of the history; TIME in microseconds since 1970
 *     ring MS                          a history of `util`, 71 entries, 0 before the start
 *     type N                           how the history's values are written (nvmlValueType_t)
 *     user PID TIME PERCENT            an entry of the history of processes
 *
 * VALUE, BYTES, PERCENT: a number, 0x..., `na` (all ones) or !CODE (the call answers CODE).
 * FUNCTION: its name; without _v2 or _v3 it means each version.
 * WHEN, FROM, TO: 1.5s after the start, or from the 5th call (5) that reads it of this device.
 * PID: a number, $NAME (of the environment) or @FILE that holds it; listed once it is there. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "source/gpu/nvml_api.h"

struct when {
    double seconds;
    unsigned call;
};

struct number {
    uint64_t v;
    bool is_na;
    int code; /* of the call, if not 0 */
};

struct value {
    const char *key;
    struct number number;
    struct when from;
};

struct process {
    enum gput__nvml_list list;
    const char *pid;
    struct number memory;
    struct when from, to;
};

struct entry { /* of a history */
    const char *pid;
    uint64_t time_us;
    struct number number;
};

struct gput__nvml_device {
    const char *uuid, *name;
    bool is_mig, is_gap, has_instances;
    struct value values[256];
    struct process processes[160];
    struct entry samples[600], users[300];
    unsigned n_values, n_processes, n_samples, n_users;
    unsigned ring_ms;
    int sample_type;
    unsigned calls[64]; /* of each key or list, see script_call() */
};

struct rule {
    const char *function;
    int code;
    unsigned ms, from, to, seen;
};

struct script {
    char *text;
    bool clears;
    struct gput__nvml_device devices[80];
    unsigned n_devices;
    struct rule rules[32];
    unsigned n_rules;
    double start;           /* seconds of the monotonic clock */
    uint64_t start_real_us; /* microseconds since 1970 */
};

/* Reads the file that the environment names; a script that is wrong ends the process: nobody would
 * see it otherwise. */
void script_read(struct script *s);
void script_free(struct script *s);

double script_seconds(const struct script *s);

/* Counts a call on what is read by `key`; returns its number. */
unsigned script_call(struct gput__nvml_device *d, const char *key);
/* The value of a key now, NULL if no line has given any yet. */
const struct number *script_value(const struct gput__nvml_device *d, const char *key, unsigned call,
                                  double seconds);
bool script_has_come(const struct when *w, unsigned call, double seconds);
/* Waits as the rules for a function say, and returns the code to answer with, 0 for none. */
int script_rules(struct script *s, const char *function);
/* 0: not there yet. */
uint32_t script_pid(const char *text);

#endif
