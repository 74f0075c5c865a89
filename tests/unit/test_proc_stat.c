/* test_proc_stat.c - the fields of /proc/PID/stat. */
#include "source/proc/proc_stat.h"

#include <errno.h>
#include <string.h>

#include "shown.h"
#include "tap.h"

/* Every field has a value of its own: field 14 is 114 and so on. */
#define HEAD "4242 (name) "
#define FIELDS                                                                                     \
    "S 104 105 106 107 -1 109 110 111 112 113 114 115 116 117 -20 -19 120 0 122 123 124 125 "      \
    "126 127 128"
#define TAIL " 129 130 0 0 0 0 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

static void each_field_is_its_own(void)
{
    struct gput__proc_stat st;

    if (!OK(gput__proc_stat_parse(HEAD FIELDS TAIL, &st) == 0, "a line of 52 fields"))
        return;
    OK(st.state == 'S', "state");
    OK(st.ppid == 104 && st.pgrp == 105 && st.session == 106, "ppid, pgrp, session");
    OK(st.minflt == 110 && st.cminflt == 111 && st.majflt == 112 && st.cmajflt == 113, "faults");
    OK(st.utime == 114 && st.stime == 115 && st.cutime == 116 && st.cstime == 117, "times");
    OK(st.num_threads == 120 && st.starttime == 122, "threads, start time");
    OK(st.rss_pages == 124 && st.startstack == 128, "pages, stack");
}

static void a_real_line(void)
{
    static const char line[] =
        "1234 (sleep) S 1200 1200 1200 34816 1234 4194304 132 17 1 2 3 4 5 6 20 0 1 0 8836261 "
        "2703360 419 18446744073709551615 94512035246080 94512035263401 140721842463552 0 0 0 0 "
        "0 0 0 0 0 17 1 0 0 0 0 0 94512035277424 94512035278704 94512048029696 140721842468341 "
        "140721842468350 140721842468350 140721842470889 0\n";
    struct gput__proc_stat st;

    OK(gput__proc_stat_parse(line, &st) == 0 && st.ppid == 1200 && st.minflt == 132 &&
           st.cmajflt == 2 && st.cstime == 6 && st.num_threads == 1 && st.starttime == 8836261 &&
           st.rss_pages == 419 && st.startstack == 140721842463552,
       "as the kernel writes it");
}

static void named(const char *name)
{
    struct gput__proc_stat st;
    char line[600];

    snprintf(line, sizeof(line), "7 (%s) " FIELDS TAIL, name);
    OK(gput__proc_stat_parse(line, &st) == 0 && st.state == 'S' && st.ppid == 104 &&
           st.startstack == 128 && !strncmp(st.comm, name, sizeof(st.comm) - 1),
       "a process named <%s>", shown(name));
}

static void every_cut_of_a_line_is_refused(void)
{
    static const char full[] = "7 (a) b) " FIELDS TAIL;
    size_t last = strlen("7 (a) b) " FIELDS); /* behind it all is there */
    struct gput__proc_stat st = { .utime = 99 }, whole;
    char cut[sizeof(full)] = "";
    int taken = 0, differ = 0;

    for (size_t n = 0; n <= last; n++) {
        cut[n] = '\0';
        taken += gput__proc_stat_parse(cut, &st) == 0;
        cut[n] = full[n];
    }
    OK(taken == 0 && st.utime == 99, "no prefix parses, and ret is left alone");
    memset(&whole, 0, sizeof(whole));
    gput__proc_stat_parse(full, &whole);
    for (size_t n = last + 1; n < sizeof(full); n++) {
        memcpy(cut, full, n);
        cut[n] = '\0';
        memset(&st, 0, sizeof(st));
        differ += gput__proc_stat_parse(cut, &st) != 0 || st.startstack != whole.startstack ||
                  st.rss_pages != whole.rss_pages;
    }
    OK(differ == 0, "what follows the last field is not needed");
}

static void refused(const char *line, const char *what)
{
    struct gput__proc_stat st = { .utime = 99 };

    OK(gput__proc_stat_parse(line, &st) == -EBADMSG && st.utime == 99, "%s", what);
}

static void negative_fields(void)
{
    struct gput__proc_stat st;

    OK(gput__proc_stat_parse(
           "7 (a) R -1 -2 -3 -4 -1 0 0 0 0 0 1 2 3 4 -100 -20 1 0 5 0 0 0 0 0 0\n", &st) == 0 &&
           st.ppid == -1 && st.pgrp == -2 && st.session == -3 && st.cstime == 4 &&
           st.starttime == 5,
       "where fields may be negative");
    refused("7 (a) R 1 2 3 4 -1 0 -1 0 0 0 1 2 3 4 0 0 1 0 5 0 0 0 0 0 0\n", "faults may not");
    refused("7 (a) R 1 2 3 4 -1 0 0 0 0 0 -1 2 3 4 0 0 1 0 5 0 0 0 0 0 0\n", "times may not");
    refused("7 (a) R 1 2 3 4 -1 0 0 0 0 0 1 2 3 4 0 0 -1 0 5 0 0 0 0 0 0\n", "threads may not");
}

static void too_large(void)
{
    struct gput__proc_stat st;

    refused("7 (a) R 2147483648 2 3 4 -1 0 0 0 0 0 1 2 3 4 0 0 1 0 5 0 0 0 0 0 0\n", "a pid");
    refused("7 (a) R 1 2 3 4 -1 0 0 0 0 0 1 2 3 4 0 0 4294967296 0 5 0 0 0 0 0 0\n", "threads");
    refused("7 (a) R 1 2 3 4 -1 0 0 0 0 0 18446744073709551616 2 3 4 0 0 1 0 5 0 0 0 0 0 0\n",
            "a time");
    OK(gput__proc_stat_parse("7 (a) R 1 2 3 4 -1 0 18446744073709551615 0 0 0 1 2 3 4 0 0 1 0 5 0 "
                             "18446744073709551615 0 0 0 18446744073709551615\n",
                             &st) == 0 &&
           st.minflt == UINT64_MAX && st.rss_pages == UINT64_MAX && st.startstack == UINT64_MAX,
       "the largest numbers are taken");
}

int main(void)
{
    each_field_is_its_own();
    a_real_line();
    named("a) b");
    named(")");
    named("a) S 1 2 3 4 5 6 7 8 9");
    named("");
    named(" ");
    named("((((");
    named("two\nlines");
    every_cut_of_a_line_is_refused();
    refused("no parenthesis", "text without a name");
    refused("7 (a)" FIELDS TAIL, "no blank behind the name");
    refused("7 (a) S 104 x 106 107 -1 109 110 111 112 113 114 115 116 117 0 0 120 0 122 123 124\n",
            "a word for a number");
    negative_fields();
    too_large();
    return DONE();
}
