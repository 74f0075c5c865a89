/* test_records_sqlite.c - the tracking file as SQLite, and the choice between it and CSV. */
#include "store/records/records.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "fixture.h"
#include "tap.h"

static const struct gput__static_data data = {
    .ram_unit = "megabytes",
    .gpu_ram_unit = "gigabytes",
    .time_unit = "hours",
    .ram_unit_size = 1e6,
    .gpu_ram_unit_size = 1e9,
    .ram_system_capacity = 16e9,
    .gpu_ram_system_capacity = 24.5e9,
    .system_core_count = 8,
    .n_expected_cores = 4,
    .system_gpu_count = 2,
    .n_expected_gpus = 2,
};

static struct fixture f;
static char path[64];

static struct gput__sample sample_at(int64_t seconds)
{
    struct gput__sample s = { .boot_ns = seconds * 1000000000,
                              .real_ns = (1700000000 + seconds) * 1000000000 + 500000000 };

    gput__sample_set(&s, GPUT__MAIN_RAM, 1.5e6);
    gput__sample_set(&s, GPUT__MAIN_N_THREADS, 3);
    gput__sample_set(&s, GPUT__MAIN_CPU, 0.5 * (double)seconds);
    return s;
}

/* The answer to a query, its values with '|' between them and its rows with ';', or the error. */
static const char *ask(const char *file, const char *sql)
{
    static char answer[4096];
    sqlite3 *db;
    sqlite3_stmt *s = NULL;
    size_t n = 0;

    answer[0] = '\0';
    sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, NULL);
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        snprintf(answer, sizeof(answer), "%s", sqlite3_errmsg(db));
    while (s && sqlite3_step(s) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(s); i++)
            n += (size_t)snprintf(answer + n, sizeof(answer) - n, "%s%s",
                                  i   ? "|"
                                  : n ? ";"
                                      : "",
                                  (const char *)sqlite3_column_text(s, i));
    sqlite3_finalize(s);
    sqlite3_close(db);
    return answer;
}

static bool says(const char *sql, const char *want)
{
    const char *answer = ask(path, sql);

    if (strcmp(answer, want))
        printf("# %s: %s\n", sql, answer);
    return !strcmp(answer, want);
}

static bool is_there(const char *name)
{
    char file[64];

    fixture_path(&f, name, file, sizeof(file));
    return access(file, F_OK) == 0;
}

static void begun(struct gput__records *r)
{
    fixture_need(gput__records_open(r, path, true, &data) == 0, "open");
    fixture_need(gput__records_begin(r) == 0, "begin");
}

static int write_one(struct gput__records *r, int64_t second)
{
    struct gput__sample a = sample_at(second - 1), b = sample_at(second);

    return gput__records_write(r, &a, &b);
}

static void formats(void)
{
    struct gput__records r = GPUT__RECORDS_NONE;

    OK(gput__file_format("a/b.csv") == GPUT__FILE_CSV, ".csv");
    OK(gput__file_format("a.csv/b.sqlite") == GPUT__FILE_SQLITE, ".sqlite");
    OK(!gput__file_format("csv") && !gput__file_format("a.csv.gz") && !gput__file_format("") &&
           !gput__file_format("a.db"),
       "nothing else");
    OK(gput__records_open(&r, "x.txt", true, &data) == -EINVAL && !gput__records_is_open(&r),
       "is refused");
    OK(gput__records_open(&r, "/nowhere/x.sqlite", true, &data) == -ENOENT, "no folder");
    OK(gput__records_close(&r) == 0 && gput__records_retry(&r) == 0, "what is not open is closed");
}

