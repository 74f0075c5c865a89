/* test_table.c - rows of CSV files as Python's csv module writes them, and of SQLite files. */
#include "store/files/table.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "base/text/text.h"
#include "fixture.h"
#include "store/marks/sub_tracking_file.h"
#include "tap.h"

static struct fixture f;
static int n_warnings;
static char warning[600];

static void warn(void *ctx, const char *line)
{
    (void)ctx;
    n_warnings++;
    snprintf(warning, sizeof(warning), "%s", line);
}

static const struct gput_callbacks on = { .warn = warn };
static const char *const names[] = { "text", "number", "further", "last" };
static const struct gput__columns columns = { names, 2, 2, 0, false };

static struct gput__table *open_text(const char *text, struct gput_error *err)
{
    struct gput__table *t = NULL;
    char path[64];

    n_warnings = 0;
    fixture_path(&f, "t.csv", path, sizeof(path));
    fixture_write(&f, "t.csv", text);
    fixture_need(gput__table_open(path, &on, &t, err) == 0, err->text);
    return t;
}

/* The texts and numbers of all rows as "text=number;", or the message without the path. */
static const char *rows_of(const char *csv)
{
    static char shown[4096];
    struct gput_error err = { .field = "" };
    struct gput__table *t = open_text(csv, &err);
    size_t used = 0;
    int r = gput__table_begin(t, "any", &columns, &err);

    shown[0] = '\0';
    while (r > 0 && (r = gput__table_next(t, &err)) > 0) {
        const char *text;
        double number;
        size_t len;

        if (gput__table_text(t, 0, &text, &len, &err) < 0 ||
            gput__table_number(t, 1, &number, &err) < 0)
            r = -EBADMSG;
        else
            used += (size_t)snprintf(shown + used, sizeof(shown) - used, "%s=%g;", text, number);
    }
    if (r < 0)
        snprintf(shown, sizeof(shown), "%s", strchr(err.text, ':') + 2);
    gput__table_close(t);
    return shown;
}

static int gives(const char *csv, const char *want)
{
    const char *got = rows_of(csv);

    if (strcmp(got, want) == 0)
        return 1;
    printf("# got: %s\n", got);
    return 0;
}

static void layouts(void)
{
    OK(gives("text,number\r\na,1\r\nb,2\r\n", "a=1;b=2;"), "CR LF");
    OK(gives("text,number\na,1\nb,2\n", "a=1;b=2;") && n_warnings == 0, "LF");
    OK(gives("number,text\n1,a\n", "a=1;"), "columns in any order");
    OK(gives("\xEF\xBB\xBFtext,number\na,1\n", "a=1;"), "a byte order mark");
    OK(gives("\n\r\ntext,number\n\n\na,1\n\n", "a=1;"), "empty lines");
    OK(gives("\"text\",\"number\"\n\"a\",\"1.5\"\n", "a=1.5;"), "all in quotes");
    OK(gives("text,number\n\"a, \"\"b\"\"\nc\r\nd\",1\n", "a, \"b\"\nc\r\nd=1;"),
       "quotes, commas and newlines within quotes");
    OK(gives("text,number\n\"\",1\n,2\n\"\"\"\",3\n", "=1;=2;\"=3;"), "empty texts, a lone quote");
    OK(gives("text,number\na\"b\"c,1\n\"a\"b,2\n", "a\"b\"c=1;ab=2;"),
       "quotes in the middle, text behind quotes: as Python reads them");
    OK(gives("text,number\n a ,1\n", " a =1;"), "blanks belong to the text");
}

static void unfinished(void)
{
    OK(gives("text,number\na,1\nb,2", "a=1;") && n_warnings == 1 &&
           strstr(warning, "t.csv: line 3: the last line is unfinished and was left out"),
       "the last line without its end is left out: one warning");
    OK(gives("text,number\na,1\n\"b\n,2\n", "a=1;") && n_warnings == 1,
       "a text without its end too");
    OK(gives("text,number\n", "") && n_warnings == 0, "no rows");
    OK(gives("", "") && gives("text,num", "") && n_warnings == 1, "no header");
}

