/* memory_file.h - an input as a file that has a name. */
#ifndef FUZZ_MEMORY_FILE_H
#define FUZZ_MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "text.h"

struct fuzz_memory_file {
    int fd;
    char path[32];
};

/* In memory alone; close() its descriptor. */
static inline struct fuzz_memory_file fuzz_memory_file(const uint8_t *data, size_t size)
{
    struct fuzz_memory_file f = { .fd = memfd_create("fuzz", MFD_CLOEXEC) };

    fuzz_must(f.fd >= 0 && (!size || write(f.fd, data, size) == (ssize_t)size) &&
              lseek(f.fd, 0, SEEK_SET) == 0);
    snprintf(f.path, sizeof(f.path), "/proc/self/fd/%d", f.fd);
    return f;
}

#endif
