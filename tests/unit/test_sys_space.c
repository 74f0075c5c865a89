/* test_sys_space.c - how full file systems are, and what of it counts. */
#include "source/machine/sys_space.h"

#include <errno.h>
#include <string.h>

#include "tap.h"

static struct statvfs told;
static int error;

static int tell(const char *path, struct statvfs *ret)
{
    (void)path;
    *ret = told;
    errno = error;
    return error ? -1 : 0;
}

static int read_as(struct statvfs v, struct gput__sys_space *ret)
{
    told = v;
    return gput__sys_space_read(tell, "/x", ret);
}

static void one(void)
{
    struct gput__sys_space s = { 77, 78, 79 };
    struct statvfs v = {
        .f_bsize = 65536, .f_frsize = 4096, .f_blocks = 100, .f_bfree = 40, .f_bavail = 35
    };

    OK(read_as(v, &s) == 0 && s.total == 409600 && s.used == 245760 && s.free == 143360,
       "as df: what is reserved for root is neither used nor free");
    v.f_frsize = 0;
    OK(read_as(v, &s) == 0 && s.total == 6553600, "some tell one size of blocks only");
    v.f_bavail = (fsblkcnt_t)-3;
    OK(read_as(v, &s) == 0 && s.free == 0, "less than nothing free is nothing");
    s = (struct gput__sys_space){ 77, 78, 79 };
    v.f_bfree = 101;
    OK(read_as(v, &s) == -ENODATA, "more free than there is, is no answer");
    v.f_bfree = v.f_blocks = 0;
    OK(read_as(v, &s) == -ENODATA, "no blocks: it keeps no files");
    v.f_blocks = UINT64_MAX / 2;
    OK(read_as(v, &s) == -ENODATA, "more than can be counted");
    error = EACCES;
    OK(read_as(v, &s) == -EACCES && s.total == 77 && s.used == 78 && s.free == 79,
       "an error is handed on, and ret left alone");
    error = 0;
}

static struct gput__sys_mount disk(char *point)
{
    return (struct gput__sys_mount){ .point = point, .kind = GPUT__MOUNT_DISK, .is_whole = true };
}

static struct gput__sys_mount data_set(char *source)
{
    return (struct gput__sys_mount){ .source = source, .kind = GPUT__MOUNT_POOL };
}

static void pools(void)
{
    char ab[] = "tank", cd[] = "tank/a", ef[] = "tankard/a", gh[] = "tank/small";
    struct gput__sys_mount list[] = { data_set(ab), data_set(ef), data_set(cd), data_set(gh) };
    struct gput__sys_mounts mounts = { .list = list, .n = 4 };
    struct gput__sys_space spaces[] = {
        { 110, 10, 100 }, { 7, 3, 4 }, { 120, 20, 100 }, { 6, 5, 1 }
    };
    bool answered[] = { true, true, true, true };
    struct gput__sys_volume v[4];

    OK(gput__sys_volumes(&mounts, spaces, answered, v) == 2, "two pools");
    OK(v[0].is_pool && !strcmp(v[0].name, "tank") && v[0].space.used == 35 &&
           v[0].space.free == 100 && v[0].space.total == 135,
       "what data sets use adds up, what is free is free once; a quota takes nothing off it");
    OK(!strcmp(v[1].name, "tankard/a") && v[1].space.total == 7,
       "a pool's name is all that stands before the stroke");
}

static void overlays(void)
{
    char root[] = "/", hosts[] = "/etc/hosts", data[] = "/data";
    struct gput__sys_mount list[] = { { .point = root, .kind = GPUT__MOUNT_OVERLAY },
                                      disk(hosts),
                                      disk(data) };
    struct gput__sys_mounts mounts = { .list = list, .n = 3 };
    struct gput__sys_space spaces[] = { { 1000000, 2, 1 }, { 1000100, 2, 1 }, { 500, 100, 400 } };
    bool answered[] = { true, true, true };
    struct gput__sys_volume v[3];

    OK(gput__sys_volumes(&mounts, spaces, answered, v) == 2 && !strcmp(v[0].name, "/etc/hosts") &&
           !strcmp(v[1].name, "/data"),
       "an overlay as large as a file system is on it");
    list[1].is_whole = false;
    OK(gput__sys_volumes(&mounts, spaces, answered, v) == 2 && !strcmp(v[0].name, "/") &&
           v[0].space.total == 1000100,
       "of which only a part is mounted: the overlay gives it its name");
    answered[1] = false;
    OK(gput__sys_volumes(&mounts, spaces, answered, v) == 2 && !strcmp(v[0].name, "/data") &&
           !strcmp(v[1].name, "/") && v[1].space.total == 1000000,
       "one that did not answer is left out; then the overlay itself counts");
    answered[0] = answered[2] = false;
    OK(gput__sys_volumes(&mounts, spaces, answered, v) == 0, "no answers, no volumes");
}

int main(void)
{
    one();
    pools();
    overlays();
    return DONE();
}
