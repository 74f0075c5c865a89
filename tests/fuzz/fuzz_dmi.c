/* fuzz_dmi.c - the firmware's names, and which cloud they tell. */
#include "folder.h"
#include "fuzz.h"
#include "servers/clouds/cloud.h"

static void check(const char *text)
{
    fuzz_must(strlen(text) < 64);
    for (const char *p = text; *p; p++)
        fuzz_must((unsigned char)*p >= ' ' && *p != 0x7F);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    const struct gput__cloud_service *cloud;
    struct fuzz_folder f;
    struct gput__dmi dmi;

    fuzz_folder_begin(&f, text);
    if (gput__dmi_read(&f.root, &dmi) == 0) {
        check(dmi.sys_vendor);
        check(dmi.product_name);
        check(dmi.chassis_asset_tag);
        check(dmi.bios_vendor);
        check(dmi.bios_version);
        check(dmi.board_vendor);
        check(dmi.hypervisor_uuid);
        cloud = gput__cloud_of(&dmi);
        fuzz_must(!cloud || (*cloud->vendor && cloud->questions[0].path));
    }
    fuzz_folder_end(&f);
    free(text);
    return 0;
}
