/* test_running_file.c - the small file by which a running tracker is found. */
#include "store/files/running_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static char folder[64];

static struct gput__running_info example(void)
{
    return (struct gput__running_info){ .tracker = 4711,
                                        .pid = 4713,
                                        .tracker_start = 322149,
                                        .since = 1795063658.895067,
                                        .memory = 12,
                                        .command = "sh 'a b.sh' -x" };
}

static void text_is_read_as_it_was_written(void)
{
    struct gput__running_info info = example(), read = { 0 };
    char text[1024];
    int len = gput__running_info_format(&info, text, sizeof(text)), n_taken = 0;

    OK(len > 0 && gput__running_info_parse(text, (size_t)len, &read) == 0 && read.tracker == 4711 &&
           read.pid == 4713 && read.tracker_start == 322149 && read.memory == 12 &&
           read.since == info.since && strcmp(read.command, info.command) == 0,
       "what was written is read");
    for (int cut = 0; cut < len; cut++)
        n_taken += gput__running_info_parse(text, (size_t)cut, &read) == 0;
    OK(n_taken == 0, "no beginning of it is");
}

static void other_text_is_refused(void)
{
    static const char *const bad[] = {
        "",
        "\n",
        "gpu-tracker 2\nmemory 1\ntracker 1 1\npid 1\nsince 1\ncommand a\n",
        "gpu-tracker 1\nmemory x\ntracker 1 1\npid 1\nsince 1\ncommand a\n",
        "gpu-tracker 1\nmemory 1\ntracker 0 1\npid 1\nsince 1\ncommand a\n",
        "gpu-tracker 1\nmemory 1\ntracker 99999999999 1\npid 1\nsince 1\ncommand a\n",
        "gpu-tracker 1\nmemory -2\ntracker 1 1\npid 1\nsince 1\ncommand a\n",
        "gpu-tracker 1\nmemory 1\ntracker 1 1\npid -1\nsince 1\ncommand a\n",
        "gpu-tracker 1\nmemory 1\ntracker 1 1\npid 1\nsince 1\ncommand a\nb\n",
        "gpu-tracker 1\nmemory 1\ntracker 1\npid 1\nsince 1\ncommand a\n",
    };
    struct gput__running_info read = { .tracker = 5 };
    int n_taken = 0;

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        n_taken += gput__running_info_parse(bad[i], strlen(bad[i]), &read) == 0;
    OK(n_taken == 0 && read.tracker == 5, "other text is refused, and nothing is changed");
}

static int n_listed(struct gput__running_info *ret)
{
    struct gput__running_info *all = NULL;
    int n = gput__running_files_list(&all);

    if (n > 0 && ret)
        *ret = all[0];
    free(all);
    return n;
}

static void a_tracker_is_found_and_told(void)
{
    struct gput__running_info info = { .pid = 1, .since = 5, .command = "job" }, seen = { 0 };
    struct gput__running_file f;
    struct stat st;

    gput__running_file_init(&f);
    OK(!gput__running_file_is_touched(&f), "without a file nobody watches");
    OK(n_listed(NULL) == 0, "nobody runs, and there is no folder");
    OK(gput__running_file_make(&f, &info) == 0 && info.tracker == getpid(), "a file is made");
    OK(stat(folder, &st) == 0 && (st.st_mode & 07777) == 0700, "its folder is closed to others");
    OK(n_listed(&seen) == 1 && seen.tracker == getpid() && seen.memory == -1 &&
           strcmp(seen.command, "job") == 0 && gput__running_is_visible(&seen),
       "it is found");
    OK(!gput__running_file_is_touched(&f), "who lists does not watch");
    usleep(20000); /* the time of a file moves in ticks */
    OK(gput__running_file_touch(&seen) == 0 && gput__running_file_is_touched(&f) &&
           !gput__running_file_is_touched(&f),
       "who touches it does, once");
    OK(gput__running_file_set_memory(&f, 123456) == 0 && !gput__running_file_is_touched(&f) &&
           gput__running_file_touch(&seen) == 0 && seen.memory == 123456,
       "viewers learn of the memory");
    seen.tracker_start++;
    OK(gput__running_file_touch(&seen) == -ESRCH && !gput__running_is_visible(&seen),
       "another process with the same pid is not taken for it");
    gput__running_file_remove(&f);
    OK(n_listed(NULL) == 0 && gput__running_file_touch(&info) == -ESRCH, "it is gone at the end");
}

static void what_was_left_is_removed(void)
{
    struct gput__running_info info = { .command = "job" };
    struct gput__running_file f;
    char name[100];
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        gput__running_file_init(&f);
        _exit(gput__running_file_make(&f, &info) < 0); /* as a killed one: the file stays */
    }
    waitpid(pid, &status, 0);
    snprintf(name, sizeof(name), "%s/%d", folder, pid);
    OK(status == 0 && access(name, F_OK) == 0, "a tracker that was killed leaves its file");
    OK(n_listed(NULL) == 0 && access(name, F_OK) < 0, "who lists removes it");
}

static void an_unsafe_folder_is_not_used(void)
{
    struct gput__running_info info = { .command = "job" };
    struct gput__running_file f;
    char target[80];

    gput__running_file_init(&f);
    (void)chmod(folder, 0755);
    OK(gput__running_file_make(&f, &info) == -EPERM && f.fd < 0 && n_listed(NULL) == -EPERM,
       "a folder that others can read is not used");
    (void)chmod(folder, 0700);
    snprintf(target, sizeof(target), "%s-target", folder);
    (void)rename(folder, target);
    OK(symlink(target, folder) == 0 && gput__running_file_make(&f, &info) == -EPERM,
       "nor a link to one");
    (void)unlink(folder);
    (void)rename(target, folder);
    setenv("GPUT_RUNNING_DIR", "", 1);
    OK(gput__running_file_make(&f, &info) == -ENOENT && n_listed(NULL) == 0,
       "without a folder nobody is found");
    setenv("GPUT_RUNNING_DIR", folder, 1);
}

int main(void)
{
    char base[] = "/tmp/gput-running-XXXXXX";

    if (!mkdtemp(base))
        return 1;
    snprintf(folder, sizeof(folder), "%s/here", base);
    setenv("GPUT_RUNNING_DIR", folder, 1);
    text_is_read_as_it_was_written();
    other_text_is_refused();
    a_tracker_is_found_and_told();
    what_was_left_is_removed();
    an_unsafe_folder_is_not_used();
    (void)rmdir(folder);
    (void)rmdir(base);
    return DONE();
}
