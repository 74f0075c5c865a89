/* dmi.h - the maker of the machine, as its firmware has it: /sys/class/dmi/id.  Clouds put their name
 * there. */
#ifndef GPUT_SOURCE_DMI_H
#define GPUT_SOURCE_DMI_H

#include "base/root.h"

struct gput__dmi { /* "": unknown */
    char sys_vendor[64];
    char product_name[64];
    char chassis_asset_tag[64];
    char bios_vendor[64];
    char bios_version[64];
    char board_vendor[64];
    char hypervisor_uuid[64]; /* Xen's, beside the others */
};

/* 0: at least one of them could be read; else the errno of the first. */
int gput__dmi_read(const struct gput__root *sys, struct gput__dmi *ret);

#endif
