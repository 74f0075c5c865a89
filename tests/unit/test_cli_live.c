/* test_cli_live.c - the status line of --live. */
#include "live.h"

#include <string.h>

#include "tap.h"

static void shows(struct gput_now now, size_t width, const char *want)
{
    char line[200];

    live_format(&now, width, line, sizeof(line));
    OK(strcmp(line, want) == 0, "%s", line);
}

int main(void)
{
    shows((struct gput_now){ 0.4, 0, 0, 0, 1 }, 79,
          "0:00:00  RAM 0 B (peak 0 B)  CPU 0 %  1 process");
    shows((struct gput_now){ 3725.9, 1.5e9, 2.25e9, 98.7, 3 }, 79,
          "1:02:05  RAM 1.50 GB (peak 2.25 GB)  CPU 99 %  3 processes");
    shows((struct gput_now){ 360000, 999.4, 999600, 6400, 12 }, 79,
          "100:00:00  RAM 999 B (peak 1.00 MB)  CPU 6400 %  12 processes");
    shows((struct gput_now){ 1, 12.34e6, 345.6e12, 5, 2 }, 79,
          "0:00:01  RAM 12.3 MB (peak 346 TB)  CPU 5 %  2 processes");
    shows((struct gput_now){ 1, 1e6, 1e6, 5, 2 }, 20, "0:00:01  RAM 1.00 MB");
    return DONE();
}
