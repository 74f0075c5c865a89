/* test_marks.c - marks of code blocks: byte by byte, into files of all kinds, on a full disk. */
#include "store/marks/marks.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/text/dtoa.h"
#include "marks_fixture.h"
#include "source/proc/proc_cost.h"
#include "tap.h"

#define HEADER "process_id,code_block_name,position,timestamp\r\n"
#define EXACT_HEADER "process_id,code_block_name,position,timestamp,cpu_seconds,peak_rss_bytes\r\n"

/* --- text ----------------------------------------------------------------------------------- */

static bool line_is(struct gput__mark_row row, bool is_exact, const char *want)
{
    struct gput__buf b = { 0 };
    bool is;

    gput__mark_line(&b, &row, is_exact);
    is = !strcmp(gput__buf_text(&b), want);
    if (!is)
        printf("# %s", gput__buf_text(&b));
    gput__buf_free(&b);
    return is;
}

static void lines(void)
{
    struct gput__mark_row row = { .process_id = 4711, .real_us = 1700000000500000 };

    row.name = "train.py:12";
    OK(line_is(row, false, "4711,train.py:12,0,1700000000.5\r\n"), "a plain name");
    row.name = "";
    OK(line_is(row, false, "4711,,0,1700000000.5\r\n"), "no name");
    row.name = "a b\t'\xc3\xa9\xe2\x82\xac;";
    OK(line_is(row, false, "4711,a b\t'\xc3\xa9\xe2\x82\xac;,0,1700000000.5\r\n"), "not ASCII");
    row.name = "say \"hi\"";
    OK(line_is(row, false, "4711,\"say \"\"hi\"\"\",0,1700000000.5\r\n"), "quotes are doubled");
    row.name = "a,b";
    OK(line_is(row, false, "4711,\"a,b\",0,1700000000.5\r\n"), "a comma");
    row.name = "a\r\nb";
    row.is_end = true;
    row.real_us = 1700000000000000;
    OK(line_is(row, false, "4711,\"a\r\nb\",1,1700000000.0\r\n"),
       "an end of line; an end; a whole second");
    row = (struct gput__mark_row){ 1, "x", false, 1700000000123456, 1.25, 4096 };
    OK(line_is(row, true, "1,x,0,1700000000.123456,1.25,4096\r\n"), "exact");
}

static void times(void)
{
    uint64_t random = 1;
    int n = 0;

    for (int i = 0; i < 100000; i++) {
        struct gput__mark_row row = { .name = "" };
        char want[64] = "0,,0,";
        size_t len;

        random = random * 6364136223846793005u + 1442695040888963407u;
        row.real_us = (int64_t)(1000000000000000 + (random >> 11) % 3000000000000000);
        len = 5 + gput__dtoa((double)row.real_us / 1e6, want + 5);
        memcpy(want + len, "\r\n", 3);
        n += line_is(row, false, want);
    }
    OK(n == 100000, "times are what repr() prints (%d of 100000)", n);
}

/* --- files that are there already ----------------------------------------------------------- */

static void names_and_places(void)
{
    struct gput_marks *m = NULL;
    struct gput_error e;

    OK(open_marks("m.txt", 0, &m) == -EINVAL && !m, "another extension");
    OK(gput__marks_open("/nowhere/m.csv", 0, is_local, &m, &e) == -ENOENT, "no folder");
    OK(gput__marks_open("/nowhere/m.csv", 0, is_local, &m, NULL) == -ENOENT, "no reason wanted");
    fixture_need(mkdir(path_of("d.csv"), 0700) == 0, "mkdir");
    OK(open_marks("d.csv", 0, &m) == -EISDIR, "a folder");
    OK(gput_marks_close(NULL) == 0, "nothing is closed");
}

static void a_new_file(void)
{
    struct gput_marks *m = opened("m.csv", 0);

    OK(holds("m.csv", HEADER), "the header is there at once");
    OK(gput_block_begin(m, NULL) == -EINVAL && holds("m.csv", HEADER), "a block needs a name");
    OK(fcntl(m->fd, F_GETFD) == FD_CLOEXEC, "and the file is not for others");
    gput_marks_close(m);
    m = opened("e.csv", GPUT_MARKS_EXACT);
    OK(holds("e.csv", EXACT_HEADER), "exact");
    gput_marks_close(m);
    fixture_remove(&f, "m.csv");
    fixture_remove(&f, "e.csv");
}

