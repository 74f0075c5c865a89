/* helpers.c - the helper process: found or not, of another kind or version, dead or deaf; the
 * files that it replaces.
 *
 * The program is its own false helper: started as one it does what $FALSE_HELPER says. */
#include <sys/socket.h>
#include <sys/stat.h>

#include "api/inside/helper.h"
#include "capi.h"

#define NOWHERE "/nowhere/gpu-tracker"

static int false_helper(int fd)
{
    const char *kind = getenv("FALSE_HELPER");
    struct gput__answer a = { .kind = 77 };

    if (!strcmp(kind, "short"))
        (void)send(fd, "hello", 5, MSG_NOSIGNAL);
    else if (!strcmp(kind, "strange"))
        (void)send(fd, &a, sizeof(a), MSG_NOSIGNAL);
    else if (!strcmp(kind, "crash"))
        raise(SIGKILL);
    return 0; /* "silent" */
}

/* --- where it is ---------------------------------------------------------------------------- */

static void found(void)
{
    const char *real = getenv("GPUT_HELPER");
    struct gput_options o = GPUT_OPTIONS_INIT;
    char *path = NULL;

    OK(gput_helper_find(NULL, &path, NULL) == 0 && strcmp(path, real) == 0,
       "the helper is the one of $GPUT_HELPER");
    free(path);
    OK(gput_helper_find(&o, &path, NULL) == 0 && strcmp(path, real) == 0, "with options too");
    free(path);
    o.helper_path = "/some/where";
    OK(gput_helper_find(&o, &path, NULL) == 0 && strcmp(path, "/some/where") == 0,
       "helper_path comes before it");
    free(path);
    o.size = offsetof(struct gput_options, helper_path);
    OK(gput_helper_find(&o, &path, NULL) == 0 && strcmp(path, real) == 0,
       "unless the caller is older than that option");
    free(path);
}

/* Neither beside this program nor, perhaps, installed. */
static void not_found(void)
{
    char *real = strdup(getenv("GPUT_HELPER")), *path = NULL;
    struct gput_error e = { "", "" };
    struct gput_options o = quick();
    struct gput_tracker *t;
    int r;

    unsetenv("GPUT_HELPER");
    r = gput_helper_find(NULL, &path, &e);
    if (r == 0) {
        OK(strstr(path, "gpu-tracker"), "without it the installed one is found: %s", path);
        free(path);
    } else {
        OK(r == -ENOENT && !path && strstr(e.text, "GPUT_HELPER"), "without it: %s", e.text);
        t = opened(&o);
        OK(gput_tracker_start(t, &e) == -ENOENT && n_children(NULL) == 0, "so start() fails");
        gput_tracker_close(t);
    }
    setenv("GPUT_HELPER", real, 1);
    free(real);
}

/* Runs this program in a folder, under a name of the caller's choice, and tells what it finds. */
static char *found_in(const char *folder, const char *name, const char *variable)
{
    char self[4096] = "", text[4096] = "";
    char *argv[] = { (char *)name, (char *)"find", NULL };
    int ends[2];
    pid_t pid;

    if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 || pipe(ends) < 0)
        bail("readlink or pipe", strerror(errno));
    pid = fork_or_die();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        if (variable)
            setenv("GPUT_HELPER", variable, 1);
        else
            unsetenv("GPUT_HELPER");
        setenv("PATH", ".", 1);
        _exit(chdir(folder) == 0 ? execv(self, argv) : 127);
    }
    close(ends[1]);
    while (read(ends[0], text + strlen(text), sizeof(text) - strlen(text) - 1) > 0)
        ;
    close(ends[0]);
    (void)status_of(pid);
    return strdup(text);
}

static int tell_what_is_found(void)
{
    struct gput_error e = { "", "" };
    char *path = NULL;

    fputs(gput_helper_find(NULL, &path, &e) == 0 ? path : e.text, stdout);
    free(path);
    return 0;
}

/* A program that happens to lie in the folder that we are in, or where the first argument says. */
static void not_hijacked(void)
{
    static const char *const names[] = { "./program", "program", "sub/../program", "" };
    char *text, absolute[4200];
    struct scratch s;

    scratch_begin(&s);
    put_text(scratch_file(&s, "gpu-tracker"), "#!/bin/sh\n");
    chmod(scratch_file(&s, "gpu-tracker"), 0755);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        text = found_in(s.path, names[i], NULL);
        OK(text[0] && !strstr(text, s.path) && text[0] != '.',
           "called '%s', a program in the current folder is not run: %s", names[i], text);
        free(text);
    }
    snprintf(absolute, sizeof(absolute), "%s/program", s.path);
    text = found_in("/", absolute, NULL);
    OK(text[0] && !strstr(text, s.path), "nor beside where it says that it lies: %s", text);
    free(text);
    text = found_in(s.path, "program", "gpu-tracker");
    OK(strstr(text, "GPUT_HELPER: 'gpu-tracker'"), "nor by a name that means one there: %s", text);
    free(text);
    scratch_end(&s);
}

