/* test_options.c - the options of a tracker: defaults, copies, refusals. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/tracker.h"
#include "fixture.h"
#include "tap.h"

static const struct gput_options plain = GPUT_OPTIONS_INIT;

static void defaults(void)
{
    struct gput_options o;

    OK(gput__options_copy(NULL, &o, NULL) == 0, "no options at all");
    OK(o.sleep_time == 1.0 && !strcmp(o.ram_unit, "gigabytes") &&
           !strcmp(o.gpu_ram_unit, "gigabytes") && !strcmp(o.time_unit, "hours"),
       "have their defaults");
    OK(!o.tracking_file && !o.gpu_brand && !o.gpu_uuids && !o.proc_root && o.timeout == 0 &&
           o.n_expected_cores == 0 && o.flags == 0,
       "and the rest unset");
    gput__options_free(&o);
    gput__options_free(&o);
    OK(!o.ram_unit, "freed twice");
}

static void copies(void)
{
    char ram[] = "megabytes", gpu[] = "bytes", when[] = "days", uuids[] = "a,b", brand[] = "amd";
    char file[] = "/nowhere/x.csv", proc[] = "/p", sys[] = "/s";
    struct gput_options from = plain, o;

    from.ram_unit = ram;
    from.gpu_ram_unit = gpu;
    from.time_unit = when;
    from.gpu_uuids = uuids;
    from.gpu_brand = brand;
    from.tracking_file = file;
    from.proc_root = proc;
    from.sys_root = sys;
    from.sleep_time = 0.001;
    from.timeout = 5;
    from.n_expected_cores = 3;
    from.flags = GPUT_NO_WATCH;
    if (!OK(gput__options_copy(&from, &o, NULL) == 0, "all options"))
        return;
    ram[0] = gpu[0] = when[0] = uuids[0] = brand[0] = file[0] = proc[0] = sys[0] = '!';
    OK(!strcmp(o.ram_unit, "megabytes") && !strcmp(o.gpu_ram_unit, "bytes") &&
           !strcmp(o.time_unit, "days") && !strcmp(o.gpu_uuids, "a,b") &&
           !strcmp(o.gpu_brand, "amd") && !strcmp(o.tracking_file, "/nowhere/x.csv") &&
           !strcmp(o.proc_root, "/p") && !strcmp(o.sys_root, "/s"),
       "strings are copied");
    OK(o.sleep_time == 0.001 && o.timeout == 5 && o.n_expected_cores == 3 &&
           o.flags == GPUT_NO_WATCH && o.size == sizeof(o),
       "numbers are kept");
    gput__options_free(&o);
}

/* A caller built against an older header hands over a shorter struct. */
static void an_older_caller(void)
{
    struct gput_options from = plain, o;

    from.size = offsetof(struct gput_options, n_expected_cores);
    from.ram_unit = "bytes";
    from.n_expected_cores = -5;
    from.gpu_brand = "not there";
    OK(gput__options_copy(&from, &o, NULL) == 0 && !strcmp(o.ram_unit, "bytes") &&
           o.n_expected_cores == 0 && !o.gpu_brand,
       "what it does not know is not read");
    gput__options_free(&o);
}

static void refused(const struct gput_options *from, int want, const char *field, const char *text)
{
    struct gput_options o = { .n_expected_cores = 77 };
    struct gput_error why = { "?", "?" };

    OK(gput__options_copy(from, &o, &why) == want && o.n_expected_cores == 77 && !o.ram_unit &&
           gput__options_copy(from, &o, NULL) == want,
       "%s is refused, and ret left alone", field);
    OK(!strcmp(why.field, field) && !strcmp(why.text, text), "%s: %s", why.field, why.text);
}

static struct gput_options numbers(double sleep_time, int cores, double timeout)
{
    struct gput_options o = plain;

    o.sleep_time = sleep_time;
    o.n_expected_cores = cores;
    o.timeout = timeout;
    return o;
}

