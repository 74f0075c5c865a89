/* plot_chart.c - one chart: an area of several rows, or a line of small bars. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/plot/plot_parts.h"

/* How the cells of a chart style. */
struct style {
    const char *const *steps; /* a cell filled more and more; the last one is full */
    int n_steps;
    const char *shade; /* reached at times */
    const char *flat;
};

static const char *const eighths[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const thirds[] = { ".", ":", "#" };
static const struct style unicode_look = { eighths, 8, "░", "─" };
static const struct style ascii_look = { thirds, 3, "|", "-" };

static const struct style *style_of(const struct gput__pen *pen)
{
    return pen->use_unicode ? &unicode_look : &ascii_look;
}

/* --- labels --------------------------------------------------------------------------------- */

enum { MOST_ROWS = 8, LABEL_SIZE = GPUT__AMOUNT_SIZE + 8, NOTE_SIZE = 2 * GPUT__AMOUNT_SIZE + 32 };

static void label(char ret[LABEL_SIZE], const char *word, double value, enum gput__amount_kind kind)
{
    char amount[GPUT__AMOUNT_SIZE];

    gput__amount(value, kind, amount);
    snprintf(ret, LABEL_SIZE, "%s%s", word, amount);
}

static bool is_said_alike(double a, double b, enum gput__amount_kind kind)
{
    char one[GPUT__AMOUNT_SIZE], other[GPUT__AMOUNT_SIZE];

    gput__amount(a, kind, one);
    gput__amount(b, kind, other);
    return strcmp(one, other) == 0;
}

/* A chart would be one block: a line with a number tells as much. */
static bool is_flat(const struct gput__plot_series *s)
{
    return is_said_alike(s->bins.min, s->bins.max, s->kind) ||
           s->bins.max - s->bins.min < s->full / 64;
}

static bool is_large(const struct gput__plot_series *s)
{
    return s->slot <= GPUT__PLOT_GPU_RAM && !is_flat(s);
}

/* What stands beside a row. */
struct label {
    char text[LABEL_SIZE]; /* empty: nothing */
    bool is_at_height;     /* and not beside its row for want of room */
};

/* The row that a value lies in, from the top. */
static int row_of(const struct gput__plot_series *s, int rows, double value)
{
    double share = value / s->full;

    if (!(share > 0))
        return rows - 1;
    return share >= 1 ? 0 : rows - (int)ceil(share * rows);
}

static void label_rows(const struct gput__plot_series *s, int rows, struct label *ret)
{
    const struct {
        const char *word;
        double value;
    } marks[] = { { "", s->full }, { "max ", s->bins.max }, { "mean ", s->bins.mean } };
    /* The top of the scale is said where it is not the maximum. */
    int first = s->bins.max < s->full * 0.995 ? 0 : 1, next = 0;

    for (int row = 0; row < rows; row++)
        ret[row] = (struct label){ 0 };
    for (int i = first; i < 3; i++) {
        int at = row_of(s, rows, marks[i].value), row = at < next ? next : at;

        row = row > rows - 3 + i ? rows - 3 + i : row; /* room for those that follow */
        label(ret[row].text, marks[i].word, marks[i].value, s->kind);
        ret[row].is_at_height = row == at;
        next = row + 1;
    }
    if (!ret[rows - 1].text[0])
        ret[rows - 1] = (struct label){ "0", true };
}

int gput__plot_label_width(const struct gput__plot_series *s)
{
    char text[3][LABEL_SIZE];
    int width = (int)strlen(s->name);

    label(text[0], is_large(s) ? "max " : "", s->bins.max, s->kind);
    label(text[1], is_large(s) ? "mean " : "", s->bins.mean, s->kind);
    label(text[2], "", s->full, s->kind);
    for (int i = 0; i < (is_large(s) ? 3 : is_flat(s) ? 2 : 1); i++)
        width = (int)strlen(text[i]) > width ? (int)strlen(text[i]) : width;
    if (s->slot == GPUT__PLOT_GPU) /* both on one line */
        width = (int)(strlen(s->name) + strlen(strlen(text[1]) > 5 ? text[1] : "100 %")) + 2;
    return width;
}

/* --- one row -------------------------------------------------------------------------------- */

static void draw_tick(struct gput__pen *pen, bool has_label)
{
    gput__pen_cell(pen, GPUT__PEN_DIM,
                   has_label ? gput__pen_choice(pen, "┤", "+") : gput__pen_choice(pen, "│", "|"));
}

/* Steps of height, at least one: what is known is seen. */
static int height_of(double value, double full, int most)
{
    double height = full > 0 ? value / full * most : 1;

    return !(height > 1) ? 1 : height >= most ? most : (int)(height + 0.5);
}

/* The cell of one column, `below` steps above the ground. */
static void draw_cell(struct gput__pen *pen, const struct gput__plot_series *s,
                      const struct gput__bin *column, int below, int most)
{
    const struct style *style = style_of(pen);
    int top, body;

    if (isnan(column->max)) {
        gput__pen_cell(pen, NULL, " ");
        return;
    }
    top = height_of(column->max, s->full, most);
    body = height_of(column->mean, s->full, most);
    if (top - body < style->n_steps)
        body = top; /* an edge is no noise */
    if (body - below >= style->n_steps)
        gput__pen_cell(pen, s->colour, style->steps[style->n_steps - 1]);
    else if (body > below)
        gput__pen_cell(pen, s->colour, style->steps[body - below - 1]);
    else if (top > below)
        gput__pen_cell(pen, s->colour, style->shade);
    else
        gput__pen_cell(pen, NULL, " ");
}

void gput__plot_cells(struct gput__pen *pen, const struct gput__plot_frame *f,
                      const struct gput__plot_series *s, int row, int rows)
{
    int n_steps = style_of(pen)->n_steps, below = (rows - 1 - row) * n_steps;

    for (int c = 0; c < f->axis.n_columns; c++)
        draw_cell(pen, s, &s->bins.columns[c], below, rows * n_steps);
}

/* --- charts --------------------------------------------------------------------------------- */

/* Empty: nothing of that kind is known. */
static void say_peak(const struct gput__plot_series *s, double peak, char ret[NOTE_SIZE])
{
    char amount[GPUT__AMOUNT_SIZE];

    ret[0] = '\0';
    if (!(peak > s->bins.max * 1.01)) /* what the records show too */
        return;
    gput__amount(peak, s->kind, amount);
    snprintf(ret, NOTE_SIZE, "%s between records", amount);
}

static void say_range(const struct gput__plot_series *s, char ret[NOTE_SIZE])
{
    char least[GPUT__AMOUNT_SIZE], most[GPUT__AMOUNT_SIZE];

    gput__amount(s->bins.min, s->kind, least);
    gput__amount(s->bins.max, s->kind, most);
    if (s->bins.n_known == 1)
        snprintf(ret, NOTE_SIZE, "%s, one value", most);
    else if (strcmp(least, most) == 0)
        snprintf(ret, NOTE_SIZE, "the same throughout");
    else
        snprintf(ret, NOTE_SIZE, "%s to %s", least, most);
}

static void draw_large(struct gput__pen *pen, const struct gput__plot_frame *f,
                       const struct gput__plot_series *s, double peak)
{
    struct label labels[MOST_ROWS];
    char note[NOTE_SIZE];

    say_peak(s, peak, note);
    gput__plot_title(pen, f, s, note);
    label_rows(s, f->rows, labels);
    for (int row = 0; row < f->rows; row++) {
        gput__plot_label(pen, f, GPUT__PEN_DIM, labels[row].text);
        draw_tick(pen, labels[row].is_at_height);
        gput__plot_cells(pen, f, s, row, f->rows);
        gput__pen_end_line(pen);
    }
}

static void draw_small(struct gput__pen *pen, const struct gput__plot_frame *f,
                       const struct gput__plot_series *s)
{
    char most[LABEL_SIZE], mean[LABEL_SIZE];

    label(most, "", s->bins.max, s->kind);
    label(mean, "mean ", s->bins.mean, s->kind);
    gput__plot_title(pen, f, s, mean);
    gput__plot_label(pen, f, GPUT__PEN_DIM, most);
    draw_tick(pen, true);
    gput__plot_cells(pen, f, s, 0, 1);
    gput__pen_end_line(pen);
}

static void draw_flat(struct gput__pen *pen, const struct gput__plot_frame *f,
                      const struct gput__plot_series *s, double peak)
{
    char value[LABEL_SIZE], note[NOTE_SIZE];

    label(value, "", s->bins.mean, s->kind);
    say_peak(s, peak, note);
    if (!*note)
        say_range(s, note);
    gput__plot_label(pen, f, GPUT__PEN_BOLD, s->name);
    gput__plot_note(pen, f, note, 0);
    gput__pen_end_line(pen);
    gput__plot_label(pen, f, GPUT__PEN_DIM, value);
    draw_tick(pen, true);
    for (int c = 0; c < f->axis.n_columns; c++)
        gput__pen_cell(pen, s->colour, isnan(s->bins.columns[c].max) ? " " : style_of(pen)->flat);
    gput__pen_end_line(pen);
}

/* One of several GPUs: its name and mean before its line. */
static void draw_gpu(struct gput__pen *pen, const struct gput__plot_frame *f,
                     const struct gput__plot_series *s)
{
    char mean[LABEL_SIZE];

    label(mean, "", s->bins.mean, s->kind);
    gput__pen_to(pen, f->gutter - gput__plot_label_width(s));
    gput__pen_text(pen, GPUT__PEN_BOLD, s->name);
    gput__plot_label(pen, f, GPUT__PEN_DIM, mean);
    draw_tick(pen, false);
    gput__plot_cells(pen, f, s, 0, 1);
    gput__pen_end_line(pen);
}

void gput__plot_chart(struct gput__pen *pen, const struct gput__plot_frame *f,
                      const struct gput__plot_series *s, double peak)
{
    if (s->slot == GPUT__PLOT_GPU)
        draw_gpu(pen, f, s);
    else if (is_flat(s))
        draw_flat(pen, f, s, peak);
    else if (is_large(s))
        draw_large(pen, f, s, peak);
    else
        draw_small(pen, f, s);
}
