/* cpu_model.c - the name of the processor, from /proc/cpuinfo. */
#include "source/machine/cpu_model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"

/* ARM's processors give numbers; these are the ones of servers, as the kernel's cputype.h has them. */
static const struct {
    unsigned implementer, part;
    const char *name;
} arm_models[] = {
    { 0x41, 0xd08, "ARM Cortex-A72" },  { 0x41, 0xd0c, "ARM Neoverse-N1" },
    { 0x41, 0xd40, "ARM Neoverse-V1" }, { 0x41, 0xd49, "ARM Neoverse-N2" },
    { 0x41, 0xd4f, "ARM Neoverse-V2" }, { 0x41, 0xd84, "ARM Neoverse-V3" },
    { 0x41, 0xd8e, "ARM Neoverse-N3" }, { 0xc0, 0xac3, "Ampere-1" },
    { 0xc0, 0xac4, "Ampere-1A" },
};

/* The text behind "key : " of the first line that has it; NULL: none. */
static const char *value_of(const char *text, const char *key)
{
    size_t n = strlen(key);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        const char *p;

        line += *line == '\n';
        if (strncmp(line, key, n))
            continue;
        p = line + n + strspn(line + n, " \t");
        if (*p == ':')
            return p + 1 + strspn(p + 1, " \t");
    }
    return NULL;
}

static void name_arm(const char *implementer, const char *part, char *ret, size_t cap)
{
    unsigned long who = strtoul(implementer, NULL, 16), which = strtoul(part, NULL, 16);

    for (size_t i = 0; i < sizeof(arm_models) / sizeof(*arm_models); i++)
        if (arm_models[i].implementer == who && arm_models[i].part == which)
            snprintf(ret, cap, "%s", arm_models[i].name);
    if (!ret[0])
        snprintf(ret, cap, "ARM implementer 0x%lx, part 0x%lx", who, which);
}

void gput__cpu_model_parse(const char *text, char *ret, size_t cap)
{
    static const char *const keys[] = { "model name", "Model Name", "cpu model", "cpu" };
    const char *implementer = value_of(text, "CPU implementer"), *part = value_of(text, "CPU part");

    ret[0] = '\0';
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && !ret[0]; i++) {
        const char *value = value_of(text, keys[i]);

        if (!value)
            continue;
        snprintf(ret, cap, "%.*s", (int)strcspn(value, "\n"), value);
        gput__text_tidy(ret);
    }
    if (!ret[0] && implementer && part)
        name_arm(implementer, part, ret, cap);
}
