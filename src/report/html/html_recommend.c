/* html_recommend.c - what to ask for next time, with lines to paste. */
#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/recommend.h"

static void write_fact(struct gput__buf *out, const char *name, const struct gput__buf *value)
{
    gput__buf_printf(out, "<div><dt>%s</dt><dd>", name);
    gput__html_text(out, gput__buf_text(value));
    gput__buf_puts(out, "</dd></div>");
}

static void write_count(struct gput__buf *out, const char *name, int n)
{
    struct gput__buf text = { 0 };

    gput__buf_printf(&text, "%d", n);
    if (n > 0)
        write_fact(out, name, &text);
    gput__buf_free(&text);
}

static void write_memory(struct gput__buf *out, const char *name, uint64_t mib)
{
    struct gput__buf text = { 0 };

    gput__write_mib(&text, mib);
    if (mib > 0)
        write_fact(out, name, &text);
    gput__buf_free(&text);
}

static void write_time(struct gput__buf *out, double seconds)
{
    struct gput__buf text = { 0 };

    gput__write_duration(&text, seconds);
    if (seconds > 0)
        write_fact(out, "Time limit", &text);
    gput__buf_free(&text);
}

static void write_note(void *ctx, const char *note)
{
    struct gput__buf *out = ctx;

    gput__buf_puts(out, "<p class=\"note\">Note: ");
    gput__html_text(out, note);
    gput__buf_puts(out, ".</p>\n");
}

static void write_snippet(struct gput__buf *out, const struct gput__recommendation *r,
                          const struct gput__recommend_target *t)
{
    struct gput__buf lines = { 0 };

    t->write(r, &lines); /* without comments: what they say stands above */
    gput__buf_printf(out,
                     "<div class=\"snippet\" id=\"for-%s\"><div><h3>%s</h3></div><pre "
                     "tabindex=\"0\" role=\"region\" aria-label=\"Lines for %s\">",
                     t->name, t->title, t->title);
    gput__html_text(out, gput__buf_text(&lines));
    gput__buf_puts(out, "</pre></div>\n");
    gput__buf_free(&lines);
}

void gput__html_recommend(const struct gput__html *h, struct gput__buf *out)
{
    const struct gput__recommendation *r = h->recommendation;

    if (!r)
        return;
    gput__buf_puts(out, "<section aria-labelledby=\"ask\">\n<h2 id=\"ask\">What to ask for next "
                        "time</h2>\n<p>Memory and time have a margin of ");
    gput__write_percent(out, r->margin);
    gput__buf_puts(out, ".</p>\n<dl class=\"facts ask\">");
    write_count(out, "CPU cores", r->ask.cpu);
    write_memory(out, "Memory", r->ask.memory_mib);
    write_count(out, "GPUs", r->ask.gpu);
    write_memory(out, r->ask.gpu > 1 ? "GPU memory, all together" : "GPU memory", r->ask.vram_mib);
    write_time(out, r->ask.time);
    gput__buf_puts(out, "</dl>\n");
    gput__recommend_notes(r, write_note, out);
    gput__buf_puts(out, "<div class=\"snippets\">\n");
    for (const struct gput__recommend_target *t = gput__recommend_targets; t->name; t++)
        write_snippet(out, r, t);
    gput__buf_puts(out, "</div>\n<p class=\"sr\" id=\"said\" role=\"status\" "
                        "aria-live=\"polite\"></p>\n</section>\n");
}
