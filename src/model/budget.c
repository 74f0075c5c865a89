/* budget.c - a list of limits is read, and a run is judged by it. */
#include "model/budget.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text/atod.h"
#include "base/text/print.h"
#include "model/figure.h"
#include "model/metric.h"

#define KB 1e3
#define KIB 1024.0
#define MINUTE 60.0
#define HOUR 3600.0
#define BLANKS " \t"
/* A bare number of bytes below this is one whose unit was forgotten. */
#define LEAST_BARE_BYTES 4096

/* Sizes and energies in any case of letters; "" is the unit itself. */
static const struct unit {
    enum gput__figure_unit of;
    const char *name;
    double size;
} units[] = {
    { GPUT__IN_BYTES, "", 1 },
    { GPUT__IN_BYTES, "B", 1 },
    { GPUT__IN_BYTES, "kB", KB },
    { GPUT__IN_BYTES, "MB", KB *KB },
    { GPUT__IN_BYTES, "GB", KB *KB *KB },
    { GPUT__IN_BYTES, "TB", KB *KB *KB *KB },
    { GPUT__IN_BYTES, "KiB", KIB },
    { GPUT__IN_BYTES, "MiB", KIB *KIB },
    { GPUT__IN_BYTES, "GiB", KIB *KIB *KIB },
    { GPUT__IN_BYTES, "TiB", KIB *KIB *KIB *KIB },
    { GPUT__IN_SECONDS, "", 1 },
    { GPUT__IN_SECONDS, "ms", 1e-3 },
    { GPUT__IN_SECONDS, "s", 1 },
    { GPUT__IN_SECONDS, "min", MINUTE },
    { GPUT__IN_SECONDS, "h", HOUR },
    { GPUT__IN_SECONDS, "d", 24 * HOUR },
    { GPUT__IN_JOULES, "", 1 },
    { GPUT__IN_JOULES, "J", 1 },
    { GPUT__IN_JOULES, "kJ", KB },
    { GPUT__IN_JOULES, "MJ", KB *KB },
    { GPUT__IN_JOULES, "Wh", HOUR },
    { GPUT__IN_JOULES, "kWh", KB *HOUR },
    { GPUT__IN_PERCENT, "", 1 },
    { GPUT__IN_PERCENT, "%", 1 },
    { GPUT__IN_NUMBERS, "", 1 },
};
enum { N_UNITS = sizeof(units) / sizeof(*units) };

/* A piece of the list under way. */
struct piece {
    const char *text;
    size_t n;
};

struct reason {
    char *text;
    size_t size;
};

static struct piece trimmed(const char *text, size_t n)
{
    size_t blanks = strspn(text, BLANKS);

    blanks = blanks < n ? blanks : n;
    text += blanks;
    n -= blanks;
    while (n > 0 && strchr(BLANKS, text[n - 1]))
        n--;
    return (struct piece){ text, n };
}

#define SHOWN(p) (int)((p).n < 80 ? (p).n : 80), (p).text

/* Reasons: format and arguments differ, so they are written where they arise. */
#define REFUSE(why, ...) (gput__snprintf((why).text, (why).size, __VA_ARGS__), -EINVAL)

/* --- the figure ----------------------------------------------------------------------------- */

static int refuse_figure(struct piece name, struct reason why)
{
    char list[200] = "";

    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++) {
        size_t used = strlen(list);

        gput__snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
                       gput__named_figures[i].name);
    }
    return REFUSE(why,
                  "'%.*s' is not one of: %s; nor a path of the result's JSON, such as "
                  "max_ram.main.total_rss",
                  SHOWN(name), list);
}

