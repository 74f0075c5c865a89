/* test_cli_output.c - where the result goes, in a folder of its own. */
#include "output/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static void write_text(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(name, "w");

    if (file) {
        fputs(text, file);
        fclose(file);
    }
    chmod(name, mode);
}

static void lead(const char *name, const char *target)
{
    if (symlink(target, name) < 0)
        OK(0, "cannot make the link %s", name);
}

static bool holds(const char *name, const char *want)
{
    char text[100] = "";
    FILE *file = fopen(name, "r");
    size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

    if (file)
        fclose(file);
    return file && n == strlen(want) && strcmp(text, want) == 0;
}

static mode_t mode_of(const char *name)
{
    struct stat st;

    return lstat(name, &st) == 0 ? st.st_mode & 0777 : 0;
}

/* Files in the working folder: nothing may be left behind. */
static int n_files(void)
{
    DIR *folder = opendir(".");
    int n = -2; /* . and .. */

    while (folder && readdir(folder))
        n++;
    if (folder)
        closedir(folder);
    return n;
}

static int write_result(const char *name, const char *text)
{
    struct refusal why;
    struct output o;
    int r = output_prepare("--output", name, &o, &why);

    if (r == 0)
        r = output_finish(&o, text);
    output_free(&o);
    return r;
}

static void standard_output(void)
{
    struct refusal why;
    struct output o;

    OK(output_prepare("--output", "-", &o, &why) == 0 && o.way == OUTPUT_DESCRIPTOR && o.fd == 1 &&
           n_files() == 0,
       "- is standard output");
    output_free(&o);
}

static void refused(const char *name, const char *part)
{
    struct refusal why = { "" };
    struct output o;
    int before = n_files();

    OK(output_prepare("--output", name, &o, &why) == -EINVAL && strstr(why.text, part) &&
           n_files() == before,
       "%s", why.text);
    output_free(&o);
}

static void a_new_file(void)
{
    struct refusal why;
    struct output o;

    umask(027);
    OK(output_prepare("--output", "new", &o, &why) == 0 && n_files() == 0,
       "preparing makes no file");
    OK(o.way == OUTPUT_REPLACE && !output_may_block(&o), "a new file is made by rename");
    OK(output_partial(&o, "so far") == 0 && holds("new.partial", "so far"), "a partial result");
    OK(output_partial(&o, "further") == 0 && holds("new.partial", "further"), "is replaced");
    OK(output_finish(&o, "done\n") == 0 && holds("new", "done\n"), "the result");
    OK(n_files() == 1, "nothing else is left");
    OK(mode_of("new") == 0640, "the umask is honoured");
    output_free(&o);
    umask(022);
    unlink("new");
}

static void an_existing_file(void)
{
    write_text("old", "a rather long older result", 0604);
    if (link("old", "other") < 0)
        OK(0, "cannot make a hard link");
    OK(write_result("old", "new\n") == 0 && holds("old", "new\n"), "it is replaced as a whole");
    OK(holds("other", "a rather long older result"), "by rename: who has it open keeps it");
    OK(mode_of("old") == 0604 && n_files() == 2, "its mode is kept");
    unlink("old");
    unlink("other");
}

static void links(void)
{
    mkdir("d", 0755);
    write_text("d/target", "old", 0644);
    lead("link", "d/target");
    lead("link2", "link");
    lead("dangling", "d/fresh");
    OK(write_result("link2", "new") == 0 && holds("d/target", "new"), "through two links");
    OK(readlink("link2", (char[8]){ 0 }, 8) == 4, "which stay");
    OK(write_result("dangling", "new") == 0 && holds("d/fresh", "new"), "a link to nothing yet");
    lead("loop", "loop");
    refused("loop", strerror(ELOOP));
    lead("astray", "nowhere/x");
    refused("astray", "No such file");
    unlink("loop");
    unlink("astray");
    unlink("link");
    unlink("link2");
    unlink("dangling");
    unlink("d/target");
    unlink("d/fresh");
    rmdir("d");
}

static void what_cannot_be_written(void)
{

    write_text("file", "", 0644);
    refused("nowhere/x", "No such file");
    refused("nowhere/", "No such file");
    refused("file/x", "Not a directory");
    refused(".", "Is a directory");
    refused("/dev/fd/1234", "No such file");
    refused("/proc/self/cwd", "Is a directory");
    unlink("file");
}

