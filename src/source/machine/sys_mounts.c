/* sys_mounts.c - /proc/self/mountinfo: the file systems on this machine's disks, each once. */
#include "source/machine/sys_mounts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text/scan.h"

/* The kernel's number of loop devices. */
#define MAJOR_LOOP 7

/* --- a line --------------------------------------------------------------------------------- */

/* The next word, cut off; NULL: none. */
static char *cut_word(char **p)
{
    char *word = *p + strspn(*p, " ");
    size_t n = strcspn(word, " ");

    if (n == 0)
        return NULL;
    *p = word + n + (word[n] != '\0');
    word[n] = '\0';
    return word;
}

static bool is_octal(const char *s)
{
    return s[0] >= '0' && s[0] <= '3' && s[1] >= '0' && s[1] <= '7' && s[2] >= '0' && s[2] <= '7';
}

/* Blanks, newlines and backslashes are written as \040, \012 and \134. */
static void unescape(char *s)
{
    char *to = s;

    while (*s) {
        if (*s == '\\' && is_octal(s + 1)) {
            *to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
            s += 4;
        } else {
            *to++ = *s++;
        }
    }
    *to = '\0';
}

static bool parse_device(const char *word, uint64_t *ret)
{
    uint64_t major, minor;

    if (gput__scan_dec_until(&word, ':', &major) < 0 || gput__scan_u64(&word, &minor) < 0 ||
        major > UINT32_MAX || minor > UINT32_MAX)
        return false;
    *ret = major << 32 | minor;
    return true;
}

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(word, *list))
        list++;
    return *list;
}

/* A disk in memory: swap on it is common, a file system is rare. */
static bool is_in_memory(const char *source)
{
    return !strncmp(source, "/dev/zram", 9) || !strncmp(source, "/dev/ram", 8);
}

/* What has a device number of a block device is on a disk.  Pseudo file systems, those of a network
 * and those in memory have one of major 0, but so have some that keep several disks themselves. */
static enum gput__mount_kind kind_of(const struct gput__sys_mount *m)
{
    static const char *const images[] = { "squashfs", "erofs", "iso9660", "udf",
                                          "cramfs",   "romfs", NULL };
    static const char *const many_disks[] = { "btrfs", "bcachefs", NULL };
    uint64_t major = m->device >> 32;

    if (!strcmp(m->type, "zfs"))
        return strchr(m->source, '@') ? GPUT__MOUNT_OTHER : GPUT__MOUNT_POOL; /* no snapshots */
    if (!strcmp(m->type, "overlay") && !strcmp(m->point, "/"))
        return GPUT__MOUNT_OVERLAY;
    if (major == MAJOR_LOOP || is_in_memory(m->source) || is_one_of(m->type, images))
        return GPUT__MOUNT_OTHER;
    return major != 0 || is_one_of(m->type, many_disks) ? GPUT__MOUNT_DISK : GPUT__MOUNT_OTHER;
}

/* id, parent, device, root, point, options, any number of tags, "-", type, source, options */
static bool parse_line(char *line, struct gput__sys_mount *ret)
{
    struct gput__sys_mount m = { 0 };
    const char *device, *root, *tag;

    if (!cut_word(&line) || !cut_word(&line))
        return false;
    device = cut_word(&line);
    root = cut_word(&line);
    m.point = cut_word(&line);
    if (!device || !root || !m.point || !cut_word(&line) || !parse_device(device, &m.device))
        return false;
    while ((tag = cut_word(&line)) && strcmp(tag, "-"))
        ;
    m.type = cut_word(&line);
    m.source = cut_word(&line);
    if (!m.type || !m.source)
        return false;
    unescape(m.point);
    unescape(m.source);
    m.is_whole = !strcmp(root, "/");
    m.kind = kind_of(&m);
    *ret = m;
    return true;
}

bool gput__sys_mount_next(char **text, struct gput__sys_mount *ret)
{
    while (**text) {
        char *line = *text, *end = strchrnul(line, '\n');

        *text = *end ? end + 1 : end;
        *end = '\0';
        if (parse_line(line, ret))
            return true;
    }
    return false;
}

/* --- each file system once ------------------------------------------------------------------ */

/* The same device is the same file system.  Those that keep several disks get a number of no device,
 * which is one for all that is mounted of them, but who knows: they also name a disk or data set. */
static bool is_same(const struct gput__sys_mount *a, const struct gput__sys_mount *b)
{
    if (a->kind == GPUT__MOUNT_OVERLAY || b->kind == GPUT__MOUNT_OVERLAY)
        return false;
    return a->device == b->device || (((a->device | b->device) >> 32) == 0 &&
                                      !strcmp(a->type, b->type) && !strcmp(a->source, b->source));
}

static void drop(struct gput__sys_mounts *mounts, size_t i)
{
    mounts->n--;
    memmove(&mounts->list[i], &mounts->list[i + 1], (mounts->n - i) * sizeof(*mounts->list));
}

/* What is mounted over another mount hides it. */
static void drop_hidden(struct gput__sys_mounts *mounts, const char *point)
{
    for (size_t i = mounts->n; i-- > 0;)
        if (!strcmp(mounts->list[i].point, point))
            drop(mounts, i);
}

static int add(struct gput__sys_mounts *mounts, const struct gput__sys_mount *m)
{
    for (size_t i = 0; i < mounts->n; i++) {
        struct gput__sys_mount *before = &mounts->list[i];

        if (!is_same(before, m))
            continue;
        if (m->is_whole && !before->is_whole)
            *before = *m;
        return 0;
    }
    if (GPUT__GROW(mounts->list, mounts->cap, mounts->n + 1) < 0)
        return -ENOMEM;
    mounts->list[mounts->n++] = *m;
    return 0;
}

int gput__sys_mounts_choose(char *text, struct gput__sys_mounts *ret)
{
    struct gput__sys_mounts mounts = { 0 };
    struct gput__sys_mount m, root = { 0 };
    int r = 0;

    while (r == 0 && gput__sys_mount_next(&text, &m)) {
        drop_hidden(&mounts, m.point);
        if (!strcmp(m.point, "/"))
            root = m;
        if (m.kind != GPUT__MOUNT_OTHER)
            r = add(&mounts, &m);
    }
    if (r == 0 && mounts.n == 0 && root.point) {
        root.kind = GPUT__MOUNT_DISK;
        r = add(&mounts, &root);
    }
    if (r < 0) {
        free(mounts.list);
        return r;
    }
    *ret = mounts;
    return 0;
}

/* The space of these is in memory: no failing disk delays the answer. */
static bool answers_from_memory(const struct gput__sys_mount *m)
{
    static const char *const types[] = { "ext2", "ext3", "ext4", "xfs", NULL };

    return is_one_of(m->type, types);
}

bool gput__sys_mounts_are_prompt(const struct gput__sys_mounts *mounts)
{
    bool has_root = false;

    for (size_t i = 0; i < mounts->n; i++) {
        const struct gput__sys_mount *m = &mounts->list[i];

        /* nor may the way there lead over others */
        if (!answers_from_memory(m) || strchr(m->point + 1, '/'))
            return false;
        has_root |= !strcmp(m->point, "/");
    }
    return has_root;
}
