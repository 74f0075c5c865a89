/* test_catalogue.c - the reader of a catalogue of servers. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "servers/catalogue.h"
#include "servers/catalogue_embedded.h"
#include "tap.h"

#define HEAD GPUT__CATALOGUE_HEADER "\n"
#define ROW "aws,m7i.large,2,8192,0,,0,us-east-1,0.1008,here,2026-07-06\n"

static int parse(const char *text, struct gput_catalogue **ret, struct gput_error *err)
{
    return gput__catalogue_parse(text, strlen(text), "x.csv", ret, err);
}

static void a_row_is_taken_as_it_stands(void)
{
    static const char text[] =
        HEAD ROW "gcp,\"a2,\"\"x\"\"\",12,87040,0.125,A100 \"40\",5120,,,there,\r\n\n"
                 "azure,last,1,1,2,T4,32768,eastus,1e-3,here,2020-12-31";
    struct gput_catalogue *c = NULL;
    struct gput_error err = { .text = "" };

    if (!OK(parse(text, &c, &err) == 0 && c->n == 3, "three rows are read: %s", err.text))
        return;
    OK(strcmp(c->list[0].type, "m7i.large") == 0 && c->list[0].vcpus == 2 &&
           c->list[0].memory_mib == 8192 && c->list[0].gpus == 0 && c->list[0].usd_hour == 0.1008 &&
           strcmp(c->list[0].as_of, "2026-07-06") == 0,
       "the fields of a plain row");
    OK(strcmp(c->list[1].type, "a2,\"x\"") == 0 && c->list[1].gpus == 0.125 &&
           strcmp(c->list[1].gpu_model, "A100 \"40\"") == 0 && isnan(c->list[1].usd_hour),
       "quotes, a part of a GPU, no price, a line that ends in CR LF");
    OK(c->list[2].vram_mib == 32768 && c->list[2].usd_hour == 0.001, "a last line without its end");
    OK(c->list[0].source == c->list[2].source, "equal texts are kept once");
    OK(strcmp(c->origin, "x.csv") == 0, "where it is from");
    gput__catalogue_free(c);
}

static void pieces_of_any_size_give_the_same(void)
{
    static const char text[] = HEAD ROW "gcp,a,1,2,0,,0,r,1,s,2020-01-01\n";
    struct gput__catalogue_reader r;
    struct gput_error err;
    int good = 0;

    for (size_t size = 1; size < sizeof(text); size++) {
        struct gput_catalogue *c = NULL;
        int result = gput__catalogue_begin(&r, "x", &err);

        for (size_t at = 0; at < sizeof(text) - 1 && result == 0; at += size)
            result = gput__catalogue_feed(&r, text + at,
                                          at + size < sizeof(text) ? size : sizeof(text) - 1 - at);
        good += gput__catalogue_end(&r, result, &c) == 0 && c->n == 2;
        gput__catalogue_free(c);
    }
    OK(good == (int)sizeof(text) - 1, "pieces of 1 to %d bytes", good);
}

static void faults_are_told_with_their_line(void)
{
    static const struct {
        const char *text, *said;
    } cases[] = {
        { "", "line 1: not a catalogue: the first line must be vendor," },
        { "vendor,type\n" ROW, "line 1: not a catalogue" },
        { HEAD, "line 2: there is no server in it" },
        { HEAD "\n" ROW ROW, "line 4: aws m7i.large is there twice in region 'us-east-1'" },
        { HEAD ROW "aws,b,2\n", "line 3: there must be 11 fields, and there are 3" },
        { HEAD "a,b,1,1,0,,0,r,1,s,2020-01-01,\n", "line 2: there must be 11 fields" },
        { HEAD "a,\"b,1,1,0,,0,r,1,s,2020-01-01\n", "line 2: a quote is not closed" },
        { HEAD "a,\"b\"c,1,1,0,,0,r,1,s,2020-01-01\n", "line 2: a quote is not closed" },
        { HEAD "a,b,0,1,0,,0,r,1,s,2020-01-01\n", "line 2: vcpus: '0' is not a whole number" },
        { HEAD "a,b,1.5,1,0,,0,r,1,s,2020-01-01\n", "vcpus: '1.5' is not a whole number" },
        { HEAD "a,b,1,0,0,,0,r,1,s,2020-01-01\n", "mem_mib: '0' is not a whole number" },
        { HEAD "a,b,1,,0,,0,r,1,s,2020-01-01\n", "mem_mib: '' is not" },
        { HEAD "a,b,1,1,-1,,0,r,1,s,2020-01-01\n", "gpus: '-1' is not a number" },
        { HEAD "a,b,1,1,nan,,0,r,1,s,2020-01-01\n", "gpus: 'nan' is not a number" },
        { HEAD "a,b,1,1,1,T4,0,r,1,s,2020-01-01\n", "all three or none" },
        { HEAD "a,b,1,1,1,,16,r,1,s,2020-01-01\n", "all three or none" },
        { HEAD "a,b,1,1,0,,0,r,0,s,2020-01-01\n", "usd_hour: '0' is not a price above 0" },
        { HEAD "a,b,1,1,0,,0,r,1 ,s,2020-01-01\n", "usd_hour: '1 ' is not a price" },
        { HEAD "a,b,1,1,0,,0,r,1e9,s,2020-01-01\n", "usd_hour: '1e9' is not a price" },
        { HEAD "a,b,1,1,0,,0,,1,s,2020-01-01\n", "a price needs its region and its day" },
        { HEAD "a,b,1,1,0,,0,r,1,s,\n", "a price needs its region and its day" },
        { HEAD "a,b,1,1,0,,0,r,1,s,2020-13-01\n", "a price needs its region and its day" },
        { HEAD "a,b,1,1,0,,0,r,1,s,2020-01-011\n", "a price needs its region and its day" },
        { HEAD ",b,1,1,0,,0,r,1,s,2020-01-01\n", "vendor, type and source must not be empty" },
        { HEAD "a,b\x1b[31m,1,1,0,,0,r,1,s,2020-01-01\n",
          "field 2 has characters in it that cannot" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct gput_catalogue *c = NULL;
        struct gput_error err = { .text = "" };
        int r = parse(cases[i].text, &c, &err);

        OK(r == -EBADMSG && !c && strstr(err.text, cases[i].said) &&
               strncmp(err.text, "x.csv: line ", 12) == 0,
           "refused: %s", err.text);
    }
}

static void what_no_text_has_is_refused(void)
{
    static const char with_nul[] = HEAD "a,b,1,1,0,,0,r,1,s,2020-01-01\0\n";
    struct gput_catalogue *c = NULL;
    struct gput_error err = { .text = "" };
    char *line = calloc(1, sizeof(HEAD) + 3000);

    OK(gput__catalogue_parse(with_nul, sizeof(with_nul) - 1, "x", &c, &err) == -EBADMSG &&
           strstr(err.text, "line 2: it has a NUL byte"),
       "a NUL byte: %s", err.text);
    if (!line)
        return;
    strcpy(line, HEAD);
    memset(line + sizeof(HEAD) - 1, 'x', 2000);
    OK(parse(line, &c, &err) == -EBADMSG && strstr(err.text, "line 2: it is longer than 1024"),
       "a line without end: %s", err.text);
    OK(gput__catalogue_read("/nowhere/c.csv", &c, &err) == -ENOENT &&
           strstr(err.text, "/nowhere/c.csv: No such file"),
       "no such file: %s", err.text);
    OK(gput__catalogue_read("/", &c, &err) == -EISDIR && !c, "a folder: %s", err.text);
    free(line);
}

static void the_built_in_one_is_read(void)
{
    struct gput_catalogue *c = NULL;
    struct gput_error err = { .text = "" };
    size_t n_priced = 0;

    if (!OK(gput__catalogue_embedded(&c, &err) == 0, "the built-in catalogue is read: %s",
            err.text))
        return;
    for (size_t i = 0; i < c->n; i++)
        n_priced += isnan(c->list[i].usd_hour) ? 0 : 1;
    OK(c->n > 5000 && n_priced > 5000 && n_priced < c->n, "it has %zu rows, %zu with a price", c->n,
       n_priced);
    gput__catalogue_free(c);
}

/* The user's own: what cannot be one changes nothing. */
static void updates(void)
{
    struct gput_error err = { .text = "" };
    struct fixture f;
    char *path = NULL, file[64];

    fixture_begin(&f);
    fixture_write(&f, "c.csv", HEAD ROW);
    fixture_path(&f, "c.csv", file, sizeof(file));
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    OK(gput_catalogue_update("/dev/null", &path, &err) == -ENOENT && !path &&
           !strcmp(err.text, "neither HOME nor XDG_CACHE_HOME names a folder of this user's"),
       "nowhere to keep it: %s", err.text);
    setenv("HOME", "relative", 1);
    OK(gput_catalogue_update("/dev/null", NULL, NULL) == -ENOENT, "a relative HOME is none");
    setenv("HOME", "/dev/null", 1);
    OK(gput_catalogue_update("/dev/zero", &path, &err) == -EFBIG && !path &&
           strstr(err.text, "/dev/zero: File too large"),
       "a file without end: %s", err.text);
    OK(gput_catalogue_update("ftp://x/y.csv", &path, &err) == -EINVAL &&
           strstr(err.text, "only http:// and https:// are fetched"),
       "an address of another kind: %s", err.text);
    OK(gput_catalogue_update("/nowhere/c.csv", &path, &err) == -ENOENT, "no such file");
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    OK(gput_catalogue_update(file, &path, &err) < 0 && !path &&
           strstr(err.text, "/proc/nowhere/gpu-tracker/catalogue.csv: cannot write it"),
       "a folder that cannot be made: %s", err.text);
    setenv("XDG_CACHE_HOME", f.path, 1);
    OK(gput_catalogue_update(file, &path, &err) == 0 && path && strstr(path, f.path),
       "and one that can: %s", path ? path : err.text);
    free(path);
    fixture_end(&f);
}

int main(void)
{

    a_row_is_taken_as_it_stands();
    pieces_of_any_size_give_the_same();
    faults_are_told_with_their_line();
    what_no_text_has_is_refused();
    the_built_in_one_is_read();
    updates();
    return DONE();
}
