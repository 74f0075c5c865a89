/* dmi.c - the maker of the machine, as its firmware has it: /sys/class/dmi/id. */
#include "source/machine/dmi.h"

#include <stddef.h>

#include "base/text/text.h"

static const struct {
    const char *file;
    size_t at;
} fields[] = {
    { "class/dmi/id/sys_vendor", offsetof(struct gput__dmi, sys_vendor) },
    { "class/dmi/id/product_name", offsetof(struct gput__dmi, product_name) },
    { "class/dmi/id/chassis_asset_tag", offsetof(struct gput__dmi, chassis_asset_tag) },
    { "class/dmi/id/bios_vendor", offsetof(struct gput__dmi, bios_vendor) },
    { "class/dmi/id/bios_version", offsetof(struct gput__dmi, bios_version) },
    { "class/dmi/id/board_vendor", offsetof(struct gput__dmi, board_vendor) },
    { "hypervisor/uuid", offsetof(struct gput__dmi, hypervisor_uuid) },
};

int gput__dmi_read(const struct gput__root *sys, struct gput__dmi *ret)
{
    struct gput__dmi dmi = { .sys_vendor = "" };
    int first = 0;
    unsigned n_read = 0;

    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
        char *text = (char *)&dmi + fields[i].at;
        ssize_t n = gput__root_read(sys, fields[i].file, text, sizeof(dmi.sys_vendor));

        if (n < 0) {
            text[0] = '\0';
            first = first ? first : (int)n;
            continue;
        }
        gput__text_tidy(text);
        n_read++;
    }
    if (!n_read)
        return first;
    *ret = dmi;
    return 0;
}
