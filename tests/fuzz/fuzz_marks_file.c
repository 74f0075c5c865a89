/* fuzz_marks_file.c - a sub-tracking file that is there already: joined, continued, read.
 *
 * The first byte of the input decides how it is opened, and whether it is SQLite. */
#include <stdio.h>
#include <unistd.h>

#include "fuzz.h"
#include "store/marks/marks.h"
#include "store/marks/sub_tracking_file.h"
#include "text.h"

static bool is_local(int fd)
{
    (void)fd;
    return false;
}

/* -1: there is a fault in it. */
static int count_marks(const char *path)
{
    struct gput__sub_tracking_file file;
    struct gput__names names = { 0 };
    struct gput_error err = { .field = "" };
    struct gput__read_mark mark;
    int n = 0, r = gput__sub_tracking_file_open(&file, path, NULL, &err);

    while (r >= 0 && (r = gput__sub_tracking_file_next(&file, &names, &mark, &err)) > 0)
        n++;
    fuzz_must(r == 0 || err.text[0]);
    gput__sub_tracking_file_close(&file);
    gput__names_free(&names);
    return r < 0 ? -1 : n;
}

static void write_file(int fd, const uint8_t *data, size_t size)
{
    fuzz_must(fd >= 0 && (!size || write(fd, data, size) == (ssize_t)size));
    close(fd);
}

/* What was read without a fault before is read with one mark more. */
static void try(const char *path, uint32_t flags, bool is_checked)
{
    const struct gput_mark mark = { .process_id = 7, .name = "fuzz, \"block\"" };
    struct gput_error err = { .field = "" };
    struct gput_marks *m = NULL;
    int before = count_marks(path), r = gput__marks_open(path, flags, is_local, &m, &err);

    if (r < 0) {
        fuzz_must(!m && err.text[0]);
        return;
    }
    r = gput__marks_add(m, &mark);
    if (gput__marks_close(m) < 0)
        r = -1;
    if (r == 0 && before >= 0 && is_checked)
        fuzz_must(count_marks(path) == (flags & GPUT_MARKS_OVERWRITE ? 1 : before + 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t flags[] = { GPUT_MARKS_APPEND, GPUT_MARKS_APPEND | GPUT_MARKS_EXACT,
                                      GPUT_MARKS_OVERWRITE };
    char csv[] = "/dev/shm/gput-fuzz.XXXXXX.csv", sqlite[] = "/dev/shm/gput-fuzz.XXXXXX.sqlite";
    char journal[64];
    bool is_sqlite;
    char *path;

    if (size < 1)
        return 0;
    is_sqlite = data[0] & 4;
    path = is_sqlite ? sqlite : csv;
    write_file(mkstemps(path, is_sqlite ? 7 : 4), data + 1, size - 1);
    /* A name that never ends takes what follows along, whatever is done. */
    try(path, flags[data[0] % 4 % 3], !memchr(data + 1, '"', size - 1));
    unlink(path);
    for (size_t i = 0; i < 3; i++) {
        snprintf(journal, sizeof(journal), "%s%s", path,
                 (const char *[]){ "-journal", "-wal", "-shm" }[i]);
        unlink(journal);
    }
    return 0;
}
