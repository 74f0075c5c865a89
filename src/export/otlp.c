/* otlp.c - figures as OpenTelemetry has them: an ExportMetricsServiceRequest as JSON.
 *
 * Names follow the semantic conventions where they have one (model/metric_rows.h).  As in protobuf's JSON,
 * 64-bit integers are strings. */
#include "export/otlp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json/json.h"

enum { CUMULATIVE = 2 };

/* --- attributes ------------------------------------------------------------------------------ */

static void write_attribute(struct gput__json *j, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    gput__json_open(j, NULL);
    gput__json_string(j, "key", key);
    gput__json_open(j, "value");
    gput__json_string(j, "stringValue", value);
    gput__json_close(j);
    gput__json_close(j);
}

static void write_pairs(struct gput__json *j, const char *prefix, const char *lines)
{
    struct gput__pair pair;
    char key[200];

    while (gput__pair_next(&lines, &pair)) {
        char *value = strndup(pair.value, pair.value_len);

        snprintf(key, sizeof(key), "%s%.*s", prefix, (int)pair.key_len, pair.key);
        write_attribute(j, key, value);
        free(value);
    }
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* "%20" is a blank. */
static void decode_percent(char *text)
{
    char *to = text;

    for (; *text; text++) {
        int high = *text == '%' ? hex(text[1]) : -1, low = high >= 0 ? hex(text[2]) : -1;

        *to++ = low >= 0 ? (char)(16 * high + low) : *text;
        text += low >= 0 ? 2 : 0;
    }
    *to = '\0';
}

/* "k=v,k2=v2", as the environment has them. */
static void write_given(struct gput__json *j, const char *resource)
{
    char *copy = resource ? strdup(resource) : NULL, *next = NULL;

    for (char *pair = copy ? strtok_r(copy, ",", &next) : NULL; pair;
         pair = strtok_r(NULL, ",", &next)) {
        char *value = strchr(pair, '=');

        if (!value || value == pair || strncmp(pair, "service.name=", 13) == 0)
            continue;
        *value++ = '\0';
        decode_percent(value);
        write_attribute(j, pair + strspn(pair, " "), value);
    }
    free(copy);
}

/* Those of the metadata that the conventions have names for. */
static const char *name_of_metadata(const char *key, size_t n)
{
    static const struct {
        const char *key, *name;
    } names[] = {
        { "project_name", "service.namespace" },
        { "env", "deployment.environment.name" },
        { "container_image", "container.image.name" },
        { "language", "process.runtime.name" },
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strlen(names[i].key) == n && strncmp(names[i].key, key, n) == 0)
            return names[i].name;
    return NULL;
}

static void write_metadata(struct gput__json *j, const char *lines)
{
    struct gput__pair pair;
    char key[200];

    while (gput__pair_next(&lines, &pair)) {
        const char *name = name_of_metadata(pair.key, pair.key_len);
        char *value = strndup(pair.value, pair.value_len);

        snprintf(key, sizeof(key), "gpu_tracker.%.*s", (int)pair.key_len, pair.key);
        write_attribute(j, name ? name : key, value);
        free(value);
    }
}

/* The program of a command line, without its folder. */
static char *program_of(const char *command)
{
    size_t n = command ? strcspn(command, " ") : 0;
    char *word = n ? strndup(command, n) : NULL, *slash = word ? strrchr(word, '/') : NULL;

    if (slash && slash[1])
        memmove(word, slash + 1, strlen(slash + 1) + 1);
    return word;
}

static void write_resource(struct gput__json *j, const struct gput__export_head *head,
                           const char *resource, const char *service)
{
    const char *named = resource ? strstr(resource, "service.name=") : NULL;
    char *program = program_of(head->command), *own = NULL;

    if (!service && named) {
        own = strndup(named + 13, strcspn(named + 13, ","));
        if (own)
            decode_percent(own);
    }
    service = service ? service : own ? own : head->u->run.job_name;
    gput__json_open(j, "resource");
    gput__json_open_list(j, "attributes");
    write_attribute(j, "service.name", service ? service : program ? program : "gpu-tracker");
    write_attribute(j, "service.instance.id", head->u->run.id);
    write_attribute(j, "host.name", head->u->run.host);
    write_attribute(j, "process.command_line", head->command);
    write_attribute(j, "process.working_directory", head->u->run.folder);
    write_attribute(j, "gpu_tracker.job_name", head->u->run.job_name);
    write_pairs(j, "gpu_tracker.tag.", head->u->run.tags);
    write_metadata(j, head->u->run.metadata);
    write_given(j, resource);
    gput__json_close_list(j);
    gput__json_close(j);
    free(program);
    free(own);
}

/* --- metrics --------------------------------------------------------------------------------- */

static const char *otel_unit(const char *family)
{
    static const char *const units[][2] = { { "bytes", "By" }, { "seconds", "s" },
                                            { "ratio", "1" },  { "joules", "J" },
                                            { "watts", "W" },  { "celsius", "Cel" },
                                            { "hertz", "Hz" }, { "cores", "{cpu}" } };
    const char *unit = gput__point_unit(family);

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (strcmp(units[i][0], unit) == 0)
            return units[i][1];
    return "1";
}

/* "gpu_tracker.memory_peak": units are not part of names. */
static void name_of(const struct gput__point *p, char *ret, size_t size)
{
    const char *unit = gput__point_unit(p->family);
    int stem = (int)(strlen(p->family) - strlen(unit) - (*unit != '\0'));

    if (p->convention.name)
        snprintf(ret, size, "%s", p->convention.name);
    else
        snprintf(ret, size, "gpu_tracker.%.*s", stem, p->family);
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);

    return n >= k && strcmp(text + n - k, end) == 0;
}

