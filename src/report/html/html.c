/* html.c - the report of a run: one page that needs nothing else. */
#include "report/html/html.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "report/html/html_assets.h"
#include "report/html/html_text.h"

/* A page of this size opens at once, and goes by mail. */
#define LARGEST_PAGE (1400u << 10)
/* What the series get at least. */
#define LEAST_ROOM (128u << 10)

static void write_asset(struct gput__buf *out, const char *tag, const struct gput__asset *asset)
{
    gput__buf_printf(out, "<%s>", tag);
    gput__buf_add(out, asset->text, asset->n);
    gput__buf_printf(out, "</%s>\n", tag);
}

static const char *title_of(const struct gput__html *h)
{
    if (h->title)
        return h->title;
    if (h->run->usage.job.command)
        return h->run->usage.job.command;
    return h->run->source ? h->run->source : "A run";
}

/* Nothing may be fetched from anywhere but, of a live page, its own server, and no other script than ours
 * may run. */
static void write_policy(bool is_live, struct gput__buf *out)
{
    gput__buf_printf(out,
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src '%s'; script-src '%s' '%s'; img-src data:; %sbase-uri 'none'; "
                     "form-action 'none'\">\n",
                     gput__asset_style.hash, gput__asset_head_script.hash,
                     gput__asset_report_script.hash, is_live ? "connect-src 'self'; " : "");
}

static void write_head(const char *title, bool is_live, struct gput__buf *out)
{
    gput__buf_puts(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    write_policy(is_live, out);
    gput__buf_puts(out,
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n"
                   "<meta name=\"generator\" content=\"gpu-tracker " GPUT_VERSION "\">\n"
                   "<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/"
                   "2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' "
                   "fill='%232563eb'/%3E%3Cpath d='M3 11l3-5 3 3 4-6' fill='none' stroke='white' "
                   "stroke-width='1.8'/%3E%3C/svg%3E\">\n<title>");
    gput__html_beginning(out, title, GPUT__LONG_TITLE);
    gput__buf_puts(out, "</title>\n");
    write_asset(out, "style", &gput__asset_style);
    write_asset(out, "script", &gput__asset_head_script);
    gput__buf_puts(out, "</head>\n");
}

static void write_top(struct gput__buf *out)
{
    gput__buf_puts(
        out, "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n"
             "<header class=\"top\"><span class=\"brand\"><svg viewBox=\"0 0 16 16\" "
             "aria-hidden=\"true\"><path d=\"M1.5 11.5l4-6 3.5 3.5 5.5-7\"/></svg>gpu-tracker "
             "report</span><button type=\"button\" id=\"theme\" class=\"button\" hidden>"
             "Colours: automatic</button></header>\n<main id=\"main\">\n");
}

void gput__html_begin(const char *title, struct gput__buf *out)
{
    write_head(title, false, out);
    write_top(out);
}

void gput__html_begin_live(const struct gput__html *h, struct gput__buf *out)
{
    write_head(title_of(h), true, out);
    write_top(out);
}

static void write_footer(const char *what, struct gput__buf *out)
{
    gput__buf_printf(out, "</main>\n<footer>Made by gpu-tracker " GPUT_VERSION ". %s</footer>\n",
                     what);
}

static const char complete[] = "This page is complete in itself: it fetches nothing.";

static void write_script(struct gput__buf *out)
{
    write_asset(out, "script", &gput__asset_report_script);
    gput__buf_puts(out, "</body>\n</html>\n");
}

void gput__html_end(void (*write_data)(const void *ctx, struct gput__buf *out), const void *ctx,
                    struct gput__buf *out)
{
    write_footer(complete, out);
    write_data(ctx, out);
    write_script(out);
}

void gput__html_end_charts(const struct gput__html *h, const struct gput__charts *charts,
                           struct gput__buf *out)
{
    size_t used;

    write_footer(complete, out);
    used = out->len + gput__asset_report_script.n;
    gput__html_data(h, charts, used + LEAST_ROOM < LARGEST_PAGE ? LARGEST_PAGE - used : LEAST_ROOM,
                    out);
    write_script(out);
}

void gput__html_end_live(const struct gput__html *h, const struct gput__charts *charts,
                         struct gput__buf *out)
{
    write_footer("This page asks the tracker's own server for what is new, and nobody else.", out);
    gput__buf_puts(out, "<script type=\"application/json\" id=\"data\">");
    gput__html_data_so_far(h, charts, 0, out);
    gput__buf_puts(out, "</script>\n");
    write_script(out);
}

int gput__html_write(const struct gput__html *h, struct gput__buf *out)
{
    struct gput__charts *charts = malloc(sizeof(*charts));

    if (!charts)
        return -ENOMEM;
    gput__charts_make(h->run, charts);
    gput__html_begin(title_of(h), out);
    gput__html_summary(h, out);
    gput__html_cards(h, out);
    gput__html_advice(h, out);
    gput__html_charts(h, charts, out);
    gput__html_blocks(h, out);
    gput__html_recommend(h, out);
    if (h->write_servers)
        h->write_servers(h->servers, out);
    gput__html_who(h, out);
    gput__html_gpus(h, out);
    gput__html_figures(h, out);
    gput__html_end_charts(h, charts, out);
    free(charts);
    return out->err;
}
