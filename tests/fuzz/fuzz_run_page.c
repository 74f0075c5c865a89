/* fuzz_run_page.c - a run of any file on its way onto a page and into a picture. */
#include <stdio.h>

#include "base/text/utf8.h"
#include "fuzz.h"
#include "memory_file.h"
#include "report/html/html.h"
#include "report/plot/plot.h"
#include "store/runs/run_file.h"

/* How often the page has it. */
static size_t count_of(const char *page, const char *word)
{
    size_t n = 0;

    for (const char *p = page; (p = strstr(p, word)); p += strlen(word))
        n++;
    return n;
}

/* Nothing of the run has become a part of the page's own making. */
static void check_page(const char *page)
{
    fuzz_must(count_of(page, "<!DOCTYPE") <= 1 && count_of(page, "</html>") == 1);
    fuzz_must(count_of(page, "<script") == count_of(page, "</script>"));
    fuzz_must(!strstr(page, "<fuzz") && !strstr(page, "\x1b") && !strstr(page, "</fuzz"));
    for (const char *p = page; *p;) {
        size_t n = gput__utf8_length(p);

        fuzz_must(n > 0 && ((unsigned char)*p >= ' ' || *p == '\n' || *p == '\t' || *p == '\r'));
        p += n;
    }
}

/* No line is longer than the screen; only ASCII was asked for. */
static void check_picture(const char *text, size_t width)
{
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = strchrnul(line, '\n');
        fuzz_must((size_t)(end - line) <= width);
        for (const char *p = line; p < end; p++)
            fuzz_must(*p >= ' ' && *p < 0x7F);
    }
}

static void show(const struct gput__run *run)
{
    const struct gput__plot_style style = { .width = 60 };
    const struct gput__html page = { .run = run };
    struct gput__buf out = { 0 };

    fuzz_must(gput__html_write(&page, &out) == 0);
    check_page(gput__buf_text(&out));
    gput__buf_clear(&out);
    fuzz_must(gput__plot(run, &style, &out) == 0);
    check_picture(gput__buf_text(&out), 60);
    gput__buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_memory_file file = fuzz_memory_file(data, size);
    struct gput_error err = { .field = "" };
    struct gput__input in;
    struct gput__run run;

    if (gput__input_open_fd(file.fd, &in) < 0)
        return 0;
    if (size >= 6 && memcmp(data, "SQLite", 6) == 0) { /* it would be searched for by its name */
        gput__input_close(&in);
        return 0;
    }
    if (gput__run_read_input(&in, "fuzz<fuzz>&\"'\x1b[1m.json", NULL, &run, &err) < 0)
        return 0;
    show(&run);
    gput__run_free(&run);
    return 0;
}
