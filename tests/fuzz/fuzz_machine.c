/* fuzz_machine.c - a whole machine made of files: its counters twice, its disks and its names. */
#include "api/host/server.h"
#include "folder.h"
#include "fuzz.h"
#include "sample/machine/machine.h"
#include "source/machine/disks.h"

/* Each file system is of another size. */
static int tell(const char *path, struct statvfs *ret)
{
    *ret = (struct statvfs){ .f_frsize = 4096, .f_blocks = 1000 + strlen(path), .f_bfree = 500 };
    return 0;
}

static void read_counters(const struct gput__root *root)
{
    struct gput__sample before = { 0 }, now = { 0 };
    struct gput__machine m;

    gput__machine_open(&m, root, root, tell);
    gput__machine_read(&m, &before);
    gput__machine_read(&m, &now);
    for (enum gput__metric i = 0; i < GPUT__N_METRICS; i++)
        fuzz_must(!gput__sample_has(&now, i) || now.value[i] >= 0);
    fuzz_must(!gput__sample_has(&now, GPUT__DISK_READ) ||
              gput__sample_gain(&before, &now, GPUT__DISK_READ) >= 0);
    (void)gput__machine_left_out(&m);
    gput__machine_close(&m);
}

static void read_disks(const struct gput__root *root)
{
    struct gput__disk *list = NULL;
    unsigned n = 0;

    fuzz_must(gput__disks_read(root, &list, &n) == 0);
    for (unsigned i = 0; i < n; i++) {
        fuzz_must(list[i].name[0] && strlen(list[i].model) < sizeof(list[i].model));
        fuzz_must(i == 0 || strcmp(list[i - 1].name, list[i].name) < 0);
        fuzz_must(list[i].is_rotational >= -1 && list[i].is_rotational <= 1);
    }
    free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__server_names names;
    struct fuzz_folder f;

    fuzz_folder_begin(&f, text);
    read_counters(&f.root);
    read_disks(&f.root);
    gput__server_names_read(&f.root, &names);
    fuzz_must(strlen(names.hostname) < sizeof(names.hostname) &&
              strlen(names.cpu_model) < sizeof(names.cpu_model));
    fuzz_folder_end(&f);
    free(text);
    return 0;
}
