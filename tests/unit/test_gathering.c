/* test_gathering.c - the folder in which trackers of a node put their results: who lives, who is last. */
#include "store/fleet/gathering.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/fleet/deliver.h"
#include "store/fleet/rank_state.h"
#include "tap.h"

static char place[] = "/tmp/gput-test-XXXXXX";

static bool nobody_is_out(const struct gput__gathering *g, const struct gput__member *m)
{
    (void)g, (void)m;
    return false;
}

static bool everybody_is_out(const struct gput__gathering *g, const struct gput__member *m)
{
    (void)g, (void)m;
    return true;
}

static void two_meet(void)
{
    struct gput__gathering a, b;
    struct gput__member *list = NULL;
    struct gput__buf text = { 0 };
    char line[300];
    struct stat st;
    size_t n = 0;

    OK(gput__gathering_join("j", &a) == 0 && gput__gathering_join("j", &b) == 0, "two join");
    OK(strcmp(a.id, b.id) == 0 && strcmp(a.own, b.own) != 0, "it is one, and they are two");
    OK(a.wall > 1.6e9 && fabs(a.wall - b.wall) < 1e-5 && fabs(a.boot - b.boot) < 1e-5,
       "both know when it began");
    OK(stat(a.path, &st) == 0 && (st.st_mode & 0777) == 0700, "for the user alone");
    OK(gput__gathering_elect(&a) && !gput__gathering_elect(&b), "one measures the node");
    OK(gput__gathering_elect(&a) && !gput__gathering_elect(&b), "and goes on to");
    OK(gput__gathering_store(&a, "state of a") == 0 && gput__gathering_tell(&a, "12 13") == 0,
       "one stores and tells");
    OK(gput__gathering_members(&b, &list, &n) == 0 && n == 2 && list[0].is_alive &&
           list[1].is_alive,
       "both live");
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, a.own) == 0)
            OK(gput__gathering_read(&b, &list[i], &text, line, sizeof(line)) == 0 &&
                   strcmp(text.data, "state of a") == 0 && strncmp(line, "12 13 ", 6) == 0,
               "one reads what the other has stored");
    free(list);
    gput__buf_free(&text);
    OK(!gput__gathering_close(&a, nobody_is_out), "while the other lives nobody is the last");
    gput__gathering_leave(&a);
    OK(gput__gathering_elect(&b), "the other takes over");
    OK(gput__gathering_close(&b, nobody_is_out) && b.is_moved, "and is the last one");
    gput__gathering_remove(&b);
    OK(stat(b.path, &st) < 0 && errno == ENOENT, "nothing is left");
    gput__gathering_leave(&b);
}

static void both_say_that_they_end(void)
{
    struct gput__gathering a, b, c;

    OK(gput__gathering_join("e", &a) == 0 && gput__gathering_join("e", &b) == 0, "two join");
    OK(gput__gathering_close(&a, everybody_is_out),
       "each sees the other out: the first is the last");
    OK(!gput__gathering_close(&b, everybody_is_out), "and nobody else");
    OK(gput__gathering_join("e", &c) == 0 && strcmp(c.id, a.id) != 0, "who comes then begins anew");
    OK(gput__gathering_close(&c, nobody_is_out), "alone");
    gput__gathering_remove(&a);
    gput__gathering_remove(&c);
    gput__gathering_leave(&a);
    gput__gathering_leave(&b);
    gput__gathering_leave(&c);
}

static void one_is_killed(void)
{
    struct gput__gathering g;
    struct gput__member *list = NULL;
    size_t n = 0, alive = 0;
    int ready[2], status;
    char byte;
    pid_t pid;

    OK(pipe(ready) == 0 && gput__gathering_join("k", &g) == 0, "one joins");
    pid = fork();
    if (pid == 0) {
        struct gput__gathering mine;

        if (gput__gathering_join("k", &mine) == 0)
            (void)!write(ready[1], "x", 1);
        pause();
        _exit(0);
    }
    OK(read(ready[0], &byte, 1) == 1, "another process joins");
    OK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid, "and is killed");
    OK(gput__gathering_members(&g, &list, &n) == 0 && n == 2, "its files are there");
    for (size_t i = 0; i < n; i++)
        alive += list[i].is_alive;
    OK(alive == 1, "it is known to be dead");
    free(list);
    OK(gput__gathering_close(&g, nobody_is_out), "and holds nobody up");
    gput__gathering_remove(&g);
    gput__gathering_leave(&g);
    close(ready[0]);
    close(ready[1]);
}

static void foreign_folder(void)
{
    char path[200];
    struct gput__gathering g;

    snprintf(path, sizeof(path), "%s/gpu-tracker-%u", place, (unsigned)geteuid());
    OK(chmod(path, 0755) == 0, "a folder that others can enter");
    OK(gput__gathering_join("x", &g) == 0 && strncmp(g.path, path, strlen(path)) != 0,
       "is not used: %s", g.path ? g.path : "");
    if (g.path && gput__gathering_close(&g, nobody_is_out))
        gput__gathering_remove(&g);
    gput__gathering_leave(&g);
    (void)chmod(path, 0700);
}

