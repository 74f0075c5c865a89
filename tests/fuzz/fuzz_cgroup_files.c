/* fuzz_cgroup_files.c - the files of control groups, versions 1 and 2, and who is in which. */
#include "folder.h"
#include "fuzz.h"
#include "source/cgroup/cgroup_use.h"

static void count(void *ctx, pid_t pid)
{
    fuzz_must(pid > 0);
    ++*(size_t *)ctx;
}

/* What the groups have used; of what is not there nothing is known. */
static void read_use(const struct fuzz_folder *f, size_t size)
{
    struct gput__cgroup_place place;
    struct gput__cgroup_files files;
    struct gput__cgroup_use u = { 0 };

    gput__cgroup_find(&f->root, &f->root, 0, &place);
    fuzz_must(place.version >= 0 && place.version <= 2);
    fuzz_must(gput__cgroup_name(&place)[0] == '/' || !place.version || *gput__cgroup_name(&place));
    gput__cgroup_files_begin(&files, &f->root, &place);
    gput__cgroup_files_read(&files, GPUT__CGROUP_ALL, &u);
    gput__cgroup_files_close(&files);
    for (int v = 0; v < GPUT__N_CGROUP_VALUES; v++)
        fuzz_must(gput__cgroup_knows(&u, (enum gput__cgroup_value)v) || u.value[v] == 0);
    fuzz_must(place.version || !u.known);
    for (int k = 0; k < GPUT__N_CGROUP_KINDS; k++) {
        size_t n = 0;

        (void)gput__cgroup_members(&f->root, place.folder[k], count, &n);
        fuzz_must(n <= size);
    }
}

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
    read_use(&f, size);
    fuzz_folder_end(&f);
    free(text);
    return 0;
}
