/* html_deep.c - for who zooms in: as much of the series as there is room for, deflated. */
#include <errno.h>
#include <math.h>

#include "base/text/dtoa.h"
#include "report/html/html.h"
#include "report/html/level.h"
#include "report/html/pack.h"

enum {
    MOST_MOMENTS = 1 << 17,
    COARSE = 4095, /* codes are exact to this part of the highest value */
    /* Stretches of the run by which the size of the whole is guessed, and moments in each. */
    N_STRETCHES = 4,
    STRETCH = 512,
    MOST_GUESSES = 6,
};

/* Times, then the lines of all charts in their order, as planes of bytes. */
static void pack(struct gput__level *l, const struct gput__level_source *s, struct gput__buf *ret)
{
    uint16_t *high = l->code + l->n, *mean = high + l->n;

    gput__level_fill_ticks(l, s);
    gput__pack_rising(ret, l->ticks, l->n);
    for (size_t i = 0; i < s->charts->n; i++)
        for (size_t k = 0; k < s->charts->chart[i].n_lines; k++) {
            const struct gput__chart *c = &s->charts->chart[i];

            gput__level_fill_codes(l, s, c, &c->line[k], COARSE);
            gput__pack_differences(ret, l->code, l->n);
            if (!l->is_thin)
                continue;
            gput__pack_above(ret, high, l->code, l->n);
            gput__pack_above(ret, mean, l->code, l->n);
        }
}

static int pack_level(struct gput__level *l, const struct gput__level_source *s, size_t most,
                      struct gput__buf *ret)
{
    int r = gput__level_make(l, s, most);

    if (r == 0)
        pack(l, s, ret);
    return r;
}

/* About how many bytes `most` moments will be. */
static int guess_size(const struct gput__level_source *s, size_t most, double *ret)
{
    struct gput__buf planes = { 0 }, packed = { 0 };
    size_t n = gput__thin_start(s->n, most, STRETCH); /* records of a stretch */
    int r = 0;

    for (size_t i = 0; r == 0 && i < N_STRETCHES; i++) {
        struct gput__level_source part = *s;
        struct gput__level l;

        part.first = (s->n - n) / (N_STRETCHES - 1) * i;
        part.n = n;
        r = pack_level(&l, &part, STRETCH, &planes);
        gput__level_free(&l);
    }
    r = r < 0 ? r : gput__pack_deflate(&planes, &packed);
    *ret = (double)packed.len * (double)most / (N_STRETCHES * STRETCH);
    gput__buf_free(&planes);
    gput__buf_free(&packed);
    return r;
}

/* How many moments will nearly fill the room.  All records may cost less than somewhat fewer moments,
 * which need three values each. */
static int guess_moments(const struct gput__level_source *s, size_t least, size_t room, size_t *ret)
{
    size_t all = s->n < MOST_MOMENTS ? s->n : MOST_MOMENTS, most = all;
    double size;
    int r = 0;

    for (int i = 0; i < MOST_GUESSES && most > least && most > N_STRETCHES * STRETCH; i++) {
        r = guess_size(s, most, &size);
        if (r < 0 || (size <= (double)room && (most == all || size > 0.93 * (double)room)))
            break;
        most = (size_t)fmin((double)most * 0.97 * (double)room / size, (double)all);
    }
    *ret = most;
    return r;
}

static void write_deep(const struct gput__level *l, const struct gput__buf *packed,
                       struct gput__buf *out)
{
    gput__buf_printf(out, ",\"deep\":{\"n\":%zu,\"thin\":%s,\"top\":%d,\"data\":\"", l->n,
                     l->is_thin ? "true" : "false", COARSE);
    gput__pack_base64(out, packed->data, packed->len);
    gput__buf_puts(out, "\"}");
}

/* Codes of these moments have steps of their own. */
static void write_steps(const struct gput__charts *charts, struct gput__buf *out)
{
    const char *comma = "";

    gput__buf_puts(out, ",\"deepSteps\":[");
    for (size_t i = 0; i < charts->n; i++)
        for (size_t k = 0; k < charts->chart[i].n_lines; k++) {
            char text[32];

            gput__dtoa(gput__level_step(&charts->chart[i], &charts->chart[i].line[k], COARSE),
                       text);
            gput__buf_printf(out, "%s%s", comma, text);
            comma = ",";
        }
    gput__buf_putc(out, ']');
}

/* What does not fit is tried again, as much coarser as it was too large. */
void gput__html_deep(const struct gput__level_source *s, size_t least, size_t room,
                     struct gput__buf *out)
{
    size_t most;
    bool fits = false;
    int r;

    write_steps(s->charts, out);
    room = room / 4 * 3; /* base64 */
    r = guess_moments(s, least, room, &most);
    while (r == 0 && !fits && most > least) {
        struct gput__buf planes = { 0 }, packed = { 0 };
        struct gput__level l;

        r = pack_level(&l, s, most, &planes);
        r = r < 0 ? r : gput__pack_deflate(&planes, &packed);
        fits = r == 0 && packed.len <= room;
        if (fits)
            write_deep(&l, &packed, out);
        else if (r == 0)
            most = (size_t)((double)most * 0.97 * (double)room / (double)packed.len);
        gput__level_free(&l);
        gput__buf_free(&planes);
        gput__buf_free(&packed);
    }
}
