/* combined_file.c - writes a new sub-tracking file as a whole. */
#include "store/marks/combined_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text/dtoa.h"
#include "base/text/text.h"
#include "store/files/unsafe_path.h"
#include "store/files/whole_file.h"

/* Types as the Python tool declares them. */
#define CREATE                                                                                     \
    "CREATE TABLE data (process_id INTEGER, code_block_name VARCHAR, position INTEGER, "           \
    "timestamp FLOAT"
#define CREATE_EXACT ", cpu_seconds FLOAT, peak_rss_bytes INTEGER"

static int write_header(struct gput__combined_file *f)
{
    unsigned n = gput__mark_columns.n_needed + (f->has_exact ? gput__mark_columns.n_further : 0);

    for (unsigned i = 0; i < n; i++)
        fprintf(f->csv, "%s%s", i ? "," : "", gput__mark_columns.names[i]);
    return fputs("\r\n", f->csv) < 0 ? -errno : 0;
}

static int begin_table(struct gput__combined_file *f, int fd)
{
    char *real = NULL;
    int r = gput__real_name(fd, f->aside, &real);

    close(fd);
    f->db.patience_ns = 0; /* nobody else knows of the file */
    if (r == 0)
        r = gput__db_open(&f->db, real);
    free(real);
    r = r < 0 ? r : gput__db_exec(&f->db, f->has_exact ? CREATE CREATE_EXACT ")" : CREATE ")");
    r = r < 0 ? r : gput__db_begin(&f->db);
    return r < 0 ? r
                 : gput__db_prepare(&f->db,
                                    f->has_exact ? "INSERT INTO data VALUES (?,?,?,?,?,?)"
                                                 : "INSERT INTO data VALUES (?,?,?,?)",
                                    &f->insert);
}

int gput__combined_file_open(struct gput__combined_file *f, const char *path, bool has_exact)
{
    int fd;

    *f = (struct gput__combined_file){ .has_exact = has_exact, .path = strdup(path) };
    if (access(path, F_OK) == 0)
        return -EEXIST;
    if (!f->path)
        return -ENOMEM;
    fd = gput__create_aside(path, gput__path_ends_in(path, ".csv") ? ".csv" : ".sqlite", &f->aside);
    if (fd < 0)
        return fd;
    if (!gput__path_ends_in(path, ".csv")) {
        return begin_table(f, fd);
    }
    f->csv = fdopen(fd, "w");
    if (!f->csv) {
        close(fd);
        return -ENOMEM;
    }
    return write_header(f);
}

/* Quoted where Python's csv quotes. */
static void write_name(FILE *csv, const struct gput__name *name)
{
    const char *guard = gput__text_is_formula(name->text, name->len) ? "'" : "";

    if (!strpbrk(name->text, ",\"\r\n")) {
        fprintf(csv, "%s%s", guard, name->text);
        return;
    }
    fprintf(csv, "\"%s", guard);
    for (const char *p = name->text; *p; p++) {
        if (*p == '"')
            putc('"', csv);
        putc(*p, csv);
    }
    putc('"', csv);
}

static int add_line(struct gput__combined_file *f, const struct gput__read_mark *mark,
                    const struct gput__name *name)
{
    char text[32];

    fprintf(f->csv, "%lld,", (long long)mark->process_id);
    write_name(f->csv, name);
    gput__dtoa(mark->timestamp, text);
    fprintf(f->csv, ",%d,%s", mark->is_stop, text);
    if (f->has_exact && isfinite(mark->cpu_seconds)) {
        gput__dtoa(mark->cpu_seconds, text);
        fprintf(f->csv, ",%s,", text);
    } else if (f->has_exact) {
        fputs(",,", f->csv);
    }
    if (f->has_exact && isfinite(mark->peak_rss_bytes))
        fprintf(f->csv, "%.0f", mark->peak_rss_bytes);
    fputs("\r\n", f->csv);
    return ferror(f->csv) ? -EIO : 0;
}

static int add_row(struct gput__combined_file *f, const struct gput__read_mark *mark,
                   const struct gput__name *name)
{
    sqlite3_bind_int64(f->insert, 1, mark->process_id);
    sqlite3_bind_text64(f->insert, 2, name->text, name->len, SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_bind_int(f->insert, 3, mark->is_stop);
    sqlite3_bind_double(f->insert, 4, mark->timestamp);
    if (f->has_exact) { /* what is not known is NULL, as SQLite makes of NAN */
        sqlite3_bind_double(f->insert, 5, mark->cpu_seconds);
        sqlite3_bind_double(f->insert, 6, mark->peak_rss_bytes);
    }
    return gput__db_run(&f->db, f->insert);
}

int gput__combined_file_add(struct gput__combined_file *f, const struct gput__read_mark *mark,
                            const struct gput__name *name)
{
    return f->csv ? add_line(f, mark, name) : add_row(f, mark, name);
}

static int end_csv(struct gput__combined_file *f)
{
    int r = fflush(f->csv) < 0 ? -errno : 0;

    if (fclose(f->csv) < 0 && r == 0)
        r = -errno;
    f->csv = NULL;
    return r;
}

static int end_table(struct gput__combined_file *f)
{
    int r = gput__db_commit(&f->db);

    sqlite3_finalize(f->insert);
    f->insert = NULL;
    gput__db_close(&f->db);
    return r;
}

int gput__combined_file_finish(struct gput__combined_file *f)
{
    int r = f->csv ? end_csv(f) : end_table(f);

    if (r < 0)
        return r;
    /* Not over a file that has come meanwhile; where there are no hard links, by a look before. */
    if (link(f->aside, f->path) == 0)
        return 0; /* the other name goes at close */
    if (errno == EEXIST || access(f->path, F_OK) == 0)
        return -EEXIST;
    if (rename(f->aside, f->path) < 0)
        return -errno;
    free(f->aside);
    f->aside = NULL;
    return 0;
}

void gput__combined_file_close(struct gput__combined_file *f)
{
    if (f->csv)
        fclose(f->csv);
    if (f->db.db)
        gput__db_rollback(&f->db);
    sqlite3_finalize(f->insert);
    gput__db_close(&f->db);
    if (f->aside)
        unlink(f->aside);
    free(f->aside);
    free(f->path);
    *f = (struct gput__combined_file){ .csv = NULL };
}
