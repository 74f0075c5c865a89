/* report_text.c - the picture of a run behind gput.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/files/run.h"
#include "api/files/run_files.h"
#include "base/text/print.h"
#include "base/text/redact.h"
#include "report/plot/plot.h"
#include "store/files/warnings.h"

enum { USUAL_WIDTH = 80 };

__attribute__((format(printf, 4, 5))) static int fail(int r, struct gput_error *err,
                                                      const char *field, const char *format, ...)
{
    va_list ap;

    snprintf(err->field, sizeof(err->field), "%s", field);
    va_start(ap, format);
    gput__vsnprintf(err->text, sizeof(err->text), format, ap);
    va_end(ap);
    return r;
}

static int check(const struct gput_plot_options *o, struct gput_error *err)
{
    if (!o->tracker && (!o->file || !*o->file))
        return fail(-EINVAL, err, "file", "there is no file to draw");
    if (o->width != 0 && (o->width < GPUT__PLOT_NARROWEST || o->width > GPUT__PLOT_WIDEST))
        return fail(-EINVAL, err, "width", "%d is not a number of columns from %d to %d", o->width,
                    GPUT__PLOT_NARROWEST, GPUT__PLOT_WIDEST);
    return 0;
}

static int draw(const struct gput_plot_options *o, const struct gput__run *run, char **ret_text,
                struct gput_error *err)
{
    struct gput__plot_style style = { .width = o->width ? o->width : USUAL_WIDTH,
                                      .use_unicode = o->use_unicode,
                                      .use_colour = o->use_colour,
                                      .title = o->title };
    struct gput__buf out = GPUT__BUF_INIT;
    int r = gput__plot(run, &style, &out);

    if (r == 0)
        r = gput__buf_detach(&out, ret_text);
    gput__buf_free(&out);
    return r < 0 ? fail(r, err, "", "%s", strerror(-r)) : 0;
}

int gput_report_text(const struct gput_plot_options *from, char **ret_text,
                     struct gput_error *ret_err)
{
    struct gput_plot_options o = GPUT_PLOT_OPTIONS_INIT;
    struct gput__warnings warnings;
    struct gput_error err = { 0 };
    struct gput__run run = { 0 };
    char *command = NULL;
    int r;

    memcpy(&o, from,
           from->size < sizeof(o) ? from->size : sizeof(o)); /* the caller's may be older */
    r = check(&o, &err);
    gput__warnings_begin(&warnings, &o.on);
    if (r == 0 && o.tracker)
        r = gput__run_of(o.tracker, &run, &err);
    else if (r == 0)
        r = gput__run_files_read(o.file, o.result_file, &warnings.on, &run, &err);
    if (r == 0 && run.usage.job.command && !o.no_redact)
        run.usage.job.command = command = gput__redacted(run.usage.job.command);
    if (r == 0)
        r = draw(&o, &run, ret_text, &err);
    free(command);
    gput__run_free(&run);
    gput__warnings_end(&warnings, r == 0);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
