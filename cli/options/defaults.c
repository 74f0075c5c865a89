/* defaults.c - options of every run: from the user's file, and from GPUT_OPTS, which wins over it. */
#include "options/defaults.h"

#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

enum { FILE_WORDS, VARIABLE_WORDS, N_SOURCES };

/* What options keep of them must stay to the end. */
static wordexp_t words[N_SOURCES];

/* What makes one run is for its own command line. */
static const int not_for_all[] = { OPT_EXECUTE, OPT_PID, OPT_HELP, OPT_VERSION };

char *defaults_path(void)
{
    char *path = NULL;

    return gput_user_file(GPUT_CONFIG_FILE, "config", &path) < 0 ? NULL : path;
}

/* NULL: there is none that may be read. */
static char *read_text(const char *path)
{
    FILE *file = path ? fopen(path, "re") : NULL;
    char *text = NULL;
    size_t size = 0;

    if (file && getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

/* As a shell splits them, with ~ and variables, but no commands; '#' begins a comment line. */
static int split(wordexp_t *w, char *text, struct refusal *ret_why)
{
    char *next = NULL;
    int flags = WRDE_NOCMD | WRDE_DOOFFS;

    w->we_offs = 1;
    for (char *line = strtok_r(text, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
        line += strspn(line, " \t\r");
        if (!*line || *line == '#')
            continue;
        if (wordexp(line, w, flags) != 0)
            return refuse(ret_why, "'%s': a shell would not take it for plain words", line);
        flags |= WRDE_APPEND;
    }
    return 0;
}

static int parse(struct options *d, wordexp_t *w, char *text, struct refusal *ret_why)
{
    int word, n;

    if (split(w, text, ret_why) < 0)
        return -EINVAL;
    if (w->we_wordc == 0)
        return 0;
    w->we_wordv[0] = (char *)"gpu-tracker";
    n = (int)w->we_wordc + 1;
    word = options_parse(&gpu_tracker, &d->given, n, w->we_wordv, ret_why);
    if (word < 0)
        return -EINVAL;
    if (word < n)
        return refuse(ret_why, "'%s' is no option", w->we_wordv[word]);
    for (size_t i = 0; i < sizeof(not_for_all) / sizeof(*not_for_all); i++)
        if (d->given.origin[not_for_all[i]])
            return refuse(ret_why, "--%s is for the command line",
                          run_options[not_for_all[i]].name);
    return 0;
}

static size_t size_of(enum option_kind kind)
{
    return kind == KIND_FLAG                         ? sizeof(bool)
           : kind == KIND_MANY                       ? sizeof(struct many)
           : kind >= KIND_ANY && kind <= KIND_CHOICE ? sizeof(char *)
           : kind == KIND_SECONDS || kind == KIND_NUMBER || kind == KIND_MEMORY ? sizeof(double)
                                                                                : sizeof(int);
}

/* Those of the command line come last: of two that contradict each other they count. */
static void add_in_front(struct many *to, const struct many *from)
{
    struct many all = *from;

    for (int i = 0; i < to->n && all.n < MOST_VALUES; i++)
        all.value[all.n++] = to->value[i];
    *to = all;
}

/* What the command line gave stays. */
static void add(struct options *o, const struct options *d)
{
    for (int i = 0; i < N_OPTIONS; i++) {
        size_t at = run_options[i].at;

        if (run_options[i].kind == KIND_MANY && d->given.origin[i] && o->given.origin[i])
            add_in_front((struct many *)((char *)o + at),
                         (const struct many *)((const char *)d + at));
        if (!d->given.origin[i] || o->given.origin[i])
            continue;
        memcpy((char *)o + at, (const char *)d + at, size_of(run_options[i].kind));
        o->given.origin[i] = FROM_DEFAULTS;
        o->given.word[i] = d->given.word[i];
    }
}

int defaults_add(struct options *o, struct refusal *ret_why)
{
    const char *variable = getenv(DEFAULTS_VARIABLE);
    char *path = defaults_path();
    char *texts[N_SOURCES] = { read_text(path), variable ? strdup(variable) : NULL };
    const char *names[N_SOURCES] = { path, DEFAULTS_VARIABLE };
    struct options d = { .tconfig = NULL };
    struct refusal why;
    int r = 0;

    for (int i = 0; i < N_SOURCES && r == 0; i++) {
        r = texts[i] ? parse(&d, &words[i], texts[i], &why) : 0;
        if (r < 0)
            refuse(ret_why, "%s: %s", names[i], why.text);
    }
    if (r == 0)
        add(o, &d);
    for (int i = 0; i < N_SOURCES; i++)
        free(texts[i]);
    free(path);
    return r;
}

void defaults_free(void)
{
    for (int i = 0; i < N_SOURCES; i++) {
        if (words[i].we_wordv)
            words[i].we_wordv[0] = NULL; /* ours */
        wordfree(&words[i]);
    }
}

void defaults_print(FILE *out)
{
    const char *variable = getenv(DEFAULTS_VARIABLE);
    char *path = defaults_path(), *text = read_text(path);

    fprintf(out, "Defaults of options:\n   %-29s %s%s%s\n   %-29s %s\n", DEFAULTS_VARIABLE,
            variable ? "'" : "", variable ? gput_text_plain(strdupa(variable)) : "not set",
            variable ? "'" : "", "file of the user's", text ? path : "none");
    if (!text && path)
        fprintf(out, "%*sto have one: write options to %s\n", 33, "", path);
    free(text);
    free(path);
}
