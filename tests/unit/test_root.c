/* test_root.c - reading files below a root. */
#include "base/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "fixture.h"
#include "tap.h"

static void opening(void)
{
    struct gput__root root = { .fd = 77 };

    OK(gput__root_open("/nowhere/at/all", "/proc", &root) == -ENOENT && root.fd == 77,
       "no such folder: told, and ret is left alone");
    OK(gput__root_open("/dev/null", "/proc", &root) == -ENOTDIR && root.fd == 77, "not a folder");
    OK(gput__root_open(NULL, "/", &root) == 0 && root.live, "the standard one is live");
    OK(fcntl(root.fd, F_GETFD) == FD_CLOEXEC, "and closed on exec");
    gput__root_close(&root);
    gput__root_close(&root);
    OK(root.fd == -1, "closed twice");
    OK(gput__root_open("/", "/nowhere", &root) == 0 && !root.live, "a given one is not live");
    gput__root_close(&root);
}

static void reading(const struct fixture *f)
{
    char buf[64] = "old";

    fixture_write(f, "a/b", "line 1\nline 2\n");
    fixture_write(f, "empty", "");
    OK(gput__root_read(&f->root, "a/b", buf, sizeof(buf)) == 14 &&
           strcmp(buf, "line 1\nline 2\n") == 0,
       "a file in a folder");
    OK(gput__root_read(&f->root, "empty", buf, sizeof(buf)) == 0 && buf[0] == '\0', "an empty one");
    OK(gput__root_read(&f->root, "c", buf, sizeof(buf)) == -ENOENT, "none");
    OK(gput__root_read(&f->root, "a", buf, sizeof(buf)) == -EISDIR, "a folder is no file");
    OK(gput__root_read(&GPUT__ROOT_NONE, "a/b", buf, sizeof(buf)) == -ENOENT, "no root");
}

/* A file of every length around the room there is, with and without a newline at each end. */
static void every_length(const struct fixture *f)
{
    char text[300], buf[128];
    int wrong = 0;

    for (size_t len = 0; len < sizeof(text); len++) {
        for (int ended = 0; ended < 2; ended++) {
            size_t want = len < sizeof(buf) - 1 ? len : sizeof(buf) - 1;

            memset(text, 'x', len);
            if (ended && len)
                text[len - 1] = '\n';
            text[len] = '\0';
            fixture_remove(f, "lengths"); /* a new file is faster than one cut to nothing */
            fixture_write(f, "lengths", text);
            memset(buf, '?', sizeof(buf));
            wrong += gput__root_read(&f->root, "lengths", buf, sizeof(buf)) != (ssize_t)want ||
                     memcmp(buf, text, want) != 0 || buf[want] != '\0';
        }
    }
    OK(wrong == 0, "files of 0 to 299 bytes into 128: all that fits, and a NUL");
}

static void long_files(const struct fixture *f)
{
    size_t size = 100000;
    char *text = malloc(size + 1), *buf = malloc(size + 1000);

    for (size_t i = 0; i < size; i++)
        text[i] = i % 64 == 63 ? '\n' : (char)('a' + i % 26);
    text[size] = '\0';
    fixture_write(f, "long", text);
    OK(gput__root_read(&f->root, "long", buf, size + 1000) == (ssize_t)size &&
           strcmp(buf, text) == 0,
       "a long file in one go");
    free(text);
    free(buf);
}

static void whole_files(const struct fixture *f)
{
    struct gput__root live = { .fd = f->root.fd, .live = true };
    struct gput__buf got = GPUT__BUF_INIT;
    char text[5001];
    int fd = -1, wrong = 0;

    for (size_t len = 0; len < sizeof(text); len += len % 100 == 95 ? 5 : 45) {
        memset(text, 'x', len);
        text[len] = '\0';
        if (len > 70) /* as a seq file that comes in pieces, each of which ends in a newline */
            text[len - 70] = text[len - 1] = '\n';
        fixture_write(f, "whole", text);
        wrong += gput__root_reread_whole(&f->root, "whole", &fd, 0, &got) != 0 || got.len != len ||
                 strcmp(gput__buf_text(&got), text) != 0 || fd != -1;
    }
    OK(wrong == 0, "a file of any length as a whole");
    OK(gput__root_reread_whole(&f->root, "nothing", &fd, 0, &got) == -ENOENT &&
           gput__root_reread_whole(&live, "nothing", &fd, 0, &got) == -ENOENT && fd == -1,
       "one that is not there");
    fixture_write(f, "whole", "1\n");
    OK(gput__root_reread_whole(&live, "whole", &fd, 0, &got) == 0 && fd >= 0 &&
           gput__root_reread_whole(&live, "whole", &fd, 0, &got) == 0 && got.len == 2,
       "of a live root the descriptor is kept, and read from its start again");
    close(fd);
    gput__buf_free(&got);
}

