/* live.c - the status line of --live. */
#include "live.h"

#include "write.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Faster than this no one reads. */
static const double seconds_between = 0.1;

static void format_bytes(double bytes, char *ret, size_t size)
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
    size_t unit = 0;

    while (bytes >= 999.5 && unit < sizeof(units) / sizeof(*units) - 1) {
        bytes /= 1000;
        unit++;
    }
    snprintf(ret, size, "%.*f %s",
             unit == 0 || bytes >= 99.95 ? 0
             : bytes >= 9.995            ? 1
                                         : 2,
             bytes, units[unit]);
}

void live_format(const struct gput_now *now, size_t width, char *ret, size_t size)
{
    unsigned long seconds = (unsigned long)now->elapsed;
    char ram[32], peak[32], line[200];

    format_bytes(now->ram, ram, sizeof(ram));
    format_bytes(now->ram_peak, peak, sizeof(peak));
    snprintf(line, sizeof(line), "%lu:%02lu:%02lu  RAM %s (peak %s)  CPU %.0f %%  %d process%s",
             seconds / 3600, seconds / 60 % 60, seconds % 60, ram, peak, now->cpu_percent,
             now->n_processes, now->n_processes == 1 ? "" : "es");
    snprintf(ret, size, "%.*s", (int)width, line);
}

/* The terminal is the job's: a background job writes nothing there. */
static bool may_show(void)
{
    return isatty(STDERR_FILENO) && tcgetpgrp(STDERR_FILENO) == getpgrp();
}

static size_t terminal_width(void)
{
    struct winsize window;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) < 0 || window.ws_col < 2)
        return 79;
    return window.ws_col - 1u; /* a full last column makes some terminals go to the next line */
}

void live_show(struct live *l, const struct gput_now *now)
{
    char line[200], out[220];
    int length;

    if (now->elapsed < l->next || !may_show())
        return;
    l->next = now->elapsed + seconds_between;
    live_format(now, terminal_width(), line, sizeof(line));
    length = snprintf(out, sizeof(out), "\r%s\033[K", line);
    (void)write_all(STDERR_FILENO, out, (size_t)length);
    l->shown = true;
}

void live_erase(struct live *l)
{
    static const char erase[] = "\r\033[K";

    if (l->shown && may_show())
        (void)write_all(STDERR_FILENO, erase, sizeof(erase) - 1);
    l->shown = false;
}