static void an_old_file(const char *name)
{
    struct gput_marks *m = opened(name, 0), *second = NULL;

    mark_twice(m);
    OK(open_marks(name, GPUT_MARKS_OVERWRITE, &second) == 0 && count(name) == 2,
       "%s: a file that a living process writes to is joined", name);
    mark_twice(second);
    gput_marks_close(second);
    gput_marks_close(m);
    m = opened(name, 0);
    OK(count(name) == 4, "%s: so is one of this job", name);
    gput_marks_close(m);
    make_old(name);
    OK(open_marks(name, 0, &m) == -EEXIST && count(name) == 4, "%s: an older one is refused", name);
    m = opened(name, GPUT_MARKS_APPEND);
    mark_twice(m);
    OK(count(name) == 6, "%s: or continued", name);
    gput_marks_close(m);
    m = opened(name, GPUT_MARKS_OVERWRITE);
    OK(count(name) == 0, "%s: or replaced", name);
    gput_marks_close(m);
    fixture_remove(&f, name);
}

static struct gput_marks *opened_since(const char *name, uint32_t flags, int64_t since_ns)
{
    struct gput_marks *m = NULL;
    int r = gput__marks_open_since(path_of(name), flags, since_ns, is_local, &m, NULL);

    fixture_need(r == 0, "open_since");
    return m;
}

/* Workers that come one after the other. */
static void a_file_of_the_program(const char *name)
{
    int64_t since = gput__now() - GPUT__NS_PER_S; /* a file's clock is coarse */
    struct gput_marks *m = NULL;
    struct gput_error e;

    for (int i = 0; i < 3; i++) {
        m = opened_since(name, GPUT_MARKS_OVERWRITE, since);
        mark_twice(m);
        gput_marks_close(m);
    }
    OK(count(name) == 6, "%s: what its program wrote is not overwritten by a worker", name);
    OK(gput__marks_open_since(path_of(name), 0, gput__now() + GPUT__NS_PER_S, is_local, &m, &e) ==
           -EEXIST,
       "%s: another run in the same job is refused", name);
    m = opened_since(name, 0, since);
    OK(count(name) == 6, "%s: the program continues it", name);
    gput_marks_close(m);
    m = opened_since(name, GPUT_MARKS_OVERWRITE, gput__now() + GPUT__NS_PER_S);
    OK(count(name) == 0, "%s: another run replaces it", name);
    gput_marks_close(m);
    fixture_write(&f, name, "precious\n");
    OK(gput__marks_open_since(path_of(name), GPUT_MARKS_OVERWRITE, since, is_local, &m, &e) ==
               -EINVAL &&
           strstr(e.text, "of this run") && holds(name, "precious\n"),
       "%s: what the program wrote itself is not replaced", name);
    fixture_remove(&f, name);
}

static void another_file(const char *name)
{
    struct gput_marks *m = NULL;

    fixture_write(&f, name, "precious\n");
    OK(open_marks(name, GPUT_MARKS_APPEND, &m) == -EINVAL && holds(name, "precious\n"),
       "%s: what is no sub-tracking file is not touched", name);
    m = opened(name, GPUT_MARKS_OVERWRITE);
    OK(count(name) == 0, "%s: unless it is to be", name);
    gput_marks_close(m);
    fixture_write(&f, name, "");
    m = opened(name, 0);
    OK(count(name) == 0, "%s: an empty file is as good as none", name);
    gput_marks_close(m);
    fixture_remove(&f, name);
}

static void columns_stay(const char *name)
{
    struct gput_marks *m = opened(name, 0), *second = NULL;

    OK(open_marks(name, GPUT_MARKS_EXACT, &second) == -EINVAL,
       "%s: no exact figures where the file has no columns for them", name);
    gput_marks_close(m);
    m = opened(name, GPUT_MARKS_OVERWRITE | GPUT_MARKS_EXACT);
    second = opened(name, 0);
    mark_twice(second);
    OK(second->is_exact && count(name) == 2, "%s: where it has, they are written", name);
    gput_marks_close(second);
    gput_marks_close(m);
    fixture_remove(&f, name);
}