static struct gput__rank_state make_state(void)
{
    struct gput__rank_state s;

    gput__rank_state_init(&s);
    s.number[GPUT__RANK_RANK] = 3;
    s.number[GPUT__RANK_WALL] = 1.25;
    s.number[GPUT__RANK_CPU] = 0.1;
    s.text[GPUT__RANK_JOB] = strdup("{\"id\":\"a b\"}");
    (void)gput__moments_make(&s.moments, 2);
    for (int i = 0; i < GPUT__N_MOMENT_VALUES; i++)
        s.moments.value[i][0] = i, s.moments.value[i][1] = NAN;
    return s;
}

static void states(void)
{
    struct gput__rank_state s = make_state(), back;
    struct gput__buf text = { 0 };
    char line[256], *cut;
    int taken = 0;

    gput__rank_state_print(&s, &text);
    OK(gput__rank_state_parse(text.data, &back) == 0, "a state is read back");
    OK(back.number[GPUT__RANK_RANK] == 3 && back.number[GPUT__RANK_CPU] == 0.1 &&
           isnan(back.number[GPUT__RANK_CODE]),
       "numbers, also those that are not known");
    OK(back.text[GPUT__RANK_JOB] && !strcmp(back.text[GPUT__RANK_JOB], "{\"id\":\"a b\"}") &&
           !back.text[GPUT__RANK_GPUS],
       "texts");
    OK(back.moments.n == 2 && back.moments.value[GPUT__MOMENT_CPU][0] == GPUT__MOMENT_CPU &&
           isnan(back.moments.value[GPUT__MOMENT_RAM][1]),
       "moments");
    s.number[GPUT__RANK_WALL] = 7.5;
    s.number[GPUT__RANK_CPU] = 0.05;
    gput__rank_line_print(&s, line, sizeof(line));
    gput__rank_line_apply(line, &back);
    OK(back.number[GPUT__RANK_WALL] == 7.5 && back.number[GPUT__RANK_CPU] == 0.1,
       "what is told later counts, as far as it is more");
    gput__rank_line_apply("nonsense", &back);
    OK(back.number[GPUT__RANK_WALL] == 7.5, "nonsense does not");
    gput__rank_state_free(&back);
    for (size_t i = 0; i < text.len; i++) {
        cut = strndup(text.data, i);
        taken += gput__rank_state_parse(cut, &back) == 0;
        gput__rank_state_free(&back);
        free(cut);
    }
    OK(taken == 0, "no part of it is one");
    gput__rank_state_free(&s);
    gput__buf_free(&text);
}

static void send(struct gput__delivery *d, const char *text, int want_r, int want_number)
{
    int r;

    d->text = text;
    d->len = strlen(text);
    r = gput__deliver(d);
    OK(r == want_r && d->number == want_number, "%s is delivered: %d, number %d", text, r,
       d->number);
}

static bool holds(const char *name, const char *want)
{
    char path[300], text[64] = "";
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", place, name);
    f = fopen(path, "r");
    if (!f)
        return false;
    (void)!fread(text, 1, sizeof(text) - 1, f);
    fclose(f);
    return strcmp(text, want) == 0;
}

static void deliveries(void)
{
    struct gput__delivery d = { .job = "7", .step = "0", .node = "n1", .id = "x" }, other = d;

    snprintf(d.folder, sizeof(d.folder), "%s", place);
    other = d;
    gput__delivery_choose_part(&d, 256);
    OK(!d.part[0], "256 nodes lie in one folder");
    send(&d, "one", 0, 1);
    send(&d, "two", 0, 1);
    OK(holds("7/0/n1.json", "two"), "the second time it is replaced");
    send(&other, "three", 0, 2);
    OK(holds("7/0/n1.json", "two") && holds("7/0/n1.2.json", "three"), "another one is not");
    other.number = 0;
    gput__delivery_choose_part(&other, 257);
    OK(strlen(other.part) == 2, "above that in one of 256: %s", other.part);
    send(&other, "four", 0, 1);
    snprintf(other.folder, sizeof(other.folder), "%s/none", place);
    other.number = 0;
    send(&other, "five", -ENOENT, 0);
    d.number = 0;
    snprintf(d.folder, sizeof(d.folder), "%s/7/0/n1.json", place);
    send(&d, "six", -ENOTDIR, 0);
}

int main(void)
{
    char command[200];

    OK(mkdtemp(place) != NULL, "a scratch folder");
    setenv("GPUT_FLEET_LOCAL", place, 1);
    two_meet();
    both_say_that_they_end();
    one_is_killed();
    foreign_folder();
    states();
    deliveries();
    snprintf(command, sizeof(command), "rm -rf %s", place);
    OK(system(command) == 0, "cleared");
    return DONE();
}
