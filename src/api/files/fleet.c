/* fleet.c - the node files of a fleet behind gput.h. */
#include "api/files/fleet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/fleet/fleet_html.h"
#include "report/fleet/fleet_recommend.h"
#include "report/fleet/fleet_report.h"
#include "store/fleet/fleet_files.h"

int gput_fleet_is(const char *path)
{
    return gput__fleet_is(path);
}

/* Frees the files of all jobs but the chosen ones, before anything is made of them. */
static int choose(struct gput__fleet *fleet, const char *job, const char *step,
                  struct gput_error *err)
{
    size_t n = 0;

    for (size_t i = 0; i < fleet->n; i++) {
        const struct gput__fleet_job_id *id = &fleet->files[i].job;

        if ((job && strcmp(job, id->id) != 0) || (step && (!id->step || strcmp(step, id->step))))
            gput__fleet_file_free(&fleet->files[i]);
        else
            fleet->files[n++] = fleet->files[i];
    }
    fleet->n = n;
    if (n > 0)
        return 0;
    snprintf(err->text, sizeof(err->text), "there is no file of job %.100s%s%.100s",
             job ? job : "any", step ? ", step " : "", step ? step : "");
    return -ENODATA;
}

int gput_fleet_read(const char *const *paths, size_t n, const char *job, const char *step,
                    struct gput_fleet **ret, struct gput_error *ret_err)
{
    struct gput_error unread, *err = ret_err ? ret_err : &unread;
    struct gput_fleet *f = calloc(1, sizeof(*f));
    int r;

    if (!f)
        return -ENOMEM;
    r = gput__fleet_read(paths, n, &f->fleet, err);
    if (r == 0 && (job || step))
        r = choose(&f->fleet, job, step, err);
    if (r == 0) {
        r = gput__fleet_jobs(&f->fleet, &f->jobs, &f->n_jobs);
        if (r < 0)
            snprintf(err->text, sizeof(err->text), "%s", strerror(-r));
    }
    if (r < 0)
        f = gput_fleet_close(f);
    else
        *ret = f;
    return r;
}

struct gput_fleet *gput_fleet_close(struct gput_fleet *f)
{
    if (f) {
        gput__fleet_ranks_free(f);
        gput__fleet_jobs_free(f->jobs, f->n_jobs);
        gput__fleet_free(&f->fleet);
    }
    free(f);
    return NULL;
}

int gput_fleet_is_complete(const struct gput_fleet *f)
{
    for (size_t i = 0; i < f->n_jobs; i++)
        if (!gput__fleet_job_is_complete(&f->jobs[i]))
            return 0;
    return gput_fleet_faults(f) == 0;
}

/* What is no node file, and was not asked for, is none. */
int gput_fleet_faults(const struct gput_fleet *f)
{
    int n = 0;

    for (size_t i = 0; i < f->fleet.n_faults; i++)
        n += !f->fleet.faults[i].is_harmless;
    return n;
}

const char *gput_fleet_fault(const struct gput_fleet *f, int i)
{
    for (size_t k = 0; k < f->fleet.n_faults; k++)
        if (!f->fleet.faults[k].is_harmless && i-- == 0)
            return f->fleet.faults[k].text;
    return NULL;
}

int gput_fleet_format(const struct gput_fleet *f, enum gput_fleet_format format, char **ret_text)
{
    const struct gput__fleet_report report = { &f->fleet, f->jobs, f->n_jobs };
    struct gput__buf out = GPUT__BUF_INIT;

    if (format == GPUT_FLEET_JSON)
        gput__fleet_json(&report, &out);
    else if (format == GPUT_FLEET_CSV)
        gput__fleet_csv(&report, &out);
    else
        gput__fleet_text(&report, &out);
    return gput__buf_detach(&out, ret_text);
}

int gput_fleet_html(const struct gput_fleet *f, const char *title, char **ret_html,
                    struct gput_error *ret_err)
{
    const struct gput__fleet_report report = { &f->fleet, f->jobs, f->n_jobs };
    struct gput__buf out = GPUT__BUF_INIT;
    char words[GPUT__FLEET_WORDS];

    if (f->n_jobs > 1) {
        if (ret_err)
            snprintf(ret_err->text, sizeof(ret_err->text),
                     "there are %zu jobs or steps, and a page shows one: choose it by --job and "
                     "--step, the first is %.200s",
                     f->n_jobs, gput__fleet_job_words(&f->jobs[0], words));
        return -EINVAL;
    }
    (void)gput__fleet_html(&report, &f->jobs[0], title, &out); /* the buffer keeps the error */
    return gput__buf_detach(&out, ret_html);
}

int gput__fleet_recommend_files(const char *const *files, size_t n,
                                const struct gput__recommend_target *target,
                                const struct gput_recommend_options *o, char **ret_text,
                                struct gput_error *err)
{
    struct gput__buf out = GPUT__BUF_INIT;
    struct gput_fleet *f = NULL;
    int r = gput_fleet_read(files, n, NULL, NULL, &f, err), s;

    if (r < 0)
        return r;
    r = gput__fleet_recommend(&(struct gput__fleet_report){ &f->fleet, f->jobs, f->n_jobs }, target,
                              o, &out);
    s = gput__buf_detach(&out, ret_text);
    if (r < 0 && s == 0)
        free(*ret_text);
    gput_fleet_close(f);
    return r < 0 ? r : s;
}
