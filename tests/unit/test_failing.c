/* test_failing.c - every call of the public interface while memory, threads, descriptors or files
 * fail under it, one call after the other: it succeeds, or it says what is wrong.  A sanitized build
 * also sees what is lost on the way.
 *
 * usage: test_failing FIXTURES */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "scenarios.h"
#include "tap.h"

int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static const struct {
    enum fail_kind kind;
    const char *name;
} kinds[] = {
    { FAIL_MEMORY, "memory" },   { FAIL_THREADS, "threads" }, { FAIL_OPENING, "opening" },
    { FAIL_READING, "reading" }, { FAIL_WRITING, "writing" },
};

/* Each of the first, then fewer and fewer: there are thousands in some.  FAULTS=full: each. */
static unsigned next_after(unsigned n)
{
    const char *faults = getenv("FAULTS");
    bool is_each = faults && strcmp(faults, "full") == 0;

    return n + 1 + (n > 60 && !is_each ? n / 8 : 0);
}

/* Whether an error comes with words, and these fit. */
static bool is_sound(int r, const struct gput_error *err)
{
    return r == 0 || (r < 0 && err->text[0] && (r != -ENOMEM || strstr(err->text, "memory")));
}

static void try(size_t k, const struct scenario *s)
{
    struct gput_error err;
    unsigned seen, n_faults = 0, n_tried = 0;
    int r;

    for (unsigned n = 1, has_failed = 1; has_failed; n = next_after(n)) {
        err = (struct gput_error){ "", "" };
        fail_nth(kinds[k].kind, n);
        r = s->call(&err);
        seen = fail_seen();
        fail_nth(FAIL_NOTHING, 0);
        has_failed = seen >= n;
        n_tried += has_failed;
        if (!is_sound(r, &err) && n_faults++ < 3)
            printf("# call %u: %d, '%s'\n", n, r, err.text);
    }
    OK(n_faults == 0, "%s, %s: %u calls, %u of them failed in turn", s->name, kinds[k].name, seen,
       n_tried);
}

static void without_failure(void)
{
    for (const struct scenario *s = scenarios; s->name; s++) {
        struct gput_error err = { "", "" };
        int r = s->call(&err);

        OK(r == 0, "%s: %d %s", s->name, r, r < 0 ? err.text : "");
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        printf("Bail out! usage: test_failing FIXTURES\n");
        return 1;
    }
    scenarios_begin(argv[1]);
    without_failure();
    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
        for (const struct scenario *s = scenarios; s->name; s++)
            try(k, s);
    if (__lsan_do_recoverable_leak_check)
        OK(!__lsan_do_recoverable_leak_check(), "and nothing is lost on the way");
    scenarios_end();
    return DONE();
}
