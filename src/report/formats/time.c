/* time.c - a run as GNU time -v tells it: its lines, its units, its meaning; one line more. */
#include <math.h>

#include "model/figure.h"
#include "report/formats/formats.h"
#include "report/text/screen_text.h"

#define KIB 1024.0
#define BLOCK 512.0
#define HOUR 3600.0
#define MINUTE 60.0

static void seconds(struct gput__buf *out, const char *label, struct gput_figure f)
{
    if (gput__figure_is_known(f))
        gput__buf_printf(out, "\t%s: %.2f\n", label, f.value);
    else
        gput__buf_printf(out, "\t%s: ?\n", label);
}

/* In whole units; "?" is what the program itself says of what it cannot tell. */
static void count(struct gput__buf *out, const char *label, struct gput_figure f, double unit)
{
    if (gput__figure_is_known(f))
        gput__buf_printf(out, "\t%s: %.0f\n", label, floor(f.value / unit));
    else
        gput__buf_printf(out, "\t%s: ?\n", label);
}

/* The kernel of Linux keeps none of these. */
static void zero(struct gput__buf *out, const char *label)
{
    gput__buf_printf(out, "\t%s: 0\n", label);
}

static void elapsed(struct gput__buf *out, double s)
{
    double rest = fmod(s, HOUR);

    gput__buf_puts(out, "\tElapsed (wall clock) time (h:mm:ss or m:ss): ");
    if (s >= HOUR)
        gput__buf_printf(out, "%.0f:%02.0f:%02.0f\n", floor(s / HOUR), floor(rest / MINUTE),
                         floor(fmod(rest, MINUTE)));
    else
        gput__buf_printf(out, "%.0f:%05.2f\n", floor(s / MINUTE),
                         floor(fmod(s, MINUTE) * 100) / 100);
}

static void percent(struct gput__buf *out, struct gput_figure user, struct gput_figure kernel,
                    double s)
{
    gput__buf_puts(out, "\tPercent of CPU this job got: ");
    if (gput__figure_is_known(user) && gput__figure_is_known(kernel) && s > 0)
        gput__buf_printf(out, "%.0f%%\n", floor(100 * (user.value + kernel.value) / s));
    else
        gput__buf_puts(out, "?%\n");
}

static void head(struct gput__buf *out, const struct gput_usage *u)
{
    if (u->job.ending == GPUT_SIGNALED)
        gput__buf_printf(out, "Command terminated by signal %d\n", u->job.code);
    else if (u->job.ending == GPUT_EXITED && u->job.code)
        gput__buf_printf(out, "Command exited with non-zero status %d\n", u->job.code);
    gput__buf_puts(out, "\tCommand being timed: \"");
    gput__screen_line(out, u->job.command ? u->job.command : "?");
    gput__buf_puts(out, "\"\n");
}

void gput__usage_time(const struct gput_usage *u, struct gput__buf *out)
{
    double s = u->compute_time.time.value;

    head(out, u);
    seconds(out, "User time (seconds)", u->totals.cpu_user_seconds);
    seconds(out, "System time (seconds)", u->totals.cpu_system_seconds);
    percent(out, u->totals.cpu_user_seconds, u->totals.cpu_system_seconds, s);
    elapsed(out, s);
    zero(out, "Average shared text size (kbytes)");
    zero(out, "Average unshared data size (kbytes)");
    zero(out, "Average stack size (kbytes)");
    zero(out, "Average total size (kbytes)");
    count(out, "Maximum resident set size (kbytes)", gput__format_largest(u), KIB);
    zero(out, "Average resident set size (kbytes)");
    count(out, "Major (requiring I/O) page faults", u->totals.major_faults, 1);
    count(out, "Minor (reclaiming a frame) page faults", u->totals.minor_faults, 1);
    count(out, "Voluntary context switches", u->totals.voluntary_switches, 1);
    count(out, "Involuntary context switches", u->totals.involuntary_switches, 1);
    zero(out, "Swaps");
    count(out, "File system inputs", u->totals.disk_read_bytes, BLOCK);
    count(out, "File system outputs", u->totals.disk_write_bytes, BLOCK);
    zero(out, "Socket messages sent");
    zero(out, "Socket messages received");
    zero(out, "Signals delivered");
    gput__buf_puts(out, "\tPage size (bytes): 4096\n");
    gput__buf_printf(out, "\tExit status: %d\n", u->job.ending == GPUT_EXITED ? u->job.code : 0);
    count(out, "Maximum resident set size of all processes at a time (kbytes)",
          u->max_ram.combined.total_rss, KIB);
}
