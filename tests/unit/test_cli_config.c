/* test_cli_config.c - the file of --tconfig. */
#include "options/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static char path[] = "/tmp/cli_config.XXXXXX";

static int load(const char *json, struct options *o, struct refusal *ret_why)
{
    FILE *file = fopen(path, "w");

    o->tconfig = path;
    if (file) {
        fputs(json, file);
        fclose(file);
    }
    return config_load(o, ret_why);
}

static void refused(const char *json, const char *part)
{
    struct options o = { 0 };
    struct refusal why = { "" };
    int r = load(json, &o, &why);

    OK(r == -EINVAL && strstr(why.text, part) && !strchr(why.text, '\n'), "%s", why.text);
    options_free(&o.given);
}

static void all_keys(void)
{
    struct options o = { 0 };
    struct refusal why = { "" };
    int r = load("{\"sleep_time\": 0.5, \"ram_unit\": \"bytes\", \"gpu_ram_unit\": \"kilobytes\","
                 "\"time_unit\": \"days\", \"n_expected_cores\": 3, \"gpu_uuids\": [\"a\", \"b\"],"
                 "\"disable_logs\": true, \"process_id\": 12, \"resource_usage_file\": null,"
                 "\"n_join_attempts\": 5, \"join_timeout\": 10.0, \"gpu_brand\": \"amd\","
                 "\"tracking_file\": \"t.csv\", \"overwrite\": true}",
                 &o, &why);

    OK(r == 0, "all keys of the Tracker are taken %s", why.text);
    OK(o.sleep_time == 0.5 && o.n_expected_cores == 3 && o.pid == 12, "numbers");
    OK(o.disable_logs && o.overwrite, "flags");
    OK(r == 0 && !strcmp(o.ram_unit, "bytes") && !strcmp(o.gpu_ram_unit, "kilobytes") &&
           !strcmp(o.time_unit, "days") && !strcmp(o.gpu_brand, "amd") &&
           !strcmp(o.tracking_file, "t.csv"),
       "text");
    OK(r == 0 && !strcmp(o.gpu_uuids, "a,b"), "a list is joined");
    OK(o.given.origin[OPT_RU] == FROM_CONFIG, "it is known where they come from");
    options_free(&o.given);
    OK(!o.ram_unit && !o.gpu_uuids, "and they are freed");
}

static void the_command_line_wins(void)
{
    struct options o = { .sleep_time = 2, .ram_unit = "terabytes", .overwrite = true };
    struct refusal why = { "" };
    int r;

    o.given.origin[OPT_ST] = o.given.origin[OPT_RU] = o.given.origin[OPT_OVERWRITE] = FROM_LINE;
    r = load("{\"sleep_time\": 7, \"ram_unit\": \"bytes\", \"overwrite\": false,"
             "\"time_unit\": \"days\"}",
             &o, &why);
    OK(r == 0 && o.sleep_time == 2 && !strcmp(o.ram_unit, "terabytes") && o.overwrite,
       "what the command line gave stays");
    OK(r == 0 && !strcmp(o.time_unit, "days"), "the rest is taken");
    options_free(&o.given);
    OK(o.ram_unit && !o.time_unit, "only what the file gave is freed");
}

static void harmless(void)
{
    struct options o = { 0 };
    struct refusal why = { "" };

    OK(load("{}", &o, &why) == 0, "an empty object");
    OK(load("{\"ram_unit\": null, \"gpu_uuids\": null, \"process_id\": null}", &o, &why) == 0 &&
           o.given.origin[OPT_RU] == FROM_NOWHERE,
       "null is not set");
    OK(load("{\"sleep_time\": 1, \"gpu_uuids\": \"a,b\"}", &o, &why) == 0 && o.sleep_time == 1 &&
           !strcmp(o.gpu_uuids, "a,b"),
       "a whole number of seconds; the list as text");
    options_free(&o.given);
}

static void faults_are_told(void)
{
    refused("{\"foo\": 1, \"ram_unit\": \"bytes\", \"bar\": null}", "unknown keys: 'foo', 'bar'");
    refused("{\"timeout\": 1}", "unknown key: 'timeout'");
    refused("{\"sleep_time\": \"1\"}", "sleep_time must be a number");
    refused("{\"sleep_time\": true}", "sleep_time must be a number");
    refused("{\"sleep_time\": 0}", "sleep_time: '0' is not a number of seconds");
    refused("{\"n_expected_cores\": 1.5}", "n_expected_cores must be a whole number");
    refused("{\"n_expected_cores\": -1}", "n_expected_cores: '-1' is not a whole number");
    refused("{\"ram_unit\": 3}", "ram_unit must be a string");
    refused("{\"ram_unit\": \"Gb\"}", "ram_unit: 'Gb' is not one of: auto, B, kB");
    refused("{\"overwrite\": 1}", "overwrite must be true or false");
    refused("{\"gpu_uuids\": [1]}", "gpu_uuids must be a list of strings");
    refused("{\"gpu_uuids\": []}", "gpu_uuids must be a list of strings");
    refused("{\"gpu_uuids\": {}}", "gpu_uuids must be a list of strings");
    refused("{\"join_timeout\": \"x\"}", "join_timeout must be a number");
    refused("{\"resource_usage_file\": \"x.json\"}", "resource_usage_file");
    refused("[1]", "must be a JSON object");
    refused("", "is not JSON");
    refused("{\n\"a\": 1,\n}", "line 3");
    refused("{\"ram_unit\": \"bytes\", \"ram_unit\": \"bytes\"}", "duplicate");
    refused("{\"ram_unit\": \"bytes\"} x", "is not JSON");
}

static void no_such_file(void)
{
    struct options o = { .tconfig = "/nowhere/at/all.json" };
    struct refusal why = { "" };

    OK(config_load(&o, &why) == -EINVAL && strstr(why.text, "/nowhere/at/all.json: No such file"),
       "%s", why.text);
    o.tconfig = "/tmp";
    OK(config_load(&o, &why) == -EINVAL && strstr(why.text, "/tmp: Is a directory"), "%s",
       why.text);
}

int main(void)
{
    int fd = mkstemp(path);

    if (!OK(fd >= 0, "a file to write"))
        return DONE();
    close(fd);
    all_keys();
    the_command_line_wins();
    harmless();
    faults_are_told();
    no_such_file();
    unlink(path);
    return DONE();
}