static void quotes_not_closed(void)
{
    static char large[300000];
    size_t used = (size_t)sprintf(large, "text,number,further,last\na,1,,\n\"b,2,,\n");

    OK(gives("text,number,further,last\na,1,,\n\"b,2,,\nc,3,4,5\n",
             "line 3: a quote is not closed"),
       "a quote that takes in a row");
    OK(gives("text,number,further,last\r\n\"b,2,,\r\nc,3,4,5\r\n", "line 2: a quote is not closed"),
       "with CR LF");
    OK(gives("\"text,number,further,last\nc,3,4,5\n", "line 1: a quote is not closed"),
       "in the header");
    OK(gives("text,number,further,last\na,1,,\n\"b\nc,d,5,6\n1,2\n,,,\nc,3,4,5", "a=1;") &&
           n_warnings == 1 && strstr(warning, "t.csv: line 3: "),
       "a name that is being written, with lines that are no rows");
    OK(gives("text,number,further,last\na,1,,\n\"b,2,,\nc,3,4,5\n\"d e\",3,4,5\n",
             "line 3: a quote is not closed"),
       "one that the quote of another row closes");
    OK(gives("text,number\n\"a\nb\"\r\n", "line 2: 1 value instead of 2"),
       "a closed one at the end of its line");
    while (used < sizeof(large) - 100)
        used += (size_t)sprintf(large + used, "c,3,4,5\n");
    OK(gives(large, "line 3: a quote is not closed"), "a file larger than a piece");
}

static void faults(void)
{
    OK(gives("text,number\na,1\nb,x\n", "line 3: number: 'x' is not a number"), "a word");
    OK(gives("text,number\na,1\nb,\n", "line 3: number is empty"), "nothing");
    OK(gives("text,number\na,1e999\n", "line 2: number: '1e999' is not a number"), "too large");
    OK(gives("text,number\na,nan\n", "line 2: number: 'nan' is not a number"), "nan");
    OK(gives("text,number\na, 1\n", "line 2: number: ' 1' is not a number"), "a blank");
    OK(gives("text,number\n\"a\nb\",1\nb\n", "line 4: 1 value instead of 2"), "too few");
    OK(gives("text,number\na,1,2\n", "line 2: 3 values instead of 2"), "too many");
    OK(gives("text\n", "line 1: column 'number' is missing"), "a column is missing");
    OK(gives("text,number,text\n", "line 1: column 'text' is there twice"), "twice");
    OK(gives("text,number,x\ny\n", "line 1: unknown column 'x'"), "unknown");
    OK(gives("text,number,further\n", "line 1: column 'last' is missing"),
       "half of the further ones");
    OK(gives("text,number,further,last\na,1,,\n", "a=1;"), "all of them");
}

static void wrong_files(void)
{
    struct gput__table *t = NULL;
    struct gput_error err = { .field = "" };

    OK(gput__table_open("/tmp/x.txt", NULL, &t, &err) == -EINVAL && !t, "another extension");
    OK(gput__table_open(".csv", NULL, &t, &err) == -EINVAL, "an extension is no name");
    OK(gput__table_open("/nowhere/x.csv", NULL, &t, &err) == -ENOENT && !t &&
           strcmp(err.text, "/nowhere/x.csv: No such file or directory") == 0,
       "no such file");
    fixture_write(&f, "folder.csv/x", "");
    {
        char path[64];

        fixture_path(&f, "folder.csv", path, sizeof(path));
        OK(gput__table_open(path, NULL, &t, &err) == -EISDIR, "a folder");
    }
}

/* Rows that cross the pieces in which the file is read, and a text that is longer than one. */
static void long_files(void)
{
    size_t n = 300000, used = 0;
    char *text = malloc(n * 12 + 700000);
    struct gput_error err = { .field = "" };
    struct gput__table *t;
    double row[2], sum = 0;
    static const char *const numbers[] = { "a", "b" };
    static const struct gput__columns two = { numbers, 2, 0, 0, false };
    size_t count = 0;

    used = (size_t)sprintf(text, "a,b\n");
    for (size_t i = 0; i < n; i++)
        used += (size_t)sprintf(text + used, "%zu,0.5\r\n", i % 1000);
    t = open_text(text, &err);
    gput__table_begin(t, "any", &two, &err);
    while (gput__table_next_numbers(t, row, &err) > 0) {
        sum += row[0] + row[1];
        count++;
    }
    OK(count == n && sum == 0.5 * (double)n + 499.5 * (double)n, "%zu rows of numbers", count);
    gput__table_close(t);
    strcpy(text, "text,number\n\"");
    memset(text + 13, 'x', 600000);
    strcpy(text + 600013, "\",7\n");
    OK(strlen(rows_of(text)) == 4095, "a text of 600 kB");
    free(text);
}