/* What the conventions call an UpDownCounter is a sum that may fall. */
static bool is_sum(const struct gput__point *p, const char *name)
{
    return p->kind == GPUT__POINT_COUNTER ||
           (p->convention.name &&
            (ends_in(name, ".usage") || ends_in(name, ".count") || ends_in(name, ".limit")));
}

static void write_time(struct gput__json *j, const char *key, int64_t ns)
{
    char text[24];

    snprintf(text, sizeof(text), "%lld", (long long)ns);
    gput__json_string(j, key, text);
}

static void write_point(struct gput__json *j, const struct gput__export_head *head,
                        const struct gput__point *p, bool with_start)
{
    const char *attribute = p->convention.attribute;
    char gpu[16];

    gput__json_open(j, NULL);
    gput__json_open_list(j, "attributes");
    if (attribute)
        write_pairs(j, "", attribute);
    write_attribute(j, "gpu_tracker.scope", p->scope);
    if (p->gpu >= 0) {
        snprintf(gpu, sizeof(gpu), "%d", p->gpu);
        write_attribute(j, "hw.id", gpu);
    }
    write_pairs(j, "", head->labels);
    gput__json_close_list(j);
    if (with_start && head->start_ns)
        write_time(j, "startTimeUnixNano", head->start_ns);
    write_time(j, "timeUnixNano", head->now_ns);
    gput__json_double(j, "asDouble", p->value);
    gput__json_close(j);
}

static bool has_name(const struct gput__point *p, const char *name)
{
    char own[120];

    name_of(p, own, sizeof(own));
    return strcmp(own, name) == 0;
}

static void write_metric(struct gput__json *j, const struct gput__exposed *run, size_t first)
{
    const struct gput__point *p = &run->points.list[first];
    char name[120], help[300];
    bool sum;

    name_of(p, name, sizeof(name));
    for (size_t i = 0; i < first; i++)
        if (has_name(&run->points.list[i], name))
            return; /* it has been written */
    sum = is_sum(p, name);
    snprintf(help, sizeof(help), "%s%s", p->prefix, p->help);
    gput__json_open(j, NULL);
    gput__json_string(j, "name", name);
    gput__json_string(j, "description", help);
    gput__json_string(j, "unit", otel_unit(p->family));
    gput__json_open(j, sum ? "sum" : "gauge");
    gput__json_open_list(j, "dataPoints");
    for (size_t i = first; i < run->points.n; i++)
        if (has_name(&run->points.list[i], name))
            write_point(j, &run->head, &run->points.list[i], sum);
    gput__json_close_list(j);
    if (sum) {
        gput__json_count(j, "aggregationTemporality", CUMULATIVE);
        gput__json_bool(j, "isMonotonic", p->kind == GPUT__POINT_COUNTER);
    }
    gput__json_close(j);
    gput__json_close(j);
}

static void write_run(struct gput__json *j, const struct gput__exposed *run, const char *resource,
                      const char *service)
{
    gput__json_open(j, NULL);
    write_resource(j, &run->head, resource, service);
    gput__json_open_list(j, "scopeMetrics");
    gput__json_open(j, NULL);
    gput__json_open(j, "scope");
    gput__json_string(j, "name", "gpu-tracker");
    gput__json_string(j, "version", GPUT_VERSION);
    gput__json_close(j);
    gput__json_open_list(j, "metrics");
    for (size_t i = 0; i < run->points.n; i++)
        write_metric(j, run, i);
    gput__json_close_list(j);
    gput__json_close(j);
    gput__json_close_list(j);
    gput__json_close(j);
}

void gput__otlp_json(const struct gput__exposed *runs, size_t n, const char *resource,
                     const char *service, struct gput__buf *out)
{
    struct gput__json j = { .out = out, .is_compact = true };

    gput__json_open(&j, NULL);
    gput__json_open_list(&j, "resourceMetrics");
    for (size_t i = 0; i < n; i++) {
        write_run(&j, &runs[i], resource, service);
        if (runs[i].points.err)
            out->err = runs[i].points.err;
    }
    gput__json_close_list(&j);
    gput__json_close(&j);
}