static void bad_words(void)
{
    struct gput_options o = plain;

    o.ram_unit = "gb";
    refused(&o, -EINVAL, "ram_unit",
            "'gb' is not one of: bytes (B), kilobytes (kB), megabytes (MB), gigabytes (GB), "
            "terabytes (TB), kibibytes (KiB), mebibytes (MiB), gibibytes (GiB), tebibytes (TiB)");
    o = plain;
    o.gpu_ram_unit = "";
    refused(&o, -EINVAL, "gpu_ram_unit",
            "'' is not one of: bytes (B), kilobytes (kB), megabytes (MB), gigabytes (GB), "
            "terabytes (TB), kibibytes (KiB), mebibytes (MiB), gibibytes (GiB), tebibytes (TiB)");
    o = plain;
    o.time_unit = "years";
    refused(&o, -EINVAL, "time_unit",
            "'years' is not one of: seconds (s), minutes (min), hours (h), days (d)");
    o = plain;
    o.gpu_brand = "voodoo";
    refused(&o, -EINVAL, "gpu_brand", "'voodoo' is not one of: nvidia, amd, intel");
}

static void bad_numbers(void)
{
    static const double sleeps[] = { -1, 0.0009, 1e7, NAN, INFINITY };
    static const char *const said[] = { "-1", "0.0009", "1e+07", "nan", "inf" };
    struct gput_options o;
    char text[200];

    for (size_t i = 0; i < sizeof(sleeps) / sizeof(*sleeps); i++) {
        o = numbers(sleeps[i], 0, 0);
        snprintf(text, sizeof(text), "%s is not a number of seconds from 0.001 to 1e+06", said[i]);
        refused(&o, -EINVAL, "sleep_time", text);
    }
    o = numbers(1, -1, 0);
    refused(&o, -EINVAL, "n_expected_cores", "-1 is not a number of cores");
    o = numbers(1, 0, -2.5);
    refused(&o, -EINVAL, "timeout", "-2.5 is not a number of seconds");
    o = numbers(1, 0, NAN);
    refused(&o, -EINVAL, "timeout", "nan is not a number of seconds");
}

static void tracking_files(void)
{
    struct fixture f;
    struct gput_options o = plain, taken;
    struct gput_error why = { "", "" };
    char path[64];

    fixture_begin(&f);
    fixture_path(&f, "t.csv", path, sizeof(path));
    fixture_write(&f, "t.csv", "old");
    o.tracking_file = path;
    OK(gput__options_copy(&o, &taken, &why) == -EEXIST && !strcmp(why.field, "tracking_file") &&
           strstr(why.text, path) && strstr(why.text, "exists"),
       "a file that is there is refused: %s", why.text);
    o.flags = GPUT_OVERWRITE;
    OK(gput__options_copy(&o, &taken, NULL) == 0, "unless it may be overwritten");
    gput__options_free(&taken);
    fixture_remove(&f, "t.csv");
    o.flags = 0;
    OK(gput__options_copy(&o, &taken, NULL) == 0, "or is not there");
    gput__options_free(&taken);
    o.tracking_file = "t.csv";
    o.resource_usage_file = "./t.csv";
    refused(&o, -EINVAL, "resource_usage_file",
            "'./t.csv' is the tracking file too: one of them would be lost");
    o.resource_usage_file = NULL;
    o.tracking_file = "track.txt";
    refused(&o, -EINVAL, "tracking_file", "'track.txt' does not end in .csv or .sqlite");
    o.tracking_file = "track.csv.gz";
    refused(&o, -EINVAL, "tracking_file", "'track.csv.gz' does not end in .csv or .sqlite");
    o.tracking_file = "";
    refused(&o, -EINVAL, "tracking_file", "'' does not end in .csv or .sqlite");
    fixture_end(&f);
}

static void long_words_fit(void)
{
    struct gput_options o = plain;
    struct gput_error why;
    char word[2000];

    memset(word, 'x', sizeof(word));
    word[sizeof(word) - 1] = '\0';
    o.ram_unit = word;
    OK(gput__options_copy(&o, &o, &why) == -EINVAL && strstr(why.text, "terabytes") &&
           memchr(why.text, '\0', sizeof(why.text)),
       "a word of 2000 letters leaves room for the values");
}

int main(void)
{
    defaults();
    copies();
    an_older_caller();
    bad_words();
    bad_numbers();
    tracking_files();
    long_words_fit();
    return DONE();
}