static void unfinished_lines(void)
{
    struct gput_marks *m;

    fixture_write(&f, "m.csv", HEADER "1,a,0,1.5\r\n1,a,1,");
    m = opened("m.csv", GPUT_MARKS_APPEND);
    OK(holds("m.csv", HEADER "1,a,0,1.5\r\n"), "a line that a dead writer left is cut off");
    gput_marks_close(m);
    fixture_write(&f, "m.csv", HEADER "1,a,0,1.5\r\n1,\"b\nb\r\nb");
    m = opened("m.csv", GPUT_MARKS_APPEND);
    OK(holds("m.csv", HEADER "1,a,0,1.5\r\n"),
       "and all lines of a name of several: what follows would become a part of it");
    gput_marks_close(m);
    fixture_write(&f, "m.csv", HEADER "1,\"b\nb\",1,2.5,0.5,100\r\n\n\n1,");
    m = opened("m.csv", GPUT_MARKS_APPEND);
    OK(holds("m.csv", HEADER "1,\"b\nb\",1,2.5,0.5,100\r\n\n\n"),
       "whole names of several lines and empty lines stay");
    gput_marks_close(m);
    fixture_write(&f, "m.csv", HEADER "1,\"b\n");
    m = opened("m.csv", GPUT_MARKS_APPEND);
    OK(holds("m.csv", HEADER), "the header stays in any case");
    gput_marks_close(m);
    fixture_write(&f, "m.csv", "process_id,code_block_name,position,timestamp\n1,a,0,1.5\n");
    m = opened("m.csv", GPUT_MARKS_APPEND);
    OK(count("m.csv") == 1, "lines may end in LF alone");
    gput_marks_close(m);
    fixture_remove(&f, "m.csv");
}

/* A page of whole rows and `last` at its end; then a mark through a handle that was there before. */
static void mark_behind(const char *last, bool is_shared, char page[static 8192])
{
    struct gput_marks *m = opened("m.csv", 0);
    size_t begin = strlen(HEADER "1,,0,1.5\r\n"), n_name = 4096 - begin - strlen(last);
    int fd = open(path_of("m.csv"), O_WRONLY | O_TRUNC);

    m->is_shared = is_shared;
    memset(page, 'x', 4096);
    fixture_need(fd >= 0 &&
                     dprintf(fd, HEADER "1,%.*s,0,1.5\r\n%s", (int)n_name, page, last) == 4096,
                 "a page");
    close(fd);
    mark_twice(m);
    gput_marks_close(m);
    fixture_need(gput__root_read(&f.root, "m.csv", page, 8192) > 4096, "marks");
    fixture_remove(&f, "m.csv");
}

/* Whether `n` bytes before the end of the page are empty lines, all before is as it was, and the mark
 * stands behind it. */
static bool is_parted(const char *page, size_t n)
{
    static const char end[] = "x,0,1.5\r\n";
    char own[32];

    snprintf(own, sizeof(own), "%d,block,0,", (int)gettid());
    return strspn(page + 4096 - n, "\n") == n && strncmp(page, HEADER, strlen(HEADER)) == 0 &&
           strncmp(page + 4096 - n - strlen(end), end, strlen(end)) == 0 &&
           strncmp(page + 4096, own, strlen(own)) == 0;
}

static void behind_the_killed(void)
{
    static const char *const parts[] = { "12", "12,a,0,1.5", "12,a,0,1.5\r", "12,\"b\nb",
                                         "12,\"b\n" };
    static const char whole[] = "12,\"b\nb\",0,1.5\r\n";
    char page[8192];

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        mark_behind(parts[i], i % 2, page);
        OK(is_parted(page, strlen(parts[i])),
           "a part of a row that another left when it was killed is not joined to ours (%zu)", i);
    }
    mark_behind(whole, false, page);
    OK(strncmp(page + 4096 - strlen(whole), whole, strlen(whole)) == 0, "whole rows stay");
}

/* --- figures and failures ------------------------------------------------------------------- */

static void exact_figures(void)
{
    struct gput_marks *m = opened("m.csv", GPUT_MARKS_EXACT);
    struct gput_mark other = {
        .name = "x", .process_id = getppid(), .cpu_seconds = -1, .peak_rss_bytes = -1
    };
    struct gput_mark given = {
        .name = "y", .is_end = 1, .process_id = 7, .cpu_seconds = 2.5, .peak_rss_bytes = 1e6
    };
    uint64_t before, after;
    double cpu = 0;
    char text[1024], *p, want[32];

    gput__proc_cpu(0, &cpu);
    gput__proc_peak(0, &before);
    mark_twice(m);
    gput__proc_peak(0, &after);
    fixture_need(gput_marks_add(m, &other) == 0 && gput_marks_add(m, &given) == 0, "put");
    gput_marks_close(m);
    gput__root_read(&f.root, "m.csv", text, sizeof(text));
    p = strchr(text, '\n') + 1;
    for (int i = 0; i < 4; i++)
        p = strchr(p, ',') + 1;
    OK(strtod(p, &p) >= cpu && cpu > 0, "the CPU time of the process");
    OK(strtoull(p + 1, NULL, 10) >= before && strtoull(p + 1, NULL, 10) <= after,
       "and its peak, which is the kernel's");
    snprintf(want, sizeof(want), "\n%d,x,0,", (int)getppid());
    OK(strstr(text, want), "a mark for another process");
    OK(strstr(text, "\n7,y,1,") && strstr(text, ",2.5,1000000\r\n"), "with figures of its own");
    fixture_remove(&f, "m.csv");
}

