/* test_sys_mounts.c - which file systems of /proc/self/mountinfo count. */
#include "source/machine/sys_mounts.h"

#include <stdlib.h>
#include <string.h>

#include "shown.h"
#include "tap.h"

static void one_line(void)
{
    char text[] =
        "36 35 98:0 /mnt1 /mnt\\0402\\134x rw,noatime master:1 shared:2 - ext3 /dev/r\\011t "
        "rw,errors=continue\n37 35 0:22 / /proc rw - proc proc rw\n";
    char *p = text;
    struct gput__sys_mount m;

    OK(gput__sys_mount_next(&p, &m) && !strcmp(m.point, "/mnt 2\\x") && !strcmp(m.type, "ext3") &&
           !strcmp(m.source, "/dev/r\tt") && m.device == (uint64_t)98 << 32 && !m.is_whole &&
           m.kind == GPUT__MOUNT_DISK,
       "a line with tags, and blanks in its names");
    OK(gput__sys_mount_next(&p, &m) && !strcmp(m.point, "/proc") && m.device == 22 && m.is_whole &&
           m.kind == GPUT__MOUNT_OTHER,
       "a line without tags");
    OK(!gput__sys_mount_next(&p, &m), "and then there is no more");
}

static void no_line(const char *text)
{
    struct gput__sys_mount m = { .device = 77 };
    char copy[200], *p = copy;

    snprintf(copy, sizeof(copy), "%s", text);
    OK(!gput__sys_mount_next(&p, &m) && m.device == 77, "<%s> is no mount", shown(text));
}

/* The points of those that are chosen, in order, with a '|' between. */
static void chooses(const char *text, const char *want, const char *what)
{
    char *copy = strdup(text), got[300] = "";
    struct gput__sys_mounts mounts;

    if (OK(copy && gput__sys_mounts_choose(copy, &mounts) == 0, "%s: read", what)) {
        for (size_t i = 0; i < mounts.n; i++)
            snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", i ? "|" : "",
                     mounts.list[i].point);
        OK(!strcmp(got, want), "%s: %s", what, got);
        free(mounts.list);
    }
    free(copy);
}

static void each_once(void)
{
    chooses("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /home rw - xfs /dev/sda2 rw\n",
            "/|/home", "two file systems");
    chooses("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:1 /srv /srv rw - ext4 /dev/sda1 rw\n"
            "3 1 8:1 / /chroot rw - ext4 /dev/sda1 rw\n",
            "/", "a folder of it, or all of it, mounted again");
    chooses("1 0 8:1 /srv /srv rw - ext4 /dev/sda1 rw\n3 1 8:1 / /disk rw - ext4 /dev/sda1 rw\n",
            "/disk", "the whole is the better name");
    chooses("1 0 0:40 /@ / rw - btrfs /dev/sda2 rw\n2 1 0:40 /@home /home rw - btrfs /dev/sda2 rw\n"
            "3 1 0:41 /@var /var rw - btrfs /dev/sda2 rw\n4 1 0:42 / /b rw - btrfs /dev/sdb rw\n",
            "/|/b", "subvolumes of btrfs, whatever their numbers are");
    chooses("1 0 0:50 / /t rw - zfs tank rw\n2 1 0:51 / /t/a rw - zfs tank/a rw\n"
            "3 1 0:51 / /again rw - zfs tank/a rw\n4 1 0:53 / /t/s ro - zfs tank/a@mon ro\n",
            "/t|/t/a", "data sets of ZFS, each once, without snapshots");
    chooses("1 0 8:1 / /m rw - ext4 /dev/sda1 rw\n2 1 8:2 / /m rw - ext4 /dev/sdb1 rw\n"
            "3 1 8:3 / /n rw - ext4 /dev/sdc1 rw\n4 1 0:9 / /n rw - tmpfs none rw\n",
            "/m", "what is mounted over hides what was there");
}

static void no_disks(void)
{
    chooses("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:21 / /proc rw - proc proc rw\n"
            "3 1 0:22 / /tmp rw - tmpfs tmpfs rw\n4 1 0:23 / /n rw - nfs4 h:/x rw\n"
            "5 1 0:24 / /c rw - cifs //h/x rw\n6 1 0:25 / /f rw - fuse.sshfs h: rw\n"
            "7 1 7:0 / /snap/x ro - squashfs /dev/loop0 ro\n8 1 7:1 / /i rw - ext4 /dev/loop1 rw\n"
            "9 1 11:0 / /cd ro - iso9660 /dev/sr0 ro\n10 1 253:0 / /z rw - ext4 /dev/zram0 rw\n"
            "11 1 0:26 / /var/lib/docker/overlay2/a/merged rw - overlay overlay rw\n"
            "12 1 0:27 / /v rw - virtiofs share rw\n13 1 0:28 / /a rw - autofs systemd-1 rw\n"
            "14 1 8:33 / /w rw - fuseblk /dev/sdc1 rw\n",
            "/|/w", "pseudo, memory, network and images do not count; fuse on a disk does");
}

static void roots(void)
{
    chooses("1 0 0:90 / / rw - overlay overlay rw\n2 1 8:1 /x/hosts /etc/hosts rw - ext4 /dev/sda1 "
            "rw\n",
            "/|/etc/hosts", "a container: its overlay and what is bound into it");
    chooses("1 0 0:90 / / rw - nfs h:/root rw\n2 1 0:91 / /tmp rw - tmpfs tmpfs rw\n", "/",
            "no disk at all: what the machine runs from");
    chooses("1 0 0:1 / / rw - rootfs rootfs rw\n2 1 8:1 / / rw - ext4 /dev/sda1 rw\n", "/",
            "the root of the first moments is hidden");
    chooses("", "", "no text, no file system");
}

int main(void)
{
    one_line();
    no_line("");
    no_line("1 0 8:1 / /");
    no_line("1 0 8:1 / / rw - ext4");
    no_line("1 0 8:1 / / rw shared:1");
    no_line("1 0 8 / / rw - ext4 /dev/sda1 rw");
    no_line("1 0 8:x / / rw - ext4 /dev/sda1 rw");
    no_line("1 0 4294967296:1 / / rw - ext4 /dev/sda1 rw");
    each_once();
    no_disks();
    roots();
    return DONE();
}
