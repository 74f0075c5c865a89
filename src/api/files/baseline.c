/* baseline.c - what runs of a command used, kept in a file for later ones to be compared with.
 *
 * A JSON object: schema, the machine, the command, and for each run its figures by their names. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/files/comparison.h"
#include "base/buf.h"
#include "base/text/json_tree.h"
#include "report/json/json.h"
#include "report/text/amount.h"
#include "store/files/table.h"

enum { SCHEMA = 1 };

/* Of memory: firmware and kernel take a little more or less of it. */
#define SAME_MEMORY 0.02

/* --- the machine ------------------------------------------------------------------------------ */

/* What of it figures depend on. */
struct fingerprint {
    const char *cpu_model;
    double cores, memory; /* that the job may have */
    char gpus[200];       /* "2 x NVIDIA H100" */
};

static struct fingerprint fingerprint_of(const struct gput_server *machine)
{
    struct fingerprint f = { .cpu_model = machine->cpu_model,
                             .cores = machine->cores_effective,
                             .memory = machine->memory_effective };

    if (machine->n_gpus > 0 && machine->gpu_name)
        snprintf(f.gpus, sizeof(f.gpus), "%d x %.150s", machine->n_gpus, machine->gpu_name);
    else if (machine->n_gpus == 0)
        snprintf(f.gpus, sizeof(f.gpus), "none");
    return f;
}

static void write_machine(struct gput__json *j, const struct fingerprint *f)
{
    gput__json_open(j, "machine");
    gput__json_string(j, "cpu_model", f->cpu_model);
    gput__json_double(j, "cores", f->cores);
    gput__json_double(j, "memory_bytes", f->memory);
    gput__json_string(j, "gpus", f->gpus[0] ? f->gpus : NULL);
    gput__json_close(j);
}

static double number_of(const struct gput_json *object, const char *name)
{
    const struct gput_json *m = gput__json_member_of(object, name, GPUT_JSON_NUMBER);

    return m ? m->number : NAN;
}

static const char *text_of(const struct gput_json *object, const char *name)
{
    const struct gput_json *m = gput__json_member_of(object, name, GPUT_JSON_STRING);

    return m ? m->text : NULL;
}

static void add_text(struct gput__buf *out, const char *what, const char *was, const char *is)
{
    if (was && is && *is && strcmp(was, is) != 0)
        gput__buf_printf(out, "%s%s '%s', now '%s'", out->len ? "; " : "", what, was, is);
}

/* What is another one now; "": nothing that is known. */
static void list_differences(const struct gput_json *was, const struct fingerprint *is,
                             struct gput__buf *out)
{
    double cores = number_of(was, "cores"), memory = number_of(was, "memory_bytes");
    char a[GPUT__AMOUNT_SIZE], b[GPUT__AMOUNT_SIZE];

    add_text(out, "CPU", text_of(was, "cpu_model"), is->cpu_model);
    if (fabs(cores - is->cores) > 0.01)
        gput__buf_printf(out, "%scores %s, now %s", out->len ? "; " : "",
                         gput__amount_number(cores, a), gput__amount_number(is->cores, b));
    if (fabs(memory - is->memory) > SAME_MEMORY * memory)
        gput__buf_printf(out, "%smemory %s, now %s", out->len ? "; " : "",
                         gput__amount_bytes(memory, a), gput__amount_bytes(is->memory, b));
    add_text(out, "GPUs", text_of(was, "gpus"), is->gpus);
}

static void compare_machines(const struct gput_json *was, const struct gput_server *machine,
                             const char *file, const struct gput_callbacks *on)
{
    struct fingerprint is = fingerprint_of(machine);
    struct gput__buf differences = GPUT__BUF_INIT, line = GPUT__BUF_INIT;

    list_differences(was, &is, &differences);
    gput__buf_printf(&line, "the baseline %.200s is of another machine: %s", file,
                     gput__buf_text(&differences));
    if (differences.len > 0 && line.len > 0 && on && on->warn)
        on->warn(on->ctx, gput_text_plain(line.data));
    gput__buf_free(&differences);
    gput__buf_free(&line);
}

/* --- written ---------------------------------------------------------------------------------- */

static const struct gput__run_group *find_group(const struct gput_comparison *c, const char *name)
{
    for (size_t g = 0; g < c->runs.n_groups; g++)
        if (strcmp(c->runs.groups[g].name, name) == 0)
            return &c->runs.groups[g];
    return NULL;
}

int gput_baseline_format(const struct gput_comparison *c, const char *group, const char *command,
                         const struct gput_server *machine, char **ret_text)
{
    const struct gput__run_group *g = find_group(c, group);
    struct fingerprint f = fingerprint_of(machine);
    struct gput__buf out = GPUT__BUF_INIT;
    struct gput__json j = { .out = &out };

    if (!g)
        return -ENODATA;
    gput__json_open(&j, NULL);
    gput__json_count(&j, "baseline", SCHEMA);
    gput__json_string(&j, "command", command);
    write_machine(&j, &f);
    gput__json_open_list(&j, "runs");
    for (size_t k = 0; k < g->n; k++) {
        gput__json_open(&j, NULL);
        for (int i = 0; i < c->runs.n_figures; i++)
            gput__json_double(&j, c->runs.figures[i].name, g->runs[k].value[i]);
        gput__json_close(&j);
    }
    gput__json_close_list(&j);
    gput__json_close(&j);
    return gput__buf_detach(&out, ret_text);
}

/* --- read ------------------------------------------------------------------------------------- */

static int add_runs(struct gput_comparison *c, const char *group, const struct gput_json *runs)
{
    for (size_t k = 0; k < runs->n; k++) {
        double values[GPUT__MOST_COMPARED];

        for (int i = 0; i < c->runs.n_figures; i++)
            values[i] = number_of(&runs->item[k], c->runs.figures[i].name);
        if (gput__run_comparison_add_values(&c->runs, group, NULL, values,
                                            "the baseline does not tell it") < 0)
            return -ENOMEM;
    }
    return 0;
}

int gput_baseline_read(struct gput_comparison *c, const char *group, const char *file,
                       const struct gput_server *machine, const struct gput_callbacks *on,
                       struct gput_error *ret_err)
{
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    const struct gput_json *runs, *was;
    struct gput_json *json;
    double schema;
    int r = gput_json_read(file, &json, err);

    if (r < 0)
        return r;
    schema = number_of(json, "baseline");
    runs = gput__json_member_of(json, "runs", GPUT_JSON_LIST);
    was = gput__json_member_of(json, "machine", GPUT_JSON_OBJECT);
    if (isnan(schema) || !runs || runs->n == 0)
        r = gput__file_fail(-EBADMSG, file, err, "this is no baseline");
    else if (schema > SCHEMA)
        r = gput__file_fail(-EBADMSG, file, err, "a newer version wrote this baseline");
    else if (add_runs(c, group, runs) < 0)
        r = gput__file_fail(-ENOMEM, file, err, "%s", strerror(ENOMEM));
    if (r == 0 && was && machine)
        compare_machines(was, machine, file, on);
    gput_json_free(json);
    return r;
}
