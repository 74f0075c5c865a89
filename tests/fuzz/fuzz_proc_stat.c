/* fuzz_proc_stat.c - /proc/PID/stat, /proc/PID/task/TID/schedstat. */
#include "fuzz.h"
#include "source/proc/proc_schedstat.h"
#include "source/proc/proc_stat.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__proc_stat st = { .utime = 77, .starttime = 78 };
    struct gput__proc_schedstat sched = { .ran_ns = 77 };

    if (gput__proc_stat_parse(text, &st) < 0)
        fuzz_must(st.utime == 77 && st.starttime == 78);
    else
        fuzz_must(strrchr(text, ')') != NULL);
    if (gput__proc_schedstat_parse(text, &sched) < 0)
        fuzz_must(sched.ran_ns == 77);
    free(text);
    return 0;
}
