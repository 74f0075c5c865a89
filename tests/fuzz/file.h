/* file.h - an input as an open CSV file; NULL: it begins as gzip and is none. */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "store/files/table.h"

static inline struct gput__table *fuzz_table(const uint8_t *data, size_t size)
{
    struct gput__table *table = NULL;
    struct gput__input in;
    int fd = memfd_create("fuzz", MFD_CLOEXEC);

    if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size) || lseek(fd, 0, SEEK_SET) < 0)
        abort();
    if (gput__input_open_fd(fd, &in) < 0 || gput__table_open_csv(&in, &table) < 0)
        return NULL;
    table->path = strdup("fuzz.csv");
    if (!table->path)
        abort();
    return table;
}

#endif
