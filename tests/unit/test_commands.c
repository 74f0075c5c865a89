/* test_commands.c - the processes of a job by the command that they run. */
#include "sample/commands/commands.h"

#include <string.h>

#include "sample/commands/script.h"
#include "tap.h"
#include "tree_fixture.h"

static struct gput__command rows[GPUT__MOST_COMMANDS], others;
static size_t n_rows;

static const struct gput__command *row(const struct gput__tree *tree, const char *name)
{
    n_rows = gput__commands_now(tree, 0, rows, GPUT__MOST_COMMANDS, &others);
    for (size_t i = 0; i < n_rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static uint64_t sum_of_counts(void)
{
    uint64_t sum = others.count;

    for (size_t i = 0; i < n_rows; i++)
        sum += rows[i].count;
    return sum;
}

static void count_and_cpu(void)
{
    const struct gput__command *cc, *as;
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .name = "make" });
    for (int i = 1; i <= 3; i++)
        write_process((struct proc){
            .pid = 100 + i, .ppid = MAIN, .name = "cc", .utime = 10, .stack = 2000 });
    write_process(
        (struct proc){ .pid = 110, .ppid = MAIN, .name = "as", .utime = 2, .stack = 3000 });
    poll_once(&tree);
    cc = row(&tree, "cc");
    OK(cc && cc->count == 3 && cc->cpu_ns == 30 * tick, "three of one name, with what they used");
    OK(row(&tree, "make") && row(&tree, "make")->count == 1, "main has its own name");
    drop(101);
    drop(110);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .name = "make", .cutime = 15 });
    poll_once(&tree);
    cc = row(&tree, "cc");
    OK(cc && cc->count == 3 && cc->n_alive == 2, "the exited one still counts");
    OK(cc->cpu_ns >= 30 * tick && cc->cpu_ns <= 33 * tick, "what its parent waited for beyond that "
                                                           "is of those who exited");
    as = row(&tree, "as");
    OK(as && as->count == 1 && as->n_alive == 0 && as->cpu_ns + cc->cpu_ns >= 34 * tick &&
           as->cpu_ns + cc->cpu_ns <= 35 * tick,
       "and the sum is the parent's count");
    OK(as->last_ns > as->first_ns && as->first_ns >= SINCE, "from its start to its end");
    end(&tree);
}

static void exec_and_fork(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .name = "sh" });
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .name = "sh" });
    poll_once(&tree);
    OK(row(&tree, "sh") && row(&tree, "sh")->count == 2,
       "a forked process runs what its parent runs");
    write_process((struct proc){ .pid = 101,
                                 .ppid = MAIN,
                                 .name = "gcc",
                                 .stack = 2000,
                                 .rss = 9000,
                                 .anon = 1,
                                 .hwm = 9500 });
    poll_once(&tree);
    OK(row(&tree, "sh")->count == 1 && row(&tree, "gcc") && row(&tree, "gcc")->count == 1,
       "until it calls exec");
    OK(row(&tree, "gcc")->max_rss == 9500 * 1024, "with the largest memory of one of them");
    end(&tree);
}

static void scripts(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .name = "python3", .stack = 2000, .utime = 1 });
    fixture_write_bytes(&f, "101/cmdline", "python3\0-W\0ignore\0/home/me/train.py\0--key=s3cret",
                        47);
    poll_once(&tree);
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .name = "python3", .stack = 2000, .utime = 2 });
    poll_once(&tree);
    OK(row(&tree, "python3 train.py"), "an interpreter is told by its script");
    write_process(
        (struct proc){ .pid = 102, .ppid = 101, .name = "python3", .stack = 2000, .utime = 1 });
    poll_once(&tree);
    OK(row(&tree, "python3 train.py")->count == 2, "and so is what it forks");
    end(&tree);
}

