/* test_sys_disk.c - bytes of disks from /proc/diskstats, and which of its lines are disks. */
#include "source/machine/sys_disk.h"

#include <string.h>

#include "fixture.h"
#include "shown.h"
#include "tap.h"

static void lines(void)
{
    static const char text[] =
        " 254       0 vda 10 1 3000 5 20 2 4000 9 0 27 40 15 52 69 118 275 10\n" /* Linux 5.5 */
        "   8       0 sda 1 0 7 0 2 0 8 0 0 0 0\n"                               /* 2.6 */
        "   8       1 sda1 1 7 2 8\n"                                            /* before 2.6.25 */
        " 104       0 cciss/c0d0 1 0 1 0 2 0 2 0 0 0 0\n";
    const char *p = text;
    struct gput__sys_disk d;

    OK(gput__sys_disk_next(&p, &d) && !strcmp(d.name, "vda") && d.read == 3000 * 512 &&
           d.written == 4000 * 512,
       "sectors are of 512 bytes");
    OK(gput__sys_disk_next(&p, &d) && !strcmp(d.name, "sda") && d.read == 7 * 512 &&
           d.written == 8 * 512,
       "an old kernel tells fewer columns");
    OK(gput__sys_disk_next(&p, &d) && !strcmp(d.name, "cciss/c0d0"),
       "a line too short to be of a disk is skipped");
    OK(!gput__sys_disk_next(&p, &d) && *p == '\0' && !strcmp(d.name, "cciss/c0d0"),
       "and then there is no more");
}

static void no_line(const char *text)
{
    struct gput__sys_disk d = { .read = 77 };
    const char *p = text;

    OK(!gput__sys_disk_next(&p, &d) && d.read == 77 && *p == '\0', "<%s> is no disk", shown(text));
}

static void kind_is(const struct gput__root *sys, const char *name, enum gput__disk_kind want,
                    const char *what)
{
    enum gput__disk_kind kind = gput__sys_disk_kind(sys, name);

    OK(kind == want, "%s: %s", name, what);
}

static void kinds(void)
{
    static const char *const folders[] = {
        "block/sda/size",
        "block/sda/sda1/size",
        "block/md127/size",
        "block/dm-0/slaves/md127",
        "block/loop0/size",
        "block/zram0/size",
        "block/ram0/size",
        "block/nvme0n1/size",
        "block/nvme0c0n1/size",
        "block/sr0/size",
        "block/odd0/slaves/sda",
        "block/cciss!c0d0/size",
        "block/odd1/loop/autoclear",
        "block/zd16/size",
        "block/drbd0/size",
        "block/bcache0/slaves/sda",
        "block/mmcblk0boot0/size",
        "block/md_d0/size",
    };
    struct fixture f;

    fixture_begin(&f);
    OK(!gput__sys_disks_are_told(&f.root), "without /sys/block nothing is told");
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
        fixture_write(&f, folders[i], "8\n");
    OK(gput__sys_disks_are_told(&f.root), "with it, it is");
    kind_is(&f.root, "sda", GPUT__DISK_WHOLE, "a disk");
    kind_is(&f.root, "sda1", GPUT__DISK_OTHER, "a partition");
    kind_is(&f.root, "nvme0n1", GPUT__DISK_WHOLE, "a disk whose name ends in a number");
    kind_is(&f.root, "mmcblk0boot0", GPUT__DISK_WHOLE,
            "a part of a card that is a disk of its own");
    kind_is(&f.root, "nvme0c0n1", GPUT__DISK_PATH, "a path to an NVMe disk");
    kind_is(&f.root, "sr0", GPUT__DISK_WHOLE, "a CD-ROM");
    kind_is(&f.root, "cciss/c0d0", GPUT__DISK_WHOLE, "a disk with a stroke in its name");
    kind_is(&f.root, "md127", GPUT__DISK_OTHER, "a RAID, by its name");
    kind_is(&f.root, "md_d0", GPUT__DISK_OTHER, "a RAID that has partitions");
    kind_is(&f.root, "dm-0", GPUT__DISK_OTHER, "a logical volume");
    kind_is(&f.root, "odd0", GPUT__DISK_OTHER, "whatever has slaves");
    kind_is(&f.root, "odd1", GPUT__DISK_OTHER, "whatever is a loop");
    kind_is(&f.root, "loop0", GPUT__DISK_OTHER, "a loop that is not in use yet");
    kind_is(&f.root, "zram0", GPUT__DISK_OTHER, "compressed memory");
    kind_is(&f.root, "ram0", GPUT__DISK_OTHER, "memory");
    kind_is(&f.root, "zd16", GPUT__DISK_OTHER, "a volume in a ZFS pool");
    kind_is(&f.root, "drbd0", GPUT__DISK_OTHER, "a mirror over the network");
    kind_is(&f.root, "bcache0", GPUT__DISK_OTHER, "a cache over another disk");
    kind_is(&f.root, "gone", GPUT__DISK_OTHER, "nothing that /sys knows");
    fixture_end(&f);
}

static void path_is_of(const char *path, const char *want)
{
    char name[GPUT__DISK_NAME];

    gput__sys_disk_of_path(path, name);
    OK(!strcmp(name, want), "%s is a path to %s", path, want);
}

int main(void)
{
    lines();
    no_line("");
    no_line("\n\n");
    no_line("8 0 sda 1 0 7 0 2 0 8");
    no_line("8 0 sda 1 0 7 0 2 0 x 0 0 0 0\n");
    no_line("8 0 sda 1 0 36028797018963968 0 2 0 8 0 0 0 0\n");
    no_line("8 0 a-name-that-is-longer-than-any-of-the-kernels 1 0 7 0 2 0 8 0 0 0 0\n");
    no_line("8 x sda 1 0 7 0 2 0 8 0 0 0 0\n");
    kinds();
    path_is_of("nvme0c0n1", "nvme0n1");
    path_is_of("nvme12c345n6", "nvme12n6");
    path_is_of("nvme0n1", "nvme0n1");
    path_is_of("sda", "sda");
    return DONE();
}
