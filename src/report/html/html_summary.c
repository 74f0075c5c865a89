/* html_summary.c - the head of a report: what ran, where, when, and how it ended. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/advice.h"
#include "report/html/html.h"
#include "report/html/html_text.h"
#include "report/text/amount.h"
#include "report/text/ending.h"

static const char *const tones[] = {
    [GPUT__TONE_GOOD] = "good",
    [GPUT__TONE_NEUTRAL] = "neutral",
    [GPUT__TONE_WARN] = "warn",
    [GPUT__TONE_BAD] = "bad",
};

/* A tick, a dot, an exclamation mark, a cross: colour alone tells nothing. */
static void write_icon(struct gput__buf *out, enum gput__tone tone)
{
    static const char *const paths[] = {
        [GPUT__TONE_GOOD] = "M4.5 8.5l2.5 2.5 4.5-5.5",
        [GPUT__TONE_NEUTRAL] = "M8 7.2v4M8 4.7v.1",
        [GPUT__TONE_WARN] = "M8 4.2v4.6M8 11.3v.1",
        [GPUT__TONE_BAD] = "M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6",
    };

    gput__buf_printf(
        out,
        "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><circle cx=\"8\" "
        "cy=\"8\" r=\"8\"/><path d=\"%s\"/></svg>",
        paths[tone]);
}

static void write_fact(struct gput__buf *out, const char *name, const char *value)
{
    if (!value)
        return;
    gput__buf_printf(out, "<div><dt>%s</dt><dd>", name);
    gput__html_isolated(out, value);
    gput__buf_puts(out, "</dd></div>");
}

static void write_moment(struct gput__buf *out, const char *name, double when)
{
    char text[GPUT__AMOUNT_SIZE], iso[GPUT__AMOUNT_SIZE];

    if (!isfinite(when) || when <= 0)
        return;
    gput__buf_printf(out, "<div><dt>%s</dt><dd><time datetime=\"%s\">%s</time></dd></div>", name,
                     gput__amount_iso(when, iso), gput__amount_utc(when, text));
}

static void write_cloud(struct gput__buf *out, const struct gput__run *run)
{
    const char *parts[] = { run->cloud_vendor, run->instance_type, run->region };
    int n = 0;

    for (size_t i = 0; i < 3; i++) {
        if (!parts[i])
            continue;
        gput__buf_puts(out, n++ ? ", " : "<div><dt>Cloud</dt><dd>");
        gput__html_isolated(out, parts[i]);
    }
    if (n > 0)
        gput__buf_puts(out, "</dd></div>");
}

/* "key=value, key=value" */
static void write_pairs(struct gput__buf *out, const char *name, const char *lines)
{
    if (!lines || !*lines)
        return;
    gput__buf_printf(out, "<div><dt>%s</dt><dd>", name);
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        char *pair = strndup(lines, n);

        gput__html_isolated(out, pair ? pair : "");
        free(pair);
        lines += n + (lines[n] == '\n');
        gput__buf_puts(out, *lines ? ", " : "");
    }
    gput__buf_puts(out, "</dd></div>");
}

/* A run that was just measured has more rows than records at its beginning. */
static bool is_finer(const struct gput__run *run)
{
    return (double)run->n_records > (run->end - run->start) / run->interval + 2;
}

static void write_records(struct gput__buf *out, const struct gput__run *run)
{
    char n[GPUT__AMOUNT_SIZE], interval[GPUT__AMOUNT_SIZE];

    if (run->n_records == 0)
        return;
    gput__buf_printf(out, "<div><dt>Records</dt><dd>%s",
                     gput__amount_count((double)run->n_records, n));
    if (run->interval > 0)
        gput__buf_printf(out, ", %s %s", is_finer(run) ? "at least every" : "every",
                         gput__amount_seconds(run->interval, interval));
    gput__buf_puts(out, "</dd></div>");
}

