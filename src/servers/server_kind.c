/* server_kind.c - what the name of a type of server tells, by its vendor's rules for names. */
#include "servers/server_kind.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "gput.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Series, generation, options: "m7gd.large".  The first option is the processor: g is Graviton. */
static struct gput__server_kind aws(const char *type)
{
    const char *p = type;

    while (*p && !is_digit(*p) && *p != '.')
        p++;
    while (is_digit(*p))
        p++;
    return (struct gput__server_kind){
        .arch = *p == 'g' || begins(type, "a1.") ? "aarch64" : "x86_64",
        .is_burstable = type[0] == 't' && is_digit(type[1]),
    };
}

/* "Standard_D4ps_v5": family, vCPUs, options; p is ARM. */
static struct gput__server_kind azure(const char *type)
{
    const char *name = begins(type, "Standard_") ? type + strlen("Standard_") : type;
    const char *p = name + strcspn(name, "0123456789");

    p += strspn(p, "0123456789-");
    return (struct gput__server_kind){
        .arch = memchr(p, 'p', strcspn(p, "_")) ? "aarch64" : "x86_64",
        .is_burstable = name[0] == 'B',
    };
}

static struct gput__server_kind gcp(const char *type)
{
    static const char *const arm[] = { "t2a-", "c4a-", "n4a-", "a4x-" };
    static const char *const shared[] = { "e2-micro", "e2-small", "e2-medium", "f1-", "g1-" };
    struct gput__server_kind kind = { .arch = "x86_64" };

    for (size_t i = 0; i < sizeof(arm) / sizeof(*arm); i++)
        if (begins(type, arm[i]))
            kind.arch = "aarch64";
    for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
        kind.is_burstable |= begins(type, shared[i]);
    return kind;
}

struct gput__server_kind gput__server_kind(const char *vendor, const char *type)
{
    if (strcmp(vendor, "aws") == 0)
        return aws(type);
    if (strcmp(vendor, "azure") == 0)
        return azure(type);
    if (strcmp(vendor, "gcp") == 0)
        return gcp(type);
    return (struct gput__server_kind){ .arch = NULL };
}

/* NVIDIA's are told by their number alone ("T4", "H100"): what has no other name is theirs. */
const char *gput__gpu_brand(const char *model)
{
    static const struct {
        const char *begin;
        enum gput_gpu_brand brand;
    } others[] = {
        { "Radeon", GPUT_AMD },  { "Instinct", GPUT_AMD }, { "MI", GPUT_AMD },
        { "Gaudi", GPUT_INTEL }, { "Flex", GPUT_INTEL },   { "Max", GPUT_INTEL },
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (strncasecmp(model, others[i].begin, strlen(others[i].begin)) == 0)
            return gput_gpu_brand(others[i].brand);
    return gput_gpu_brand(GPUT_NVIDIA);
}
