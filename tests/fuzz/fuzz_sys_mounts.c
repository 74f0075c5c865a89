/* fuzz_sys_mounts.c - /proc/self/mountinfo. */
#include "fuzz.h"
#include "source/machine/sys_mounts.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__sys_mounts mounts = { .n = 77 };

    fuzz_must(gput__sys_mounts_choose(text, &mounts) == 0);
    for (size_t i = 0; i < mounts.n; i++) {
        const struct gput__sys_mount *m = &mounts.list[i];

        fuzz_must(m->kind != GPUT__MOUNT_OTHER && m->type[0] &&
                  m->point + strlen(m->point) <= text + size &&
                  m->source + strlen(m->source) <= text + size);
        for (size_t k = 0; k < i; k++) /* each point once, and each block device */
            fuzz_must(strcmp(mounts.list[k].point, m->point) != 0 &&
                      (mounts.list[k].device != m->device || m->device >> 32 == 0 ||
                       mounts.list[k].kind == GPUT__MOUNT_OVERLAY ||
                       m->kind == GPUT__MOUNT_OVERLAY));
    }
    free(mounts.list);
    free(text);
    return 0;
}
