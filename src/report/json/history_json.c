/* history_json.c - the runs of a history, for programs: bytes, seconds, joules, percent. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/spread.h"
#include "analysis/trend.h"
#include "report/history.h"
#include "report/text/amount.h"

/* "key=value" lines as an object; of one key the last counts. */
static void write_tags(struct gput__json *j, const char *tags)
{
    char *copy = strdup(tags ? tags : ""), *rest = copy, *line;

    gput__json_open(j, "tags");
    while (copy && (line = strsep(&rest, "\n"))) {
        char *equals = strchr(line, '=');

        if (!equals)
            continue;
        *equals = '\0';
        gput__json_string(j, line, equals + 1);
    }
    gput__json_close(j);
    free(copy);
}

void gput__history_json(const struct gput__history_run *run, struct gput__json *j)
{
    char start[GPUT__AMOUNT_SIZE];

    gput__json_open(j, NULL);
    gput__json_count(j, "number", (double)run->number);
    gput__json_string(j, "id", run->run_id);
    gput__json_string(j, "start_time",
                      isnan(run->start) ? NULL : gput__amount_iso(run->start, start));
    gput__json_string(j, "job_name", run->job_name);
    gput__json_string(j, "command", run->command);
    gput__json_string(j, "folder", run->folder);
    gput__json_string(j, "host", run->host);
    gput__json_string(j, "version", run->version);
    write_tags(j, run->tags);
    gput__json_string(j, "ending", run->ending);
    gput__json_count(j, "code", run->code);
    gput__json_bool(j, "timed_out", run->timed_out);
    gput__json_string(j, "killed_for_memory", run->oom);
    gput__json_open(j, "figures");
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        gput__json_double(j, gput__named_figures[i].name, run->figure[i]);
    gput__json_close(j);
    gput__json_close(j);
}

static void write_figure(struct gput__json *j, const struct gput__history_series *s, int f,
                         double *values)
{
    struct gput__spread spread;
    struct gput__trend trend;

    for (size_t i = 0; i < s->n; i++)
        values[i] = s->figure[i * GPUT__N_NAMED_FIGURES + (size_t)f];
    gput__spread_of(values, s->n, &spread);
    gput__trend_of(values, s->n, &trend);
    gput__json_open(j, gput__named_figures[f].name);
    gput__json_double(j, "median", spread.median);
    gput__json_double(j, "min", spread.low);
    gput__json_double(j, "max", spread.high);
    gput__json_double(j, "change_per_run", trend.n ? trend.per_run : NAN);
    gput__json_double(j, "next", trend.next);
    gput__json_open_list(j, "values");
    for (size_t i = 0; i < s->n; i++)
        gput__json_double(j, NULL, values[i]);
    gput__json_close_list(j);
    gput__json_close(j);
}

void gput__trend_json(const struct gput__history_series *s, int only, struct gput__json *j)
{
    double *values = malloc((s->n + 1) * sizeof(*values));

    gput__json_open(j, NULL);
    gput__json_string(j, "name", s->name);
    gput__json_count(j, "n_runs", (double)s->n);
    gput__json_open(j, "figures");
    for (int f = 0; values && f < GPUT__N_NAMED_FIGURES; f++)
        if (only < 0 || f == only)
            write_figure(j, s, f, values);
    gput__json_close(j);
    gput__json_close(j);
    free(values);
}
