/* bars.c - code blocks as bars on a terminal: share of time, peak RAM, peak GPU RAM. */
#include "terminal/bars.h"

#include "terminal/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROWS = 20, /* more than these nobody sees at a glance */
    NARROWEST = 19, /* less than a terminal of 20 columns has nobody */
    WIDEST = 160,
    SHORTEST_NAME = 10, /* as its title */
    GAP = 2,
};

/* What is drawn of a block. */
enum measure { TIME, RAM, GPU_RAM, N_MEASURES };

static const char *const titles[] = { "Time", "Peak RAM", "Peak GPU RAM" };
/* Columns of "12.3 s  45 %" and of "123.4 MB", with a blank in front. */
static const int figure_widths[] = { 16, 11, 11 };
static const int short_figure_width = 6; /* of " 45 %" */
static const char *const colours[] = { "\033[36m", "\033[32m", "\033[35m" };

struct row {
    const struct gput_block *block;
    double value[N_MEASURES]; /* NAN: none */
};

struct chart {
    const struct bars_style *style;
    FILE *out;
    double full[N_MEASURES]; /* what a whole bar stands for; 0: the measure is not shown */
    const char *unit[N_MEASURES];
    int figure_width[N_MEASURES];
    bool has_short_figures; /* there is no room for the seconds */
    int name_width, bar_width;
};

static unsigned column_of(const char *name)
{
    unsigned i = 0;

    while (gput_column_name(i) && strcmp(gput_column_name(i), name) != 0)
        i++;
    return i;
}

static const char *short_unit(const char *unit)
{
    static const char *const names[][2] = { { "bytes", "B" },
                                            { "kilobytes", "kB" },
                                            { "megabytes", "MB" },
                                            { "gigabytes", "GB" },
                                            { "terabytes", "TB" } };

    for (size_t i = 0; unit && i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(names[i][0], unit) == 0)
            return names[i][1];
    return "";
}

/* --- text ----------------------------------------------------------------------------------- */

/* Characters, not bytes; wide ones count as one. */
static int columns_of(const char *text)
{
    int is_hidden;
    int n = 0;

    for (; *text; text += gput_text_next(text, &is_hidden))
        n++;
    return n;
}

/* The end of a name tells more than its start, which is often the same folder. */
static void print_name(const struct chart *c, const char *name)
{
    const char *dots = c->style->has_utf8 ? "\xE2\x80\xA6" : "...";
    int room = c->name_width, columns = columns_of(name);
    int is_hidden;
    size_t n;

    if (columns > room) {
        room -= columns_of(dots);
        for (; columns > room; columns--)
            name += gput_text_next(name, &is_hidden);
        fputs(dots, c->out);
    }
    for (; *name; name += n) {
        n = gput_text_next(name, &is_hidden);
        if (is_hidden || (n > 1 && !c->style->has_utf8))
            putc('?', c->out);
        else
            fwrite(name, 1, n, c->out);
    }
    fprintf(c->out, "%*s", room - columns, "");
}

static void print_bar(const struct chart *c, enum measure m, double share)
{
    static const char *const eighths[] = { "",
                                           "\xE2\x96\x8F",
                                           "\xE2\x96\x8E",
                                           "\xE2\x96\x8D",
                                           "\xE2\x96\x8C",
                                           "\xE2\x96\x8B",
                                           "\xE2\x96\x8A",
                                           "\xE2\x96\x89" };
    int steps = c->style->has_utf8 ? 8 : 1;
    int length = (int)lround((share > 1 ? 1 : share) * c->bar_width * steps), rest = length % steps;

    if (length == 0 && share > 0)
        rest = length = 1; /* little is not nothing */
    if (c->style->has_colour && length > 0)
        fputs(colours[m], c->out);
    for (int i = 0; i < length / steps; i++)
        fputs(c->style->has_utf8 ? "\xE2\x96\x88" : "#", c->out);
    if (c->style->has_utf8)
        fputs(eighths[rest], c->out);
    if (c->style->has_colour && length > 0)
        fputs("\033[0m", c->out);
    fprintf(c->out, "%*s", c->bar_width - length / steps - (steps > 1 && rest > 0), "");
}

static int decimals(double value)
{
    return value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
}

static void figure_of(const struct chart *c, enum measure m, double value, char *ret, size_t size)
{
    double share = 100 * value / c->full[m];

    if (isnan(value))
        snprintf(ret, size, "-");
    else if (m == TIME && c->has_short_figures)
        snprintf(ret, size, "%.0f %%", share);
    else if (m == TIME)
        snprintf(ret, size, "%.*f s %3.0f %%", decimals(value), value, share);
    else
        snprintf(ret, size, "%.*f %s", decimals(value), value, c->unit[m]);
}

static void print_figure(const struct chart *c, enum measure m, double value)
{
    char text[400]; /* any double fits */

    figure_of(c, m, value, text, sizeof(text));
    fprintf(c->out, "%*s", c->figure_width[m], text);
}

/* Of a file without records nothing is known. */
static bool is_shown(const struct chart *c, int m)
{
    return c->full[m] > 0;
}

static void print_row(const struct chart *c, const struct row *row)
{
    print_name(c, row->block->name);
    for (int m = 0; m < N_MEASURES; m++) {
        double value = row->value[m];

        if (!is_shown(c, m))
            continue;
        fprintf(c->out, "%*s", GAP, "");
        print_bar(c, (enum measure)m, isnan(value) ? 0 : value / c->full[m]);
        print_figure(c, (enum measure)m, value);
    }
    putc('\n', c->out);
}