static void touch(size_t size)
{
    volatile char *big = malloc(size);

    for (size_t i = 0; i < size; i += 4096)
        big[i] = 1;
    free((char *)big);
}

/* The program that we become had a big memory before; its own is small. */
static int is_small_after_exec(void)
{
    struct gput__own_status status = gput__own_status_open();
    uint64_t own, again;

    if (gput__proc_peak(0, &own) < 0 || gput__own_status_peak(&status, &again) < 0)
        return 2;
    gput__own_status_close(&status);
    return again < (50u << 20) && again >= own ? 0 : 1;
}

static void a_peak_from_before_exec(const char *self)
{
    pid_t pid = fork();

    if (pid == 0) {
        touch(120u << 20);
        execl(self, self, "after-exec", (char *)NULL);
        _exit(3);
    }
    OK(ended(pid) == 0, "a peak from before an exec is not the program's own");
}

static void a_peak_after_fork(void)
{
    struct gput__own_status status = gput__own_status_open();
    pid_t pid = fork();

    if (pid == 0) {
        uint64_t peak = 0;

        touch(100u << 20);
        gput__own_status_peak(&status, &peak);
        _exit(peak < (100u << 20));
    }
    OK(ended(pid) == 0, "after a fork it is the child's");
    gput__own_status_close(&status);
}

static void no_more_room(const char *name)
{
    pid_t pid = fork();

    if (pid == 0) {
        struct rlimit limit = { 16384, 16384 };
        struct gput_marks *m = opened(name, 0);
        int r = 0, n = 0;

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        while (r == 0 && n++ < 10000)
            r = gput_block_begin(m, "a block with a name of some length");
        if (r == 0 || gput_block_end(m, "x") != r)
            _exit(1);
        gput_marks_close(m);
        _exit(count(name) != n - 1);
    }
    OK(ended(pid) == 0, "%s: no room: the mark and all later ones are refused", name);
    fixture_remove(&f, name);
}

static void a_part_of_a_line(void)
{
    char text[16385];
    ssize_t n;
    pid_t pid = fork();

    if (pid == 0) {
        struct rlimit limit = { 100, 100 };
        struct gput_marks *m = opened("m.csv", 0);

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        while (gput_block_begin(m, "a block, quoted") == 0)
            ;
        _exit(0);
    }
    ended(pid);
    n = gput__root_read(&f.root, "m.csv", text, sizeof(text));
    OK(n == 100 && text[99] == '\n' && text[98] == '\n' && count("m.csv") == 1,
       "what of a line did not fit becomes empty lines");
    fixture_remove(&f, "m.csv");
}

static void long_names(const char *name)
{
    struct gput_marks *m = opened(name, 0);
    char *text = malloc(10241);

    memset(text, '"', 10240);
    text[10240] = '\0';
    OK(gput_block_begin(m, text) == 0, "%s: a name of 10 KB", name);
    gput_marks_close(m);
    OK(count(name) >= 1, "%s: is there", name);
    free(text);
    fixture_remove(&f, name);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return is_small_after_exec();
    fixture_begin(&f);
    lines();
    times();
    names_and_places();
    a_new_file();
    unfinished_lines();
    behind_the_killed();
    for (int i = 0; i < 2; i++) {
        an_old_file(formats[i]);
        a_file_of_the_program(formats[i]);
        another_file(formats[i]);
        columns_stay(formats[i]);
        no_more_room(formats[i]);
        long_names(formats[i]);
    }
    exact_figures();
    a_peak_from_before_exec(argv[0]);
    a_peak_after_fork();
    a_part_of_a_line();
    fixture_end(&f);
    return DONE();
}