static int parse_figure(struct piece name, struct gput__budget_limit *ret, struct reason why)
{
    static const struct gput_usage nothing = { .size = sizeof(nothing) };
    struct gput_figure figure;

    if (name.n == 0)
        return REFUSE(why, "a figure is missing before the limit");
    if (name.n >= sizeof(ret->figure))
        return refuse_figure(name, why);
    memcpy(ret->figure, name.text, name.n);
    ret->figure[name.n] = '\0';
    ret->named = gput__named_figure_find(ret->figure);
    if (ret->named >= 0)
        ret->unit = gput__named_figures[ret->named].unit;
    else if (gput__figure_at_path(&nothing, ret->figure, &figure, &ret->unit) < 0)
        return refuse_figure(name, why);
    return 0;
}

/* --- the limit ------------------------------------------------------------------------------ */

static int refuse_unit(const struct gput__budget_limit *l, struct piece value, struct reason why)
{
    char list[120] = "";

    for (int i = 0; i < N_UNITS; i++) {
        size_t used = strlen(list);

        if (units[i].of == l->unit && units[i].name[0])
            gput__snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "",
                           units[i].name);
    }
    if (!list[0])
        return REFUSE(why, "%s: '%.*s' has a unit, but it is a plain number", l->figure,
                      SHOWN(value));
    return REFUSE(why, "%s: the unit of '%.*s' is not one of: %s", l->figure, SHOWN(value), list);
}

static double size_of(enum gput__figure_unit of, struct piece unit)
{
    for (int i = 0; i < N_UNITS; i++)
        if (units[i].of == of && strlen(units[i].name) == unit.n &&
            strncasecmp(units[i].name, unit.text, unit.n) == 0)
            return units[i].size;
    return 0;
}

static int parse_value(struct piece value, struct gput__budget_limit *ret, struct reason why)
{
    char *text = ret->asked;
    const char *end;
    struct piece unit;
    double number, size;

    if (value.n == 0)
        return REFUSE(why, "%s: the limit is missing", ret->figure);
    gput__snprintf(text, sizeof(ret->asked), "%.*s", SHOWN(value));
    end = gput__atod(text, &number);
    if (!end || !isfinite(number) || value.n >= sizeof(ret->asked))
        return REFUSE(why, "%s: '%.*s' is not a number with a unit", ret->figure, SHOWN(value));
    if (signbit(number))
        return REFUSE(why, "%s: '%.*s' is below 0", ret->figure, SHOWN(value));
    unit = trimmed(end, strlen(end));
    size = size_of(ret->unit, unit);
    if (size <= 0)
        return refuse_unit(ret, value, why);
    if (ret->unit == GPUT__IN_BYTES && unit.n == 0 && number > 0 && number < LEAST_BARE_BYTES)
        return REFUSE(why, "%s: '%.*s' has no unit: write %.*sGB, %.*sGiB or %.*sB", ret->figure,
                      SHOWN(value), SHOWN(value), SHOWN(value), SHOWN(value));
    ret->limit = number * size;
    return 0;
}

/* --- the list ------------------------------------------------------------------------------- */

/* "<=", "=" and ">=" stand between; "<" and ">" alone would leave open what equal is. */
static int parse_limit(struct piece p, struct gput__budget_limit *ret, struct reason why)
{
    size_t name = 0, op;
    int r;

    while (name < p.n && !strchr("<>=", p.text[name]))
        name++;
    for (op = name; op < p.n && strchr("<>=!", p.text[op]);)
        op++;
    if (op == name)
        return REFUSE(why, "'%.*s' is not figure<=value or figure>=value", SHOWN(p));
    *ret = (struct gput__budget_limit){ .is_least = p.text[name] == '>' };
    r = parse_figure(trimmed(p.text, name), ret, why);
    if (r < 0)
        return r;
    if (p.text[op - 1] != '=' || op - name > 2 || (op - name == 2 && p.text[name] == '='))
        return REFUSE(why, "%s: '%.*s' is not one of: <=, =, >=", ret->figure, (int)(op - name),
                      p.text + name);
    return parse_value(trimmed(p.text + op, p.n - op), ret, why);
}