/* --- wrong ones ----------------------------------------------------------------------------- */

/* Refused within a time that shows that nobody waits for an answer that cannot come. */
static void start_fails(const char *path, int want, const char *what)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct gput_error e = { "?", "?" };
    int fds = n_fds(), r;
    double begin = now_s();

    o.helper_path = path;
    t = opened(&o);
    r = gput_tracker_start(t, &e);
    OK(r == want && !strcmp(e.field, "helper_path") && strstr(e.text, path), "%s (%s): %s", what,
       strerror(-r), e.text);
    OK(gput_tracker_start(t, NULL) == want && now_s() - begin < LONG && n_children(NULL) == 0,
       "%s: nor the second time; nobody is left", what);
    OK(gput_tracker_stop(t, 0, NULL) == -EINVAL, "%s: there is nothing to stop", what);
    gput_tracker_close(t);
    OK(n_fds() == fds, "%s: no descriptor is left", what);
}

static void wrong_programs(void)
{
    struct scratch s;
    const char *plain;

    scratch_begin(&s);
    plain = scratch_file(&s, "plain");
    put_text(plain, "no program\n");
    start_fails(NOWHERE, -ENOENT, "no file");
    start_fails(s.path, -EACCES, "a folder");
    start_fails(plain, -EACCES, "a file that is no program");
    chmod(plain, 0755);
    start_fails(plain, -ENOEXEC, "a file of text that says it is one");
    start_fails("/bin/true", -EPROTO, "a program that ends at once");
    start_fails("/bin/cat", -EPROTO, "one that complains");
    scratch_end(&s);
}

static void false_answers(const char *self)
{
    static const char *const kinds[] = { "silent", "short", "strange", "crash" };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        char what[64];

        setenv("FALSE_HELPER", kinds[i], 1);
        snprintf(what, sizeof(what), "a helper whose answer is %s", kinds[i]);
        start_fails(self, -EPROTO, what);
    }
    unsetenv("FALSE_HELPER");
}

/* The helper's own side, in a child with one end of a socket; the other end is returned. */
static int ask_helper(pid_t *ret_pid)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
        bail("socketpair", strerror(errno));
    *ret_pid = fork_or_die();
    if (*ret_pid == 0) {
        close(ends[0]);
        gput_helper_run(ends[1]);
    }
    close(ends[1]);
    return ends[0];
}

/* Asked in a way that it does not understand it says so and ends. */
static void the_other_side(void)
{
    struct gput__question q = { .version = "0.0.1", .options_size = sizeof(q.options) };
    struct gput__answer a = { .kind = 77 };
    pid_t pid;
    int fd = ask_helper(&pid);

    (void)send(fd, &q, sizeof(q), MSG_NOSIGNAL);
    OK(recv(fd, &a, sizeof(a), 0) == (ssize_t)sizeof(a) && a.kind == GPUT__ANSWER_REFUSED &&
           a.code == -EPROTO,
       "a question of another version is refused: %s", a.error.text);
    OK(status_of(pid) != 0, "and the helper ends");
    close(fd);
    fd = ask_helper(&pid);
    (void)send(fd, "?", 1, MSG_NOSIGNAL);
    OK(recv(fd, &a, sizeof(a), 0) == (ssize_t)sizeof(a) && a.kind == GPUT__ANSWER_REFUSED &&
           status_of(pid) != 0,
       "so is one of a byte: %s", a.error.text);
    close(fd);
    close(ask_helper(&pid));
    OK(status_of(pid) != 0, "a helper that nobody asks ends");
    pid = fork_or_die();
    if (pid == 0)
        gput_helper_run(-1);
    OK(status_of(pid) != 0, "and so does one that nobody can ask");
}

/* --- one that fails later ------------------------------------------------------------------- */

/* A question of our own version with these bytes behind it. */
static struct gput__answer answer_to(const char *strings, size_t n, pid_t target)
{
    struct gput__question q = { .options_size = sizeof(q.options), .target = target };
    struct gput__answer a = { .kind = 77 };
    char message[sizeof(q) + 64];
    pid_t pid;
    int fd = ask_helper(&pid);

    snprintf(q.version, sizeof(q.version), "%s", gput_version());
    q.client = getpid();
    q.options = (struct gput_options)GPUT_OPTIONS_INIT;
    memcpy(message, &q, sizeof(q));
    memcpy(message + sizeof(q), strings, n);
    (void)send(fd, message, sizeof(q) + n, MSG_NOSIGNAL);
    (void)recv(fd, &a, sizeof(a), 0);
    close(fd);
    OK(status_of(pid) != 0, "the helper ends");
    return a;
}