static void write_facts(const struct gput__html *h, struct gput__buf *out)
{
    const struct gput__run *run = h->run;

    gput__buf_puts(out, "<dl class=\"facts\">");
    write_fact(out, "Job", run->usage.run.job_name);
    write_pairs(out, "Tags", run->usage.run.tags);
    write_pairs(out, "Metadata", run->usage.run.metadata);
    write_moment(out, "Started", run->start);
    write_fact(out, "Host", run->host);
    write_fact(out, "System", run->os);
    write_fact(out, "CPU", run->cpu_model);
    write_cloud(out, run);
    write_records(out, run);
    write_fact(out, "From", run->source);
    gput__buf_puts(out, "</dl>\n");
}

/* What is longer scrolls. */
enum { SEVERAL_LINES = 400 };

static void write_command(struct gput__buf *out, const char *command)
{
    gput__buf_printf(out, "<p class=\"command\"%s><span class=\"sr\">Command: </span><bdi>",
                     strlen(command) > SEVERAL_LINES ? " tabindex=\"0\"" : "");
    gput__html_beginning(out, command, GPUT__LONG_COMMAND);
    gput__buf_puts(out, "</bdi></p>\n");
}

const char *gput__html_title(const struct gput__html *h)
{
    const char *command = h->run->usage.job.command;

    return h->title ? h->title : command ? command : h->run->source ? h->run->source : "A run";
}

static void write_title(const struct gput__html *h, struct gput__buf *out)
{
    const char *command = h->run->usage.job.command;

    gput__buf_printf(out, "<h1 id=\"title\"%s><bdi>",
                     !h->title && command ? " class=\"command\"" : "");
    gput__html_beginning(out, gput__html_title(h), GPUT__LONG_TITLE);
    gput__buf_puts(out, "</bdi></h1>\n");
    if (command && (h->title || strlen(command) > GPUT__LONG_TITLE))
        write_command(out, command);
}

void gput__html_ending(const struct gput__html *h, struct gput__advice *ret)
{
    gput__ending_in_words(h->run, ret);
    if (h->has_failed && ret->tone != GPUT__TONE_BAD) {
        ret->tone = GPUT__TONE_BAD;
        strcpy(ret->what, "Failed");
    }
}

void gput__html_summary(const struct gput__html *h, struct gput__buf *out)
{
    struct gput__advice ending;

    gput__html_ending(h, &ending);
    gput__buf_puts(out, "<section class=\"hero\" aria-labelledby=\"title\">\n");
    gput__buf_printf(out, "<p class=\"verdict %s\" id=\"verdict\">", tones[ending.tone]);
    write_icon(out, ending.tone);
    gput__html_text(out, ending.what);
    gput__buf_puts(out, "</p>\n");
    write_title(h, out);
    write_facts(h, out);
    gput__buf_puts(out, "</section>\n");
}

void gput__html_advice(const struct gput__html *h, struct gput__buf *out)
{
    struct gput__advice list[GPUT__MOST_ADVICE];
    size_t n = gput__advice(h->run, list);
    char limit[200];

    gput__limit_in_words(h->run, limit, sizeof(limit));
    gput__buf_puts(out, "<section aria-labelledby=\"limited\">\n<h2 id=\"limited\">What limited "
                        "it</h2>\n<p class=\"headline\" id=\"limit\">");
    gput__html_text(out, limit);
    gput__buf_puts(out, "</p>\n");
    if (n > 0)
        gput__buf_puts(out, "<ul class=\"advice\">\n");
    for (size_t i = 0; i < n; i++) {
        gput__buf_printf(out, "<li class=\"%s\" data-rule=\"%s\">", tones[list[i].tone],
                         list[i].id);
        write_icon(out, list[i].tone);
        gput__buf_puts(out, "<div><p>");
        gput__html_text(out, list[i].what);
        gput__buf_puts(out, "</p>");
        if (list[i].todo[0]) {
            gput__buf_puts(out, "<p class=\"todo\">");
            gput__html_text(out, list[i].todo);
            gput__buf_puts(out, "</p>");
        }
        gput__buf_puts(out, "</div></li>\n");
    }
    gput__buf_puts(out, n > 0 ? "</ul>\n</section>\n" : "</section>\n");
}
