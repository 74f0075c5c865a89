/* rank_state.c - what one tracker of a gathering has stored, as lines of text. */
#include "store/fleet/rank_state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/atod.h"
#include "base/text/dtoa.h"

#define HEAD "gpu-tracker-rank 1\n"
#define MOST_MOMENTS 100000

int gput__moments_make(struct gput__moments *m, size_t n)
{
    for (int i = 0; i < GPUT__N_MOMENT_VALUES; i++) {
        m->value[i] = malloc((n ? n : 1) * sizeof(double));
        if (!m->value[i])
            return -ENOMEM;
    }
    m->n = n;
    return 0;
}

void gput__rank_state_init(struct gput__rank_state *s)
{
    *s = (struct gput__rank_state){ 0 };
    for (int i = 0; i < GPUT__N_RANK_NUMBERS; i++)
        s->number[i] = NAN;
}

void gput__rank_state_free(struct gput__rank_state *s)
{
    for (int i = 0; i < GPUT__N_RANK_TEXTS; i++)
        free(s->text[i]);
    for (int i = 0; i < GPUT__N_MOMENT_VALUES; i++)
        free(s->moments.value[i]);
    gput__rank_state_init(s);
}

static void print_number(double value, struct gput__buf *out)
{
    char text[32];

    if (!isfinite(value)) {
        gput__buf_puts(out, " -");
        return;
    }
    gput__dtoa(value, text);
    gput__buf_putc(out, ' ');
    gput__buf_puts(out, text);
}

void gput__rank_state_print(const struct gput__rank_state *s, struct gput__buf *out)
{
    gput__buf_puts(out, HEAD "numbers");
    for (int i = 0; i < GPUT__N_RANK_NUMBERS; i++)
        print_number(s->number[i], out);
    gput__buf_puts(out, "\n");
    for (int i = 0; i < GPUT__N_RANK_TEXTS; i++)
        if (s->text[i])
            gput__buf_printf(out, "text %d %s\n", i, s->text[i]);
    gput__buf_printf(out, "moments %zu\n", s->moments.n);
    for (size_t k = 0; k < s->moments.n; k++) {
        for (int i = 0; i < GPUT__N_MOMENT_VALUES; i++)
            print_number(s->moments.value[i][k], out);
        gput__buf_puts(out, "\n");
    }
    gput__buf_puts(out, "end\n");
}

/* " 12.5 - 7": n numbers, each behind a blank, then the end of the line. */
static int parse_numbers(const char **p, double *ret, int n)
{
    for (int i = 0; i < n; i++) {
        const char *word;
        size_t len;

        if (**p != ' ')
            return -EBADMSG;
        word = *p + 1;
        len = strcspn(word, " \n");
        if (len == 0)
            return -EBADMSG;
        if (len == 1 && *word == '-')
            ret[i] = NAN;
        else if (gput__atod(word, &ret[i]) != word + len)
            return -EBADMSG;
        *p = word + len;
    }
    if (**p != '\n')
        return -EBADMSG;
    (*p)++;
    return 0;
}

static int parse_text(const char **p, struct gput__rank_state *s)
{
    char *behind;
    unsigned long i = strtoul(*p + 5, &behind, 10);
    const char *end = strchr(behind, '\n');

    if (!end || *behind != ' ' || i >= GPUT__N_RANK_TEXTS || s->text[i])
        return -EBADMSG;
    s->text[i] = strndup(behind + 1, (size_t)(end - behind - 1));
    *p = end + 1;
    return s->text[i] ? 0 : -ENOMEM;
}

static int parse_moments(const char **p, struct gput__rank_state *s)
{
    char *behind;
    unsigned long n = strtoul(*p + 8, &behind, 10);
    int r = n > MOST_MOMENTS || *behind != '\n' ? -EBADMSG : gput__moments_make(&s->moments, n);

    if (r < 0)
        return r;
    *p = behind + 1;
    for (size_t k = 0; k < n; k++) {
        double values[GPUT__N_MOMENT_VALUES];

        if (parse_numbers(p, values, GPUT__N_MOMENT_VALUES) < 0)
            return -EBADMSG;
        for (int i = 0; i < GPUT__N_MOMENT_VALUES; i++)
            s->moments.value[i][k] = values[i];
    }
    return strcmp(*p, "end\n") == 0 ? 0 : -EBADMSG;
}

int gput__rank_state_parse(const char *text, struct gput__rank_state *ret)
{
    const char *p = text + strlen(HEAD);
    int r;

    gput__rank_state_init(ret);
    if (strncmp(text, HEAD "numbers", strlen(HEAD "numbers")) != 0)
        return -EBADMSG;
    p += strlen("numbers");
    r = parse_numbers(&p, ret->number, GPUT__N_RANK_NUMBERS);
    while (r == 0 && strncmp(p, "text ", 5) == 0)
        r = parse_text(&p, ret);
    if (r == 0)
        r = strncmp(p, "moments ", 8) == 0 ? parse_moments(&p, ret) : -EBADMSG;
    return r;
}

#define FIRST_TOLD GPUT__RANK_WALL
#define N_TOLD (GPUT__RANK_MAX_PSS - GPUT__RANK_WALL + 1)

void gput__rank_line_print(const struct gput__rank_state *s, char *ret, size_t size)
{
    struct gput__buf line = { 0 };

    for (int i = 0; i < N_TOLD; i++)
        print_number(s->number[FIRST_TOLD + i], &line);
    snprintf(ret, size, "%s", gput__buf_text(&line));
    gput__buf_free(&line);
}

void gput__rank_line_apply(const char *line, struct gput__rank_state *s)
{
    double told[N_TOLD];
    char text[256];
    const char *p = text;
    size_t len = strcspn(line, "\n");

    if (len >= sizeof(text) - 1)
        return;
    while (len > 0 && line[len - 1] == ' ')
        len--;
    snprintf(text, sizeof(text), "%.*s\n", (int)len, line);
    if (parse_numbers(&p, told, N_TOLD) < 0)
        return;
    for (int i = 0; i < N_TOLD; i++)
        if (!(told[i] < s->number[FIRST_TOLD + i])) /* all of them only rise */
            s->number[FIRST_TOLD + i] = isnan(told[i]) ? s->number[FIRST_TOLD + i] : told[i];
}
