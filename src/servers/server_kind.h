/* server_kind.h - what the name of a type of server tells, by its vendor's rules for names. */
#ifndef GPUT_ANALYSIS_SERVER_KIND_H
#define GPUT_ANALYSIS_SERVER_KIND_H

#include <stdbool.h>

struct gput__server_kind {
    const char *arch;  /* "x86_64" or "aarch64"; NULL: the vendor's rules are not known here */
    bool is_burstable; /* it has a share of its vCPUs for good, and all of them for a while */
};

/* Who makes a model of GPU, as catalogues name it: "nvidia", "amd", "intel". */
const char *gput__gpu_brand(const char *model);

struct gput__server_kind gput__server_kind(const char *vendor, const char *type);

#endif
