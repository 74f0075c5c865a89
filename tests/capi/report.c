/* report.c - a page and a picture of what a tracker has measured, from inside the program. */
#include "capi.h"

#define NOWHERE "http://127.0.0.1:9" /* a test asks no cloud */

static bool has_records(const struct gput_tracker *t, double n)
{
    double end = now_s() + LONG;

    while (usage_of(t).tracker.n_records.value < n && now_s() < end)
        sleep_for(0.01);
    return usage_of(t).tracker.n_records.value >= n;
}

static char *shown(struct gput_tracker *t, const char *title, int is_fragment)
{
    struct gput_report_options o = GPUT_REPORT_OPTIONS_INIT;
    struct gput_error e = { "", "" };
    char *page = NULL;

    o.tracker = t;
    o.title = title;
    o.is_fragment = is_fragment;
    if (gput_report_html(&o, &page, &e) < 0)
        bail("gput_report_html", e.text);
    return page;
}

static char *page_of(struct gput_tracker *t, const char *title)
{
    return shown(t, title, 0);
}

static char *picture_of(struct gput_tracker *t)
{
    struct gput_plot_options o = GPUT_PLOT_OPTIONS_INIT;
    struct gput_error e = { "", "" };
    char *text = NULL;

    o.tracker = t;
    o.width = 60;
    if (gput_report_text(&o, &text, &e) < 0)
        bail("gput_report_text", e.text);
    return text;
}

static void with_charts(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    char *page, *picture;

    o.flags = GPUT_KEEP_SERIES;
    o.sleep_time = 0.01;
    t = started(&o);
    OK(has_records(t, 5), "it records");
    page = page_of(t, "Mine & yours");
    OK(strstr(page, "id=\"chart-memory\"") && strstr(page, "Mine &amp; yours"),
       "a page while it goes on");
    free(page);
    page = shown(t, "Mine & yours", 1);
    OK(!strncmp(page, "<div ", 5) && strstr(page, "Still running") && strstr(page, "<svg") &&
           strstr(page, "Mine &amp; yours") && !strstr(page, "<script"),
       "or the main of it, as a part of another page");
    free(page);
    OK(gput_tracker_stop(t, 0, NULL) == 0, "it is stopped");
    page = page_of(t, NULL);
    picture = picture_of(t);
    OK(strstr(page, "id=\"chart-memory\"") && strstr(page, "id=\"chart-cpu\""),
       "and afterwards: the charts are there still");
    OK(strstr(picture, "RAM") && !strchr(picture, '\x1b'), "so for the picture");
    free(page);
    free(picture);
    gput_tracker_close(t);
}

static void without_charts(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = started(&o);
    char *page, *picture;

    OK(gput_tracker_stop(t, 0, NULL) == 0, "a tracker that was not told to keep them");
    page = page_of(t, NULL);
    picture = picture_of(t);
    OK(!strstr(page, "id=\"chart-memory\"") && strstr(page, "</html>"),
       "has a page without charts");
    OK(strstr(picture, "RAM") != NULL, "and a picture of the figures");
    free(page);
    free(picture);
    gput_tracker_close(t);
}

/* Rows of streams are kept over time too. */
static void from_streams(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    char *page;

    o.flags = GPUT_STREAM_OF_SYSTEM | GPUT_STREAM_OF_PROCESS;
    o.sleep_time = 0.01;
    o.discover = GPUT_DISCOVER_SERVER | GPUT_DISCOVER_CLOUD;
    o.metadata_url = NOWHERE;
    t = started(&o);
    OK(has_records(t, 5) && gput_tracker_stop(t, 0, NULL) == 0, "a tracker with streams");
    page = page_of(t, NULL);
    OK(strstr(page, "id=\"chart-memory\"") != NULL, "has a page with charts");
    free(page);
    gput_tracker_close(t);
}

static void of_a_job(void)
{
    struct gput_options o = quick();
    char *const argv[] = { (char *)"sleep", (char *)"0.2", NULL };
    struct gput_tracker *t;
    char *page, *picture;

    o.flags = GPUT_KEEP_SERIES;
    o.sleep_time = 0.02;
    o.discover = GPUT_DISCOVER_CLOUD;
    o.metadata_url = NOWHERE;
    t = opened(&o);
    OK(gput_tracker_spawn(t, argv, NULL) == 0 && gput_tracker_wait(t) == 0, "a job");
    page = page_of(t, NULL);
    picture = picture_of(t);
    OK(strstr(page, "id=\"chart-memory\"") && strstr(page, "sleep 0.2"),
       "its page has charts, and its command as title");
    OK(strstr(picture, "sleep 0.2") != NULL, "its picture too");
    free(page);
    free(picture);
    gput_tracker_close(t);
}

static void refusals(void)
{
    struct gput_report_options o = GPUT_REPORT_OPTIONS_INIT;
    struct gput_plot_options plot = GPUT_PLOT_OPTIONS_INIT;
    struct gput_options quickly = quick();
    struct gput_tracker *t = opened(&quickly);
    struct gput_error e = { "", "" };
    char *text = NULL;

    OK(gput_report_html(&o, &text, &e) == -EINVAL && !text && strcmp(e.field, "file") == 0,
       "no file and no tracker: %s", e.text);
    OK(gput_report_text(&plot, &text, &e) == -EINVAL && !text && e.text[0],
       "for a picture likewise: %s", e.text);
    o.tracker = plot.tracker = t;
    OK(gput_report_html(&o, &text, &e) < 0 && !text && strcmp(e.field, "tracker") == 0 && e.text[0],
       "a tracker that was never started: %s", e.text);
    OK(gput_report_text(&plot, &text, &e) < 0 && !text && e.text[0], "likewise: %s", e.text);
    gput_tracker_close(t);
}

int main(void)
{
    with_charts();
    without_charts();
    from_streams();
    of_a_job();
    refusals();
    return DONE();
}