/* Two thousand names: light ones give way, the heavy one stays. */
static void many_names(void)
{
    const unsigned n = 2000;
    struct gput__tree tree;
    char name[16];

    begin(&tree);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .name = "main" });
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .name = "heavy", .utime = 900, .stack = 2000 });
    poll_once(&tree);
    drop(101);
    for (unsigned i = 0; i < n; i += 100) {
        for (unsigned k = 0; k < 100; k++) {
            snprintf(name, sizeof(name), "job-%u", i + k);
            write_process((struct proc){ .pid = 1000 + (pid_t)k,
                                         .ppid = MAIN,
                                         .name = name,
                                         .utime = 1,
                                         .stack = 3000,
                                         .start = 10100 + i });
        }
        poll_once(&tree);
        for (unsigned k = 0; k < 100; k++)
            drop(1000 + (pid_t)k);
        poll_once(&tree);
    }
    OK(row(&tree, "heavy") == &rows[0], "of 2000 names the heaviest is kept and comes first");
    OK(tree.commands.n == GPUT__MOST_COMMANDS && others.count > 0,
       "a fixed number, the rest as others");
    OK(sum_of_counts() == n + 2, "and nobody is lost: %llu", (unsigned long long)sum_of_counts());
    OK(sizeof(rows) + sizeof(struct gput__commands) <= 64 * 1024, "in less than 64 KB");
    OK(gput__commands_now(&tree, 0, rows, 20, &others) == 20 && sum_of_counts() > 20,
       "the first twenty are told alone, what is left as others");
    n_rows = 20;
    OK(sum_of_counts() == n + 2, "again with nobody lost");
    end(&tree);
}

/* Each of them lives: nobody gives way. */
static void many_alive(void)
{
    struct gput__tree tree;
    char name[16];

    begin(&tree);
    for (int k = 0; k < 300; k++) {
        snprintf(name, sizeof(name), "live-%d", k);
        write_process((struct proc){
            .pid = 1000 + k, .ppid = MAIN, .name = name, .utime = 1, .stack = 3000 });
    }
    poll_once(&tree);
    row(&tree, "");
    OK(others.count == 301 - GPUT__MOST_COMMANDS && others.cpu_ns == others.count * tick,
       "who comes when all places are taken is of the others");
    for (int k = 0; k < 300; k++)
        drop(1000 + k);
    poll_once(&tree);
    row(&tree, "");
    OK(sum_of_counts() == 301, "and leaves them in order");
    end(&tree);
}

static void script_names(void)
{
    static const struct {
        const char *comm, *line;
        size_t len;
        const char *name; /* NULL: none */
    } cases[] = {
#define LINE(text) text, sizeof(text) - 1
        { "python3", LINE("python3\0a/b/run.py\0x\0"), "python3 run.py" },
        { "python3.11", LINE("python\0-u\0-X\0dev\0run.py\0"), "python3.11 run.py" },
        { "python3", LINE("python3\0-m\0pip\0install\0"), "python3 pip" },
        { "python3", LINE("python3\0-c\0import secret\0"), NULL },
        { "python3", LINE("python3\0"), NULL },
        { "python3", LINE("python3\0https://user:pw@host/x.py\0"), NULL },
        { "python3", LINE("python3\0run me.py\0"), NULL },
        { "java", LINE("java\0-Xmx4g\0-cp\0a.jar:b.jar\0-Dpassword=x\0org.x.Main\0"),
          "java org.x.Main" },
        { "java", LINE("java\0-jar\0/opt/picard.jar\0"), "java picard.jar" },
        { "R", LINE("/usr/lib/R/bin/exec/R\0--no-echo\0--file=fit.R\0--args\0k\0"), "R fit.R" },
        { "sh", LINE("sh\0-e\0./job.sh\0"), "sh job.sh" },
        { "bash", LINE("bash\0-o\0pipefail\0/x/step.sh\0"), "bash step.sh" },
        { "sh", LINE("sh\0-c\0curl -H token\0"), NULL },
        { "pythonic", LINE("pythonic\0run.py\0"), NULL },
        { "sh", LINE("sh\0uncut"), NULL },
    };
    char name[48];
    unsigned right = 0, n = sizeof(cases) / sizeof(*cases);

    for (unsigned i = 0; i < n; i++) {
        bool is = gput__script_name(cases[i].comm, cases[i].line, cases[i].len, name, sizeof(name));

        right += cases[i].name ? is && strcmp(name, cases[i].name) == 0 : !is;
        if (cases[i].name ? !is || strcmp(name, cases[i].name) : is)
            printf("# %u: %s\n", i, is ? name : "none");
    }
    OK(right == n, "scripts, modules and classes, never code, values or addresses");
    OK(!gput__script_name("sh", LINE("sh\0a-name-that-is-far-too-long-for-any-table-of-names.sh\0"),
                          name, sizeof(name)),
       "nor what has no room");
}

int main(void)
{
    count_and_cpu();
    exec_and_fork();
    scripts();
    many_names();
    many_alive();
    script_names();
    return DONE();
}