static void descriptors(void)
{
    struct refusal why;
    struct output o;
    char name[40];
    int fd = open("log", O_RDWR | O_CREAT, 0644);

    OK(write(fd, "job\n", 4) == 4, "a file that the job writes to");
    snprintf(name, sizeof(name), "/dev/fd/%d", fd);
    lead("link", name);
    OK(output_prepare("--output", name, &o, &why) == 0 && o.way == OUTPUT_DESCRIPTOR && !o.partial,
       "/dev/fd is a descriptor, not a name");
    output_free(&o);
    OK(write_result(name, "one\n") == 0 && write_result("link", "two\n") == 0 &&
           holds("log", "job\none\ntwo\n"),
       "the result follows what was written there");
    close(fd);
    fd = open("log", O_RDONLY);
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    refused(name, "Bad file descriptor");
    close(fd);
    unlink("log");
    unlink("link");
}

static void *read_fifo(void *text)
{
    FILE *file = fopen("fifo", "r");
    size_t n = file ? fread(text, 1, 99, file) : 0;

    ((char *)text)[n] = '\0';
    if (file)
        fclose(file);
    return NULL;
}

static void devices_and_fifos(void)
{
    struct stat st;
    char text[100] = "";
    pthread_t reader;

    OK(write_result("/dev/null", "x") == 0 && stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode),
       "/dev/null stays a device");
    OK(write_result("/dev/full", "x") == -ENOSPC, "a full one is told");
    mkfifo("fifo", 0644);
    pthread_create(&reader, NULL, read_fifo, text);
    OK(write_result("fifo", "through") == 0, "a FIFO is written to");
    pthread_join(reader, NULL);
    OK(strcmp(text, "through") == 0 && n_files() == 1, "and read from");
    unlink("fifo");
}

/* Big enough to fill the pipe; read slowly by another thread. */
static void *drain(void *fd)
{
    char part[5000];
    size_t *total = calloc(1, sizeof(*total));
    ssize_t n;

    while (total && (n = read(*(int *)fd, part, sizeof(part))) > 0)
        *total += (size_t)n;
    return total;
}

static void a_non_blocking_pipe(void)
{
    size_t size = 1000000, *got = NULL;
    struct output o = { .way = OUTPUT_DESCRIPTOR };
    char *text = malloc(size + 1);
    pthread_t reader;
    void *result;
    int ends[2];

    if (!OK(text && pipe(ends) == 0, "a pipe"))
        return;
    memset(text, 'x', size);
    text[size] = '\0';
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    pthread_create(&reader, NULL, drain, &ends[0]);
    o.fd = ends[1];
    OK(output_finish(&o, text) == 0, "all of a long text is written");
    close(ends[1]);
    pthread_join(reader, &result);
    got = result;
    OK(got && *got == size, "and arrives");
    close(ends[0]);
    OK(output_finish(&(struct output){ .way = OUTPUT_DESCRIPTOR, .fd = -1 }, "x") == -EBADF,
       "a closed descriptor is told");
    free(got);
    free(text);
}

/* Root may write everywhere; another user shows what happens where one may not.  It is the real one
 * too: before 2.33 glibc's AT_EACCESS asks for that. */
static void where_little_is_allowed(void)
{
    bool is_root = geteuid() == 0;
    struct refusal why;
    struct output o;

    mkdir("closed", 0755);
    write_text("closed/mine", "a long older result", 0666);
    write_text("closed/theirs", "old", 0644);
    write_text("closed.ro", "old", 0444);
    chmod("closed", is_root ? 0755 : 0555);
    if (is_root && setresuid(65534, 65534, 0) < 0)
        return;
    refused("closed/new", "Permission denied");
    refused("closed.ro", "Permission denied");
    OK(output_prepare("--output", "closed/mine", &o, &why) == 0 && o.way == OUTPUT_IN_PLACE &&
           !o.partial,
       "a file that may be written in a folder that may not");
    OK(output_finish(&o, "new") == 0 && holds("closed/mine", "new"), "is written in place");
    output_free(&o);
    if (is_root && setresuid(0, 0, 0) == 0)
        OK(mode_of("closed/mine") == 0666, "with its mode as it was");
    chmod("closed", 0755);
    unlink("closed/mine");
    unlink("closed/theirs");
    unlink("closed.ro");
    rmdir("closed");
}

int main(void)
{
    char folder[] = "/tmp/cli_output.XXXXXX";

    signal(SIGPIPE, SIG_IGN);
    umask(022);
    if (!OK(mkdtemp(folder) && chdir(folder) == 0, "a folder"))
        return DONE();
    chmod(folder, 0755);
    standard_output();
    a_new_file();
    an_existing_file();
    links();
    what_cannot_be_written();
    descriptors();
    devices_and_fifos();
    a_non_blocking_pipe();
    where_little_is_allowed();
    OK(n_files() == 0, "nothing is left behind");
    rmdir(folder);
    return DONE();
}
