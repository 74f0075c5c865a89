/* marks_fixture.h - sub-tracking files in a folder of their own, for the tests of marks. */
#ifndef MARKS_FIXTURE_H
#define MARKS_FIXTURE_H

#include <fcntl.h>
#include <sys/wait.h>

#include "fixture.h"
#include "store/marks/marks.h"

static struct fixture f;
static const char *const formats[] = { "m.csv", "m.sqlite" };

static inline const char *path_of(const char *name)
{
    static char path[128];

    fixture_path(&f, name, path, sizeof(path));
    return path;
}

static inline bool is_local(int fd)
{
    (void)fd;
    return false;
}

static inline int open_marks(const char *name, uint32_t flags, struct gput_marks **ret)
{
    struct gput_error e = { .text = "" };
    int r = gput__marks_open(path_of(name), flags, is_local, ret, &e);

    if (r < 0 && !e.text[0])
        printf("# no reason told for %d\n", r);
    return r;
}

static inline struct gput_marks *opened(const char *name, uint32_t flags)
{
    struct gput_marks *m = NULL;

    fixture_need(open_marks(name, flags, &m) == 0, "open_marks");
    return m;
}

static inline bool holds(const char *name, const char *want)
{
    char text[8192];
    ssize_t n = gput__root_read(&f.root, name, text, sizeof(text));

    if (n != (ssize_t)strlen(want) || strcmp(text, want)) {
        printf("# %zd bytes: %s\n", n, text);
        return false;
    }
    return true;
}

/* How many marks a file holds. */
static inline int64_t count(const char *name)
{
    const char *path = path_of(name);
    int64_t n = -1;

    if (gput__file_format(name) == GPUT__FILE_CSV) {
        char line[16384];
        FILE *file = fopen(path, "r");

        while (file && fgets(line, sizeof(line), file))
            n += line[0] != '\n';
        fclose(file);
    } else {
        sqlite3 *db;
        sqlite3_stmt *s;

        sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
        sqlite3_prepare_v2(db, "SELECT count(*) FROM data", -1, &s, NULL);
        if (s && sqlite3_step(s) == SQLITE_ROW)
            n = sqlite3_column_int64(s, 0);
        sqlite3_finalize(s);
        sqlite3_close(db);
    }
    return n;
}

/* Files from before this job. */
static inline void make_old(const char *name)
{
    struct timespec long_ago[2] = { { 1000000000, 0 }, { 1000000000, 0 } };

    fixture_need(utimensat(AT_FDCWD, path_of(name), long_ago, 0) == 0, "utimensat");
}

static inline void mark_twice(struct gput_marks *m)
{
    fixture_need(gput_block_begin(m, "block") == 0 && gput_block_end(m, "block") == 0, "mark");
}

static inline int ended(pid_t pid)
{
    int status = -1;

    waitpid(pid, &status, 0);
    return status;
}

#endif
