/* fuzz_cgroup_files.c - the files of control groups, versions 1 and 2, and who is in which. */
#include "folder.h"
#include "fuzz.h"
#include "source/cgroup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__cgroup c = { .version = 77 };
    struct fuzz_folder f;

    fuzz_folder_begin(&f, text);
    gput__cgroup_read(&f.root, &f.root, 0, &c);
    fuzz_must(c.version >= 0 && c.version <= 2);
    fuzz_must(c.has_memory_limit ? c.memory_limit < UINT64_C(1) << 62 : c.memory_limit == 0);
    fuzz_must(c.has_cpu_limit ? c.cpu_limit >= 0 : !(c.cpu_limit > 0));
    fuzz_must(c.has_oom_kills || c.oom_kills == 0);
    fuzz_folder_end(&f);
    free(text);
    return 0;
}