static void cut_questions(void)
{
    static const struct {
        const char *strings;
        size_t n;
        const char *what;
    } cases[] = {
        { "", 0, "no strings" },
        { "----", 4, "too few of them" },
        { "--x---------", 12, "a mark that is none" },
        { "-+never ends", 12, "one without its end" },
    };
    char none_set[GPUT__N_OPTION_STRINGS];
    struct gput__answer a;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        a = answer_to(cases[i].strings, cases[i].n, getpid());
        OK(a.kind == GPUT__ANSWER_REFUSED && a.code == -EPROTO && strstr(a.error.text, "cut short"),
           "%s: %s", cases[i].what, a.error.text);
    }
    memset(none_set, '-', sizeof(none_set));
    a = answer_to(none_set, sizeof(none_set), getpid());
    OK(a.kind == GPUT__ANSWER_REFUSED && a.code < 0 && strstr(a.error.text, "cannot share memory"),
       "no memory to share: %s", a.error.text);
}

static void killed(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = started(&o);
    struct gput_error e = { "?", "?" };
    struct gput_usage u;
    struct gput_now now;
    size_t size = 30 * 1000 * PAGE / 4;
    char *memory = take(size);

    WAIT_UNTIL(usage_of(t).tracker.n_records.value >= 3 && now_of(t).ram_peak > (double)size);
    kill(helper_pid(), SIGKILL);
    ends_within(helper_pid(), LONG);
    give_back(memory, size);
    now = now_of(t);
    u = usage_of(t);
    OK(u.max_ram.main.total_rss.value > (double)size && now.ram_peak > (double)size,
       "the helper is killed: the figures so far are there");
    OK(gput_tracker_stop(t, 0, &e) == -EPIPE && n_children(NULL) == 0, "stop() says so: %s",
       e.text);
    u = usage_of(t);
    OK(u.max_ram.main.total_rss.value > (double)size && u.compute_time.time.value > 0.05,
       "and the figures stay: %.3f s", u.compute_time.time.value);
    OK(gput_tracker_stop(t, 0, &e) == -EALREADY, "once");
    gput_tracker_close(t);
}

static void deaf(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = started(&o);
    struct gput_error e = { "?", "?" };
    double begin, took;

    WAIT_UNTIL(usage_of(t).tracker.n_records.value >= 3);
    kill(helper_pid(), SIGSTOP);
    begin = now_s();
    OK(gput_tracker_stop(t, 0.4, &e) == -ETIMEDOUT && n_children(NULL) == 0,
       "a helper that does not answer is killed: %s", e.text);
    took = now_s() - begin;
    OK(took >= 0.39 && took < LONG, "after the patience of 0.4 s: %.2f s", took);
    OK(usage_of(t).compute_time.time.value > 0.05, "the figures until then are there");
    gput_tracker_close(t);

    t = started(&o);
    kill(helper_pid(), SIGSTOP);
    gput_tracker_close(t);
    OK(n_children(NULL) == 0, "close() does not leave it either");
}

/* --- files ---------------------------------------------------------------------------------- */

static bool holds(const char *path, const char *want)
{
    char *text = text_of(path);
    bool same = text && strcmp(text, want) == 0;

    free(text);
    return same;
}

static void files_are_replaced(void)
{
    struct scratch s;
    struct stat st = { 0 }, link = { 0 };
    char *big = malloc(3000001);
    const char *file, *other;

    scratch_begin(&s);
    file = scratch_file(&s, "file");
    other = scratch_file(&s, "other");
    OK(gput_file_replace(file, "one\n") == 0 && holds(file, "one\n"), "a new file");
    chmod(file, 0640);
    OK(gput_file_replace(file, "two\n") == 0 && holds(file, "two\n"), "another text");
    OK(stat(file, &st) == 0 && (st.st_mode & 07777) == 0640, "the mode stays");
    if (geteuid() == 0)
        OK(chown(file, 65534, 65534) == 0 && gput_file_replace(file, "two\n") == 0 &&
               stat(file, &st) == 0 && st.st_uid == 65534 && st.st_gid == 65534,
           "so does the owner");
    memset(big, 'x', 3000000);
    big[3000000] = '\0';
    OK(gput_file_replace(file, big) == 0 && holds(file, big), "three million bytes");
    OK(gput_file_replace(file, "") == 0 && holds(file, ""), "none");
    OK(symlink("file", other) == 0 && gput_file_replace(other, "x") == -EEXIST &&
           lstat(other, &link) == 0 && S_ISLNK(link.st_mode) && holds(file, ""),
       "a link is not replaced, nor what it points to");
    OK(n_entries(s.path) == 2, "nothing else is left beside it");
    OK(gput_file_replace(s.path, "x") == -EEXIST, "a folder is not replaced");
    OK(mkfifo(scratch_file(&s, "fifo"), 0600) == 0 &&
           gput_file_replace(scratch_file(&s, "fifo"), "x") == -EEXIST,
       "nor a FIFO");
    OK(gput_file_replace("/nowhere/file", "x") == -ENOENT, "nor is a folder made");
    free(big);
    scratch_end(&s);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], GPUT__HELPER_NAME))
        return false_helper(atoi(argv[2]));
    if (argc == 2 && !strcmp(argv[1], "find"))
        return tell_what_is_found();
    found();
    not_found();
    not_hijacked();
    wrong_programs();
    false_answers(argv[0]);
    the_other_side();
    cut_questions();
    killed();
    deaf();
    files_are_replaced();
    return DONE();
}
