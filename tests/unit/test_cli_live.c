/* test_cli_live.c - the status line of --live. */
#include "terminal/live.h"

#include <math.h>
#include <string.h>

#include "tap.h"

static void shows(struct gput_live now, size_t width, const char *want)
{
    char line[200];

    live_format(&now, width, line, sizeof(line));
    OK(strcmp(line, want) == 0, "%s", line);
}

/* Nothing is known but this. */
static struct gput_live plain(double elapsed, double ram, double peak, double cpu, int n)
{
    return (struct gput_live){ .elapsed = elapsed,
                               .ram = ram,
                               .ram_peak = peak,
                               .cpu_percent = cpu,
                               .n_processes = n,
                               .ram_limit = NAN,
                               .seconds_to_limit = NAN,
                               .gpu_percent = NAN,
                               .gpu_ram = NAN };
}

static void limits_and_gpus(void)
{
    struct gput_live now = plain(65, 1.24e9, 1.3e9, 210, 5);

    now.ram_limit = 4e9;
    shows(now, 79, "0:01:05  RAM 1.24 GB of 4.00 GB (peak 1.30 GB)  CPU 210 %  5 processes");
    now.seconds_to_limit = 41.3;
    shows(now, 99,
          "0:01:05  RAM 1.24 GB of 4.00 GB (peak 1.30 GB), limit in 41 s  CPU 210 %  5 processes");
    now.n_gpus = 2;
    now.gpu_ram = 3.1e9;
    now.gpu_percent = 145;
    now.seconds_to_limit = 400;
    shows(now, 79,
          "0:01:05  RAM 1.24 GB of 4.00 GB, limit in 6.7 min  CPU 210 %  GPU 145 % 3.10 GB");
    shows(now, 60, "0:01:05  RAM 1.24 GB of 4.00 GB, limit in 6.7 min  CPU 210 %");
    shows(now, 50, "0:01:05  RAM 1.24 GB, limit in 6.7 min  CPU 210 %");
    shows(now, 30, "0:01:05  RAM 1.24 GB  CPU 210 ");
    now.seconds_to_limit = 90000;
    now.gpu_percent = NAN;
    shows(now, 79, "0:01:05  RAM 1.24 GB of 4.00 GB (peak 1.30 GB)  CPU 210 %  GPU 3.10 GB");
}

int main(void)
{
    shows(plain(0.4, 0, 0, 0, 1), 79, "0:00:00  RAM 0 B (peak 0 B)  CPU 0 %  1 process");
    shows(plain(3725.9, 1.5e9, 2.25e9, 98.7, 3), 79,
          "1:02:05  RAM 1.50 GB (peak 2.25 GB)  CPU 99 %  3 processes");
    shows(plain(360000, 999.4, 999600, 6400, 12), 79,
          "100:00:00  RAM 999 B (peak 1.00 MB)  CPU 6400 %  12 processes");
    shows(plain(1, 12.34e6, 345.6e12, 5, 2), 79,
          "0:00:01  RAM 12.3 MB (peak 346 TB)  CPU 5 %  2 processes");
    shows(plain(1, 1e6, 1e6, 5, 2), 20, "0:00:01  RAM 1.00 MB");
    limits_and_gpus();
    return DONE();
}