static void a_whole_file(void)
{
    struct gput__records r;

    OK(gput__records_open(&r, path, false, &data) == 0 && r.is_new && is_there("t.sqlite"),
       "opened: the file is there");
    OK(gput__records_begin(&r) == 0 && says("SELECT count(*) FROM data", "0"), "begun");
    OK(write_one(&r, 1) == 0 && says("SELECT count(*) FROM data", "1"),
       "a record is there at once");
    OK(write_one(&r, 2) == 0 && says("SELECT count(*) FROM data", "2"), "and the next");
    OK(!gput__records_wait(&r) && gput__records_close(&r) == 0 && gput__records_close(&r) == 0,
       "closed");
    OK(!is_there("t.sqlite-journal") && !is_there("t.sqlite-wal"), "nothing is left beside it");
    OK(says("SELECT * FROM static_data", "megabytes|gigabytes|hours|16000.0|24.5|8|4|2|2"),
       "static data");
    OK(says("SELECT main_ram, main_n_threads, cpu_main_sum_utilization_percent, "
            "cpu_main_hardware_utilization_percent, timestamp FROM data",
            "1.5|3|50.0|12.5|1700000001.5;1.5|3|50.0|12.5|1700000002.5"),
       "records");
    OK(says("SELECT typeof(main_ram), typeof(main_n_threads), typeof(main_gpu_ram) FROM data "
            "LIMIT 1",
            "real|integer|real"),
       "counts are whole numbers, a size that is 0 is none");
    OK(says("PRAGMA integrity_check", "ok") && says("PRAGMA journal_mode", "delete"), "sound");
}

/* The header of the CSV file, which another test knows byte by byte. */
static void the_same_columns_as_csv(void)
{
    const char *names = ask(path, "SELECT group_concat(name, ',') FROM pragma_table_info('data')");
    struct gput__records r;
    char csv[64], text[8192];

    fixture_path(&f, "t.csv", csv, sizeof(csv));
    gput__records_open(&r, csv, true, &data);
    gput__records_begin(&r);
    gput__records_close(&r);
    gput__root_read(&f.root, "t.csv", text, sizeof(text));
    OK(strlen(names) > 500 && strstr(text, names), "the columns are those of a CSV file");
    names = ask(path, "SELECT group_concat(name, ',') FROM pragma_table_info('static_data')");
    OK(!strncmp(text, names, strlen(names)), "those of the static data too");
}

static void an_existing_file(void)
{
    struct gput__records r = GPUT__RECORDS_NONE;
    char link[64], text[16];

    fixture_write(&f, "t.sqlite", "not a database");
    fixture_write(&f, "t.sqlite-journal", "old");
    fixture_path(&f, "link.sqlite", link, sizeof(link));
    fixture_need(symlink("t.sqlite", link) == 0, "symlink");
    OK(gput__records_open(&r, path, false, &data) == -EEXIST, "is not touched");
    OK(gput__records_open(&r, link, true, &data) == 0 && !r.is_new &&
           gput__root_read(&f.root, "t.sqlite", text, sizeof(text)) == 14 &&
           is_there("t.sqlite-journal"),
       "to be replaced: as it was until the run begins");
    OK(gput__records_begin(&r) == 0 && write_one(&r, 1) == 0 &&
           says("SELECT count(*) FROM data", "1"),
       "then replaced, through a link at its target");
    gput__records_close(&r);
    begun(&r);
    OK(says("SELECT count(*) FROM data", "0"), "and a database likewise");
    gput__records_close(&r);
}

