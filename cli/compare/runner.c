/* runner.c - runs commands one after the other, each under a tracker of its own: this program again, so
 * that each is measured as it would be alone. */
#include "compare/runner.h"

#include "output/exit_codes.h"
#include "output/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The program that runs, even where its file has been replaced. */
#define THIS_PROGRAM "/proc/self/exe"

static int make_folder(struct runner *r)
{
    const char *tmp = getenv("TMPDIR");

    if (asprintf(&r->folder, "%s/gpu-tracker-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0) {
        r->folder = NULL;
        return -ENOMEM;
    }
    if (mkdtemp(r->folder))
        return 0;
    free(r->folder);
    r->folder = NULL;
    return -errno;
}

int runner_open(struct runner *r)
{
    int e = 0;

    if (r->results)
        e = mkdir(r->results, 0777) < 0 && errno != EEXIST ? -errno : 0;
    else
        e = make_folder(r);
    if (e < 0) {
        say("%s: cannot make %s for the results: %s", r->label,
            r->results ? r->results : "a folder", strerror(-e));
        return EXIT_USAGE;
    }
    child_block_signals(&r->signals);
    return 0;
}

/* free() it; NULL: no memory. */
static char *result_name(const struct runner *r, int i)
{
    char *name;
    int n = asprintf(&name, "%s/run-%03d.json", r->results ? r->results : r->folder, i);

    return n < 0 ? NULL : name;
}

void runner_close(struct runner *r)
{
    for (int i = 0; r->folder && i < r->n_results; i++) {
        char *name = result_name(r, i + 1);

        if (name)
            (void)unlink(name);
        free(name);
    }
    if (r->folder)
        (void)rmdir(r->folder);
    free(r->folder);
    free(r->last);
    r->folder = r->last = NULL;
}

/* --- names ---------------------------------------------------------------------------------- */

static bool is_plain(const char *word)
{
    return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_@%+=:,./-")];
}

/* In single quotes where a shell needs them. */
static void write_word(FILE *out, const char *word)
{
    if (is_plain(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

int runner_name(struct runner_command *command)
{
    size_t size;
    FILE *out;

    if (!command->words) {
        command->name = strdup(command->text);
        return command->name ? 0 : -ENOMEM;
    }
    out = open_memstream(&command->name, &size);
    if (!out)
        return -ENOMEM;
    for (char *const *word = command->words; *word; word++) {
        if (word > command->words)
            fputc(' ', out);
        write_word(out, *word);
    }
    return fclose(out) == 0 ? 0 : -ENOMEM;
}

/* --- runs ----------------------------------------------------------------------------------- */

enum { MOST_OWN_WORDS = 12 };

/* The words of the tracker's command line, behind which the command's follow. */
static char **words_of(const struct runner_command *command, char *output)
{
    static char name[] = "gpu-tracker", quiet[] = "--quiet", full[] = "--full", json[] = "-fjson",
                o[] = "-o", e[] = "-e", dashes[] = "--";
    char *const own[] = { name, quiet, full, json, o, output };
    size_t n = 0, k = sizeof(own) / sizeof(*own);
    char **words;

    while (command->words && command->words[n])
        n++;
    words = calloc(MOST_OWN_WORDS + n, sizeof(*words));
    if (!words)
        return NULL;
    memcpy(words, own, sizeof(own));
    words[k++] = command->words ? dashes : e;
    if (!command->words)
        words[k++] = (char *)command->text;
    for (size_t i = 0; i < n; i++)
        words[k++] = command->words[i];
    return words;
}

static int run_child(struct runner *r, char **words)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;
    struct child child = { .file = THIS_PROGRAM,
                           .argv = words,
                           .in = r->shows_output ? -1 : null,
                           .out = r->shows_output ? -1 : null };

    status = child_run(&r->signals, &child, &r->told);
    if (null >= 0)
        close(null);
    if (status >= 0)
        return status;
    say("%s: cannot start the tracker: %s", r->label, strerror(-status));
    return EXIT_TRACKER_FAILED;
}

int runner_run(struct runner *r, const struct runner_command *command, const char **ret_result)
{
    char *name = result_name(r, r->n_results + 1), **words;
    int status;

    free(r->last);
    r->last = name;
    words = name ? words_of(command, name) : NULL;
    *ret_result = NULL;
    if (!words) {
        say("%s: %s", r->label, strerror(ENOMEM));
        return EXIT_TRACKER_FAILED;
    }
    (void)unlink(name); /* of an earlier call that kept its results */
    r->n_results++;
    status = run_child(r, words);
    free(words);
    if (access(name, R_OK) == 0)
        *ret_result = name;
    if (status && *ret_result)
        say("%s: the command ended with status %d: %s", r->label, status, command->name);
    return status;
}