static void print_titles(const struct chart *c)
{
    fprintf(c->out, "\n%-*s", c->name_width, "Code block");
    for (int m = 0; m < N_MEASURES; m++)
        if (is_shown(c, m))
            fprintf(c->out, "%*s%-*s", GAP, "", c->bar_width + c->figure_width[m], titles[m]);
    putc('\n', c->out);
}

/* --- chart ---------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    double s = x->value[TIME], t = y->value[TIME];

    if (s != t)
        return s < t ? 1 : -1;
    return strcmp(x->block->name, y->block->name);
}

static void measure_figures(struct chart *c, const struct row *rows, size_t n)
{
    char text[400];

    for (int m = 0; m < N_MEASURES; m++) {
        c->figure_width[m] = figure_widths[m];
        for (size_t i = 0; i < n; i++) {
            figure_of(c, (enum measure)m, rows[i].value[m], text, sizeof(text));
            if ((int)strlen(text) >= c->figure_width[m])
                c->figure_width[m] = (int)strlen(text) + 1;
        }
    }
}

/* What there is beside the names and the bars. */
static int room_of_figures(const struct chart *c, int *ret_n_shown)
{
    int room = 0;

    *ret_n_shown = 0;
    for (int m = 0; m < N_MEASURES; m++) {
        if (is_shown(c, m)) {
            room += c->figure_width[m] + GAP;
            ++*ret_n_shown;
        }
    }
    return room;
}

/* Where there is no room for all, the last go first, then the seconds. */
static void drop_what_is_too_wide(struct chart *c, int width)
{
    int n_shown;

    for (int m = N_MEASURES - 1; m > TIME; m--)
        if (SHORTEST_NAME + room_of_figures(c, &n_shown) + n_shown > width)
            c->full[m] = 0;
    if (SHORTEST_NAME + room_of_figures(c, &n_shown) + n_shown > width) {
        c->has_short_figures = true;
        c->figure_width[TIME] = short_figure_width;
    }
}

static void lay_out(struct chart *c, const struct row *rows, size_t n)
{
    int n_shown = 0, figures, longest = SHORTEST_NAME, width = c->style->width, most;

    width = width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
    measure_figures(c, rows, n);
    drop_what_is_too_wide(c, width);
    figures = room_of_figures(c, &n_shown);
    for (size_t i = 0; i < n; i++)
        if (columns_of(rows[i].block->name) > longest)
            longest = columns_of(rows[i].block->name);
    n_shown = n_shown ? n_shown : 1;
    most = width / 4 > SHORTEST_NAME ? width / 4 : SHORTEST_NAME;
    c->name_width = longest < most ? longest : most;
    c->bar_width = (width - c->name_width - figures) / n_shown;
    if (c->bar_width < 1) { /* the names give way */
        c->bar_width = 1;
        c->name_width = SHORTEST_NAME;
    }
}

static void fill_rows(const struct gput_block *blocks, size_t n, double ram_unit_size,
                      struct row *ret)
{
    unsigned ram = column_of("combined_ram"), gpu_ram = column_of("combined_gpu_ram");

    for (size_t i = 0; i < n; i++) {
        double peak = blocks[i].resource_usage[ram].max;

        /* A block between two records: what its own marks tell. */
        if (isnan(peak))
            peak = blocks[i].peak_ram / ram_unit_size;
        ret[i] =
            (struct row){ &blocks[i],
                          { blocks[i].wall_time, peak, blocks[i].resource_usage[gpu_ram].max } };
    }
    qsort(ret, n, sizeof(*ret), by_time);
}

static double size_of_unit(const char *unit)
{
    static const char letters[] = "BkMGT";
    const char *at = unit && *unit ? strchr(letters, *unit) : NULL;

    return at ? pow(1000, (double)(at - letters)) : 1;
}

void bars_format(const struct gput_analysis *a, const struct bars_style *style, FILE *out)
{
    const struct gput_stats *overall = gput_analysis_overall(a);
    struct chart c = { .style = style, .out = out };
    size_t n, shown;
    const struct gput_block *blocks = gput_analysis_blocks(a, &n);
    struct row *rows = n > 0 ? malloc(n * sizeof(*rows)) : NULL;

    if (!rows)
        return;
    c.full[TIME] = gput_analysis_duration(a);
    c.full[RAM] = overall[column_of("combined_ram")].max;
    c.full[GPU_RAM] = overall[column_of("combined_gpu_ram")].max;
    c.unit[RAM] = short_unit(gput_analysis_ram_unit(a));
    c.unit[GPU_RAM] = short_unit(gput_analysis_gpu_ram_unit(a));
    fill_rows(blocks, n, size_of_unit(c.unit[RAM]), rows);
    shown = n < MOST_ROWS ? n : MOST_ROWS;
    lay_out(&c, rows, shown);
    print_titles(&c);
    for (size_t i = 0; i < shown; i++)
        print_row(&c, &rows[i]);
    if (n > shown)
        fprintf(out, "and %zu more\n", n - shown);
    free(rows);
}

void bars_print(const struct gput_analysis *a)
{
    struct bars_style style = { .width = terminal_width(79),
                                .has_colour = terminal_has_colour(),
                                .has_utf8 = terminal_has_utf8() };

    bars_format(a, &style, stdout);
}