static void a_reader(void)
{
    struct gput__records r;
    sqlite3 *db;
    int64_t since;
    int failed = 0;

    begun(&r);
    write_one(&r, 1);
    sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_exec(db, "BEGIN; SELECT * FROM data", NULL, NULL, NULL);
    since = gput__now();
    failed += write_one(&r, 2) < 0;
    OK(!failed && gput__records_wait(&r) && gput__now() - since < 700 * GPUT__NS_PER_MS,
       "while a reader holds the file a record is kept, and nobody waits for long");
    since = gput__now();
    for (int i = 3; i <= 50; i++)
        failed += write_one(&r, i) < 0;
    OK(!failed && gput__now() - since < 700 * GPUT__NS_PER_MS, "nor at all once that is known");
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    OK(gput__records_retry(&r) == 0 && !gput__records_wait(&r) &&
           says("SELECT count(*), min(timestamp), max(timestamp) FROM data",
                "50|1700000001.5|1700000050.5"),
       "then all are there");
    OK(says("SELECT count(*) FROM data a JOIN data b ON b.rowid = a.rowid + 1 "
            "WHERE b.timestamp = a.timestamp + 1",
            "49"),
       "in their order");
    sqlite3_exec(db, "BEGIN; SELECT * FROM data", NULL, NULL, NULL);
    write_one(&r, 51);
    OK(gput__records_close(&r) == -EBUSY, "a reader that stays to the end: the last are lost");
    sqlite3_close(db);
    OK(says("SELECT count(*) FROM data", "50"), "and only they");
}

static void held_for_good(void)
{
    struct gput__records r;
    sqlite3 *db;
    int n = 1, e = 0;

    begun(&r);
    sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_exec(db, "BEGIN; SELECT * FROM data", NULL, NULL, NULL);
    while (e == 0 && n < 20000)
        e = write_one(&r, n++);
    OK(e == -EBUSY && n > 8000, "what waits is bounded: the file is given up");
    sqlite3_close(db);
    gput__records_close(&r);
}

static void no_more_room(void)
{
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        struct rlimit limit = { 20000, 20000 };
        struct gput__records r;
        int e = 0;

        signal(SIGXFSZ, SIG_IGN);
        begun(&r);
        setrlimit(RLIMIT_FSIZE, &limit);
        for (int i = 1; e == 0 && i < 1000; i++)
            e = write_one(&r, i);
        gput__records_close(&r);
        _exit(e == 0);
    }
    waitpid(pid, &status, 0);
    OK(status == 0, "a file that may not grow is told");
    OK(says("PRAGMA integrity_check", "ok") &&
           says("SELECT count(*) > 10 AND count(*) = max(rowid) FROM data", "1"),
       "and what was written before is there");
}

static void removed(void)
{
    struct gput__records r;

    begun(&r);
    write_one(&r, 1);
    fixture_remove(&f, "t.sqlite");
    OK(write_one(&r, 2) == -ENOENT, "a file that is removed is told");
    gput__records_close(&r);
}

/* A child writes until it is killed; the parent counts what it was told of. */
static bool survives_a_kill(volatile int *n_told, int pause_us)
{
    char want[16];
    pid_t pid;

    *n_told = 0;
    pid = fork();
    if (pid == 0) {
        struct gput__records r;

        begun(&r);
        for (int i = 1;; i++) {
            write_one(&r, i);
            *n_told = i;
        }
    }
    while (*n_told == 0)
        usleep(100);
    usleep((useconds_t)pause_us);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    snprintf(want, sizeof(want), "%d", *n_told);
    if (says("SELECT max(rowid) FROM data", want))
        return says("PRAGMA integrity_check", "ok");
    snprintf(want, sizeof(want), "%d", *n_told + 1); /* committed, and killed before it said so */
    return says("SELECT max(rowid) FROM data", want) && says("PRAGMA integrity_check", "ok");
}

static void kills(void)
{
    volatile int *n_told =
        mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int n = 0;

    for (int i = 0; i < 60; i++)
        n += survives_a_kill(n_told, (i * 7919) % 3000);
    OK(n == 60, "killed at any moment: every record that was written is there (%d of 60)", n);
}

int main(void)
{
    fixture_begin(&f);
    fixture_path(&f, "t.sqlite", path, sizeof(path));
    formats();
    a_whole_file();
    the_same_columns_as_csv();
    an_existing_file();
    a_reader();
    held_for_good();
    no_more_room();
    removed();
    kills();
    fixture_end(&f);
    return DONE();
}