static int add_limit(struct gput__budget *b, const struct gput__budget_limit *l, struct reason why)
{
    for (int i = 0; i < b->n; i++)
        if (strcmp(b->limit[i].figure, l->figure) == 0 && b->limit[i].is_least == l->is_least)
            return REFUSE(why, "%s has two limits of the same kind", l->figure);
    if (b->n == GPUT__BUDGET_LINES)
        return REFUSE(why, "there are more than %d limits", GPUT__BUDGET_LINES);
    b->limit[b->n++] = *l;
    return 0;
}

int gput__budget_parse(const char *list, struct gput__budget *ret, char *ret_why, size_t size)
{
    struct reason why = { ret_why, size };
    struct gput__budget b = { .n = 0 };
    int r = 0;

    while (r == 0 && list && *list) {
        struct gput__budget_limit l;
        size_t n = strcspn(list, ",");

        r = parse_limit(trimmed(list, n), &l, why);
        if (r == 0)
            r = add_limit(&b, &l, why);
        list += n;
        if (r == 0 && *list && !*++list)
            r = REFUSE(why, "a limit is missing behind the last comma");
    }
    if (r == 0)
        *ret = b;
    return r;
}

/* --- what follows from it ------------------------------------------------------------------- */

/* Metrics of the job that are measured on request have their figures among the totals. */
static bool is_total_on_request(const char *figure)
{
    static const char totals[] = "totals.";

    if (strncmp(figure, totals, strlen(totals)) != 0)
        return false;
    for (int m = 0; m < GPUT__N_METRICS; m++)
        for (int k = 0; k < GPUT__MOST_FIGURES; k++) {
            const struct gput__metric_figure *f = &gput__metrics[m].figure[k];

            if (f->key && f->group == GPUT__TOTALS && !strcmp(f->key, figure + strlen(totals)))
                return true;
        }
    return false;
}

static bool is_on_request(const struct gput__budget_limit *l)
{
    static const char *const groups[] = { "machine.", "cgroup.", "waiting.", "energy." };

    for (size_t k = 0; k < sizeof(groups) / sizeof(*groups); k++)
        if (strncmp(l->figure, groups[k], strlen(groups[k])) == 0)
            return true;
    return l->named == GPUT__NAMED_ENERGY || is_total_on_request(l->figure);
}

bool gput__budget_wants_all(const struct gput__budget *b)
{
    for (int i = 0; i < b->n; i++)
        if (is_on_request(&b->limit[i]))
            return true;
    return false;
}

bool gput__budget_is_hard(const struct gput__budget_limit *l)
{
    if (l->is_least || l->named == GPUT__NAMED_LEFTOVER || l->named == GPUT__NAMED_GPU_UTIL)
        return false;
    /* Means go down again, free space too. */
    return !strstr(l->figure, ".mean_") && !strstr(l->figure, "disk_space");
}

static struct gput_figure figure_of(const struct gput__budget_limit *l, const struct gput_usage *u)
{
    struct gput_figure ret = { 0, GPUT_UNAVAILABLE, NULL };
    enum gput__figure_unit unit;

    if (l->named >= 0)
        return gput__named_figure_of(u, l->named);
    (void)gput__figure_at_path(u, l->figure, &ret, &unit);
    return ret;
}

struct gput_budget_line gput__budget_judge(const struct gput__budget_limit *l,
                                           const struct gput_usage *u)
{
    struct gput_budget_line ret = {
        .figure = l->figure,
        .op = l->is_least ? ">=" : "<=",
        .unit = gput__figure_unit_name(l->unit),
        .asked = l->asked,
        .limit = l->limit,
        .measured = figure_of(l, u),
        .is_hard = gput__budget_is_hard(l),
    };

    ret.is_met = gput__figure_is_known(ret.measured) &&
                 (l->is_least ? ret.measured.value >= l->limit : ret.measured.value <= l->limit);
    return ret;
}
