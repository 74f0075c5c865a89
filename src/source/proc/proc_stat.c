/* proc_stat.c - the fields we use of /proc/<pid>/stat, see proc_pid_stat(5). */
#include "source/proc/proc_stat.h"

#include <errno.h>
#include <string.h>

#include "base/text/scan.h"

static int scan_pid(const char **p, pid_t *ret)
{
    int64_t v;

    if (gput__scan_i64(p, &v) < 0 || v < INT32_MIN || v > INT32_MAX)
        return -EBADMSG;
    *ret = (pid_t)v;
    return 0;
}

static int scan_threads(const char **p, uint32_t *ret)
{
    uint64_t v;

    if (gput__scan_u64(p, &v) < 0 || v > UINT32_MAX)
        return -EBADMSG;
    *ret = (uint32_t)v;
    return 0;
}

static void copy_name(const char *text, const char *end, char *ret, size_t cap)
{
    const char *begin = strchr(text, '(');
    size_t len = begin && begin < end ? (size_t)(end - begin - 1) : 0;

    if (len >= cap)
        len = cap - 1;
    if (len)
        memcpy(ret, begin + 1, len);
    ret[len] = '\0';
}

/* The command name may itself hold blanks and ')', so count from the last ')'. */
int gput__proc_stat_parse(const char *text, struct gput__proc_stat *ret)
{
    struct gput__proc_stat st = { 0 };
    const char *p = strrchr(text, ')');

    if (!p || p[1] != ' ' || !p[2])
        return -EBADMSG;
    copy_name(text, p, st.comm, sizeof(st.comm));
    st.state = p[2]; /* field 3 */
    p += 3;
    if (scan_pid(&p, &st.ppid) < 0 || scan_pid(&p, &st.pgrp) < 0 ||             /* 4, 5 */
        scan_pid(&p, &st.session) < 0 || gput__scan_skip(&p, 2) < 0 ||          /* 6 */
        gput__scan_u64(&p, &st.flags) < 0 ||                                    /* 9 */
        gput__scan_u64(&p, &st.minflt) < 0 ||                                   /* 10 */
        gput__scan_u64(&p, &st.cminflt) < 0 ||                                  /* 11 */
        gput__scan_u64(&p, &st.majflt) < 0 ||                                   /* 12 */
        gput__scan_u64(&p, &st.cmajflt) < 0 ||                                  /* 13 */
        gput__scan_u64(&p, &st.utime) < 0 ||                                    /* 14 */
        gput__scan_u64(&p, &st.stime) < 0 ||                                    /* 15 */
        gput__scan_u64(&p, &st.cutime) < 0 ||                                   /* 16 */
        gput__scan_u64(&p, &st.cstime) < 0 ||                                   /* 17 */
        gput__scan_skip(&p, 2) < 0 || scan_threads(&p, &st.num_threads) < 0 ||  /* 20 */
        gput__scan_skip(&p, 1) < 0 ||                                           /* 21 */
        gput__scan_u64(&p, &st.starttime) < 0 ||                                /* 22 */
        gput__scan_skip(&p, 1) < 0 || gput__scan_u64(&p, &st.rss_pages) < 0 ||  /* 24 */
        gput__scan_skip(&p, 3) < 0 || gput__scan_u64(&p, &st.startstack) < 0 || /* 28 */
        !*p) /* a number may be cut short where the text ends */
        return -EBADMSG;
    if (gput__scan_skip(&p, 13) < 0 || gput__scan_u64(&p, &st.blkio_ticks) < 0 || !*p) /* 42 */
        st.blkio_ticks = 0; /* none before Linux 2.6.18 */
    *ret = st;
    return 0;
}
