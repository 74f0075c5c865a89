/* parts.c - what of the live page is new: the sections and the series, each with the version that it is of.
 *
 * Nothing waits for a viewer: an event has what changed since the last one that this viewer took, whatever
 * that was.  Who is slow, or comes back, gets one event and has all. */
#include "api/serve/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/serve/now_json.h"
#include "report/html/html_text.h"

/* Of the run over time: as many columns as a phone has, about two for each three of a screen. */
enum { MOST_MOMENTS = 600 };

static void part_free(struct gput__part *p)
{
    gput__buf_free(&p->text);
}

void gput__parts_free(struct gput__parts *p)
{
    for (int i = 0; i < GPUT__LIVE_PARTS; i++)
        part_free(&p->of[i]);
    part_free(&p->charts);
    part_free(&p->data);
    part_free(&p->now);
}

/* Takes `text` over. */
static void set(struct gput__parts *p, struct gput__part *part, struct gput__buf *text)
{
    bool is_same = part->version && part->text.len == text->len &&
                   memcmp(gput__buf_text(&part->text), gput__buf_text(text), text->len) == 0;

    if (is_same || text->err) {
        gput__buf_free(text);
        return;
    }
    gput__buf_free(&part->text);
    part->text = *text;
    part->version = p->version;
}

static void refresh_section(struct gput__parts *p, const struct gput__html *h,
                            const struct gput__charts *c, enum gput__live_part which)
{
    struct gput__buf text = { 0 };

    gput__html_live_part(h, c, which, &text);
    set(p, &p->of[which], &text);
}

/* Pictures that stand still are made with the section: only where it is another one is it made anew. */
static void refresh_charts(struct gput__parts *p, const struct gput__html *h,
                           const struct gput__charts *c)
{
    struct gput__buf text = { 0 };

    gput__html_live_charts(c, &text);
    set(p, &p->charts, &text);
    if (p->charts.version != p->version)
        return;
    refresh_section(p, h, c, GPUT__LIVE_CHARTS);
    p->data_at = -1;
}

/* No more often than a chart moves by one of its moments: long runs send little. */
static void refresh_data(struct gput__parts *p, const struct gput__html *h,
                         const struct gput__charts *c)
{
    double length = h->run->end - h->run->start;
    struct gput__buf text = { 0 };

    if (p->data_at >= 0 && length - p->data_at < length / MOST_MOMENTS)
        return;
    gput__html_data_so_far(h, c, MOST_MOMENTS, &text);
    set(p, &p->data, &text);
    p->data_at = length;
}

static int refresh(struct gput__parts *p, const struct gput__run *run)
{
    struct gput__html h = { .run = run };
    struct gput__charts *charts = malloc(sizeof(*charts));

    if (!charts)
        return -ENOMEM;
    gput__charts_make(run, charts);
    for (int i = 0; i < GPUT__LIVE_PARTS; i++)
        if (i != GPUT__LIVE_CHARTS)
            refresh_section(p, &h, charts, (enum gput__live_part)i);
    refresh_charts(p, &h, charts);
    refresh_data(p, &h, charts);
    free(charts);
    return 0;
}

int gput__parts_refresh(struct gput__parts *p, const struct gput__watch *w)
{
    struct gput__buf now = { 0 };
    struct gput__run run;
    int r = gput__watch_run(w, &run);

    p->version++;
    if (r == 0)
        r = refresh(p, &run);
    gput__watch_run_free(&run);
    gput__now_json(&w->view, &now);
    set(p, &p->now, &now);
    return r;
}

void gput__parts_event(const struct gput__parts *p, uint64_t *mark, struct gput__buf *out)
{
    const char *comma = "";

    if (*mark >= p->version)
        return;
    gput__buf_printf(out, "data: {\"now\":%s,\"parts\":{", gput__buf_text(&p->now.text));
    for (int i = 0; i < GPUT__LIVE_PARTS; i++) {
        if (p->of[i].version <= *mark)
            continue;
        gput__buf_printf(out, "%s\"%s\":", comma, gput__html_live_name((enum gput__live_part)i));
        gput__html_json(out, gput__buf_text(&p->of[i].text));
        comma = ",";
    }
    gput__buf_putc(out, '}');
    if (p->data.version > *mark)
        gput__buf_printf(out, ",\"data\":%s", gput__buf_text(&p->data.text));
    gput__buf_puts(out, "}\n\n");
    *mark = p->version;
}

int gput__parts_page(const struct gput__parts *p, const struct gput__watch *w, char **ret_html)
{
    struct gput__charts *charts = malloc(sizeof(*charts));
    const char *texts[GPUT__LIVE_PARTS];
    struct gput__buf out = { 0 };
    struct gput__run run;
    int r = gput__watch_run(w, &run);

    for (int i = 0; i < GPUT__LIVE_PARTS; i++)
        texts[i] = gput__buf_text(&p->of[i].text);
    if (r == 0 && charts) {
        gput__charts_make(&run, charts);
        gput__html_live_page(&(struct gput__html){ .run = &run }, charts, texts, &out);
    }
    gput__watch_run_free(&run);
    free(charts);
    if (r == 0 && !charts)
        r = -ENOMEM;
    return r < 0 ? r : gput__buf_detach(&out, ret_html);
}