static void write_row(sqlite3_stmt *s, int64_t id, const char *text, double number)
{
    sqlite3_bind_int64(s, 1, id);
    sqlite3_bind_text(s, 2, text, -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(s, 3, number);
    fixture_need(sqlite3_step(s) == SQLITE_DONE, "sqlite3_step");
    sqlite3_reset(s);
}

/* More rows than one portion, rowids with gaps and below zero, in the order of rowids. */
static void databases(void)
{
    struct gput_error err = { .field = "" };
    struct gput__table *t = NULL;
    sqlite3 *db;
    sqlite3_stmt *s;
    char path[64];
    const char *text;
    double number, last = -INFINITY;
    size_t len, n = 0, n_right = 0;

    fixture_path(&f, "t.sqlite", path, sizeof(path));
    sqlite3_open(path, &db);
    sqlite3_exec(db, "CREATE TABLE \"any\" (number FLOAT, text VARCHAR); BEGIN", NULL, NULL, NULL);
    sqlite3_prepare_v2(db, "INSERT INTO \"any\" (rowid, text, number) VALUES (?1, ?2, ?3)", -1, &s,
                       NULL);
    for (int i = 0; i < 50000; i++)
        write_row(s, 3 * (int64_t)i - 60000, "it's", i);
    sqlite3_finalize(s);
    sqlite3_exec(db, "COMMIT; INSERT INTO \"any\" VALUES ('word', 'x')", NULL, NULL, NULL);
    sqlite3_close(db);
    fixture_need(gput__table_open(path, &on, &t, &err) == 0, err.text);
    OK(gput__table_begin(t, "none", &columns, &err) < 0 && strstr(err.text, "no such table: none"),
       "no such table: %s", err.text);
    OK(gput__table_begin(t, "any", &columns, &err) == 1, "a table");
    while (gput__table_next(t, &err) > 0 && gput__table_text(t, 0, &text, &len, &err) == 0 &&
           gput__table_number(t, 1, &number, &err) == 0) {
        n_right += strcmp(text, "it's") == 0 && len == 4 && number > last;
        last = number;
        n++;
    }
    OK(n == 50000 && n_right == n, "%zu rows in the order in which they were written", n);
    OK(strstr(err.text, "t.sqlite: table any, row 89998: number: 'word' is not a number"),
       "a word: %s", err.text);
    gput__table_close(t);
}

/* Columns of a database may hold anything, whatever they are called. */
static void cells_of_other_types(void)
{
    static const struct {
        const char *values, *want;
    } cases[] = {
        { "1.5, 7", "row 1: text: 7.0 is not text" },
        { "1.5, NULL", "row 1: text is empty" },
        { "1.5, x'610062'", "row 1: text holds a NUL byte" },
        { "1.5, CAST(x'610062' AS TEXT)", "row 1: text holds a NUL byte" },
        { "1e999, 'a'", "row 1: number: inf is not a number" },
        { "x'00', 'a'", "row 1: number: " },
    };
    char path[64], sql[200];

    fixture_path(&f, "types.sqlite", path, sizeof(path));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct gput_error err = { .field = "" };
        struct gput__table *t = NULL;
        const char *text;
        double number;
        size_t len;
        sqlite3 *db;

        unlink(path);
        sqlite3_open(path, &db);
        snprintf(sql, sizeof(sql),
                 "CREATE TABLE \"any\" (number, text); INSERT INTO \"any\" VALUES (%s)",
                 cases[i].values);
        fixture_need(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
        sqlite3_close(db);
        fixture_need(gput__table_open(path, &on, &t, &err) == 0, err.text);
        OK(gput__table_begin(t, "any", &columns, &err) == 1 && gput__table_next(t, &err) == 1 &&
               (gput__table_text(t, 0, &text, &len, &err) < 0 ||
                gput__table_number(t, 1, &number, &err) < 0) &&
               strstr(err.text, cases[i].want),
           "%s: %s", cases[i].values, err.text);
        gput__table_close(t);
    }
}

static void shown_texts(void)
{
    char text[12];

    OK(!strcmp(gput__text_shown("a\nb", 3, text, sizeof(text)), "a?b"), "on one line");
    OK(!strcmp(gput__text_shown("0123456789ab", 12, text, sizeof(text)), "01234567..."), "cut");
    OK(!strcmp(gput__text_shown("0123456\xC3\xA9ssss", 13, text, sizeof(text)), "0123456..."),
       "not within a character");
}

int main(void)
{
    fixture_begin(&f);
    layouts();
    unfinished();
    quotes_not_closed();
    faults();
    wrong_files();
    long_files();
    databases();
    cells_of_other_types();
    shown_texts();
    fixture_end(&f);
    return DONE();
}
