/* hang_statvfs.c - for LD_PRELOAD: a file system that never answers. */
#include <sys/statvfs.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

/* By both of its names: the C library declares only one of them. */
SHOWN int hang(const char *path, struct statvfs *ret) __asm__("statvfs");
SHOWN int hang_too(const char *path, struct statvfs *ret) __asm__("statvfs64");

int hang(const char *path, struct statvfs *ret)
{
    (void)path, (void)ret;
    for (;;)
        pause();
}

int hang_too(const char *path, struct statvfs *ret)
{
    return hang(path, ret);
}