static size_t length_of(const struct gput__root *root, const char *name, size_t line)
{
    struct gput__buf got = GPUT__BUF_INIT;
    size_t len = 0;
    int fd = -1;

    if (gput__root_reread_whole(root, name, &fd, line, &got) == 0)
        len = strlen(gput__buf_text(&got));
    if (fd >= 0)
        close(fd);
    gput__buf_free(&got);
    return len;
}

/* The end is seen without asking, but not before it is there. */
static void lines_of_known_length(const struct fixture *f)
{
    struct gput__root proc;
    char text[9001];
    size_t whole, wrong = 0;

    for (size_t len = 0; len < sizeof(text); len += 60) {
        for (size_t i = 0; i < len; i++)
            text[i] = i % 60 == 59 ? '\n' : 'x';
        text[len] = '\0';
        fixture_write(f, "lines", text);
        wrong += length_of(&f->root, "lines", 60) != len;
    }
    OK(wrong == 0, "a file of any number of short lines");
    fixture_need(gput__root_open(NULL, "/proc", &proc) == 0, "/proc");
    /* many pages, and the same at any time */
    whole = length_of(&proc, "kallsyms", 0);
    OK(length_of(&proc, "kallsyms", 2048) == whole,
       "a file that the kernel gives in pieces: %zu bytes", whole);
    gput__root_close(&proc);
}

static void again_and_again(const struct fixture *f)
{
    struct gput__root live = f->root;
    char buf[64];
    int fd = -1;

    fixture_write(f, "x", "1\n");
    gput__root_reread(&f->root, "x", &fd, buf, sizeof(buf));
    OK(strcmp(buf, "1\n") == 0 && fd == -1, "a dump's file is opened each time");
    fixture_remove(f, "x");
    OK(gput__root_reread(&f->root, "x", &fd, buf, sizeof(buf)) == -ENOENT, "and missed when gone");
    live.live = true;
    OK(gput__root_reread(&live, "x", &fd, buf, sizeof(buf)) == -ENOENT && fd < 0, "a live one too");
    fixture_write(f, "x", "2\n");
    OK(gput__root_reread(&live, "x", &fd, buf, sizeof(buf)) == 2 && fd >= 0,
       "until it is there; then its descriptor is kept");
    fixture_remove(f, "x");
    memset(buf, 0, sizeof(buf));
    OK(gput__root_reread(&live, "x", &fd, buf, sizeof(buf)) == 2 && strcmp(buf, "2\n") == 0,
       "and read from its start again");
    close(fd);
}

/* A quarter of all may be in use where one is kept. */
static void few_descriptors(const struct fixture *f)
{
    struct gput__root live = { .fd = f->root.fd, .live = true };
    struct rlimit before, few;
    struct gput__buf whole = { 0 };
    char buf[64] = "";
    int next = dup(live.fd), fd = -1;

    close(next);
    fixture_write(f, "y", "3\n");
    fixture_need(getrlimit(RLIMIT_NOFILE, &before) == 0, "a limit of descriptors");
    few = before;
    few.rlim_cur = (rlim_t)next * 4 + 3;
    fixture_need(setrlimit(RLIMIT_NOFILE, &few) == 0, "a lower one");
    OK(gput__root_reread(&live, "y", &fd, buf, sizeof(buf)) == 2 && strcmp(buf, "3\n") == 0 &&
           fd == -1,
       "few descriptors: it is read, and none is kept");
    OK(gput__root_reread_whole(&live, "y", &fd, 0, &whole) == 0 && whole.len == 2 && fd == -1,
       "the same of the whole");
    few.rlim_cur++;
    fixture_need(setrlimit(RLIMIT_NOFILE, &few) == 0, "one more");
    OK(gput__root_reread(&live, "y", &fd, buf, sizeof(buf)) == 2 && fd == next,
       "enough: it is kept");
    close(fd);
    (void)setrlimit(RLIMIT_NOFILE, &before);
    gput__buf_free(&whole);
}

int main(void)
{
    struct fixture f;

    fixture_begin(&f);
    opening();
    reading(&f);
    every_length(&f);
    long_files(&f);
    whole_files(&f);
    lines_of_known_length(&f);
    again_and_again(&f);
    few_descriptors(&f);
    fixture_end(&f);
    return DONE();
}
