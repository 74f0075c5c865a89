/* test_proc_status.c - the fields of /proc/PID/status. */
#include "source/proc/proc_status.h"

#include <errno.h>
#include <string.h>

#include "shown.h"
#include "tap.h"

#define HEAD                                                                                       \
    "Name:\tprog\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t42\nPid:\t42\nPPid:\t1\n"             \
    "FDSize:\t64\nGroups:\t \n"
#define MEMORY                                                                                     \
    "VmPeak:\t  9000 kB\nVmSize:\t  8000 kB\nVmHWM:\t   700 kB\nVmRSS:\t   600 kB\n"               \
    "RssAnon:\t   300 kB\nRssFile:\t   200 kB\nRssShmem:\t   100 kB\nVmData:\t   50 kB\n"
#define TAIL                                                                                       \
    "Threads:\t1\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,8\nMems_allowed_list:\t0\n"           \
    "voluntary_ctxt_switches:\t150\n"

static void a_process(void)
{
    struct gput__proc_status st;

    OK(gput__proc_status_parse(HEAD MEMORY TAIL, &st) == 0 && st.has_memory, "has memory");
    OK(st.hwm == 700 * 1024 && st.rss == 600 * 1024, "peak and present");
    OK(st.anon == 300 * 1024 && st.file == 200 * 1024 && st.shmem == 100 * 1024, "by kind");
    OK(st.n_cpus == 5, "the CPUs that it may use");
    OK(gput__proc_status_parse(HEAD MEMORY "VmSwap:\t   40 kB\n" TAIL, &st) == 0 &&
           st.swap == 40 * 1024 && st.rss == 600 * 1024,
       "what of it is swapped out");
}

static void without(void)
{
    struct gput__proc_status st = { .rss = 99, .has_memory = true };

    OK(gput__proc_status_parse(HEAD TAIL, &st) == 0 && !st.has_memory && st.rss == 0 &&
           st.n_cpus == 5,
       "a zombie has no memory");
    OK(gput__proc_status_parse(HEAD "VmHWM:\t   700 kB\nVmRSS:\t   600 kB\n", &st) == 0 &&
           st.has_memory && st.rss == 600 * 1024 && st.anon == 0 && st.n_cpus == 0,
       "before Linux 4.5 there are no kinds");
    OK(gput__proc_status_parse("Name:\tx\nCpus_allowed_list:\t3-1\n", &st) == 0 && st.n_cpus == 0,
       "a list of CPUs that is none is not told");
}

/* A name cannot pretend to be another line: the kernel writes its newlines as \n. */
static void names(void)
{
    struct gput__proc_status st;

    OK(gput__proc_status_parse("Name:\tVmRSS: 5 kB\nVmRSS:\t 6 kB\n", &st) == 0 &&
           st.rss == 6 * 1024,
       "a key within a line is none");
    OK(gput__proc_status_parse("Name:\tx\nVmRSSx:\t5 kB\nVmRSS:\tx kB\nRssAnon: -1 kB\n", &st) ==
               0 &&
           !st.has_memory && st.rss == 0,
       "other keys, and values that are no numbers, are skipped");
}

static void refused(const char *text)
{
    struct gput__proc_status st = { .rss = 99 };

    OK(gput__proc_status_parse(text, &st) == -EBADMSG && st.rss == 99, "<%s> is refused",
       shown(text));
}

/* A file cut short has what stands before the cut. */
static void every_cut(void)
{
    static const char full[] = HEAD MEMORY TAIL;
    char cut[sizeof(full)];
    int wrong = 0;

    for (size_t n = 5; n < sizeof(full); n++) {
        struct gput__proc_status st;

        memcpy(cut, full, n);
        cut[n] = '\0';
        wrong += gput__proc_status_parse(cut, &st) != 0 ||
                 (strstr(cut, "VmHWM:\t   700 ") ? st.hwm != 700 * 1024 : st.hwm > 700 * 1024);
    }
    OK(wrong == 0, "a cut file: what is there");
}

int main(void)
{
    a_process();
    without();
    names();
    refused("");
    refused("Nam");
    refused("VmRSS:\t5 kB");
    every_cut();
    return DONE();
}
