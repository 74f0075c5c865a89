/* script.c - the name of the script that an interpreter runs, out of its command line. */
#include "sample/commands/script.h"

#include <stdio.h>
#include <string.h>

/* `with_value`: options that have one behind them.  `names`: options whose value is what runs.
 * `inline_code`: a program on the command line follows, which is nobody's business. */
static const struct interpreter {
    const char *begin, *with_value, *names, *inline_code;
} interpreters[] = {
    { "python", " -W -X --check-hash-based-pycs ", " -m ", " -c " },
    { "java", " -cp -classpath --class-path -p --module-path --add-modules -d ",
      " -jar -m --module ", "" },
    { "bash", " -o +o -O +O --rcfile --init-file ", "", " -c " },
    { "sh", " -o +o ", "", " -c " },
    { "dash", " -o +o ", "", " -c " },
    { "zsh", " -o +o ", "", " -c " },
    { "R", " -g ", " -f ", " -e " },
    { "Rscript", "", "", " -e " },
    { "perl", " -I ", "", " -e -E " },
    { "ruby", " -I -r -C ", "", " -e " },
    { "node", " -r --require --import ", "", " -e -p --eval --print " },
    { "julia", " -J -t -p -L --project ", "", " -e -E " },
};

static const struct interpreter *find(const char *comm)
{
    for (size_t i = 0; i < sizeof(interpreters) / sizeof(*interpreters); i++) {
        size_t n = strlen(interpreters[i].begin);

        if (strncmp(comm, interpreters[i].begin, n) == 0 &&
            comm[n + strspn(comm + n, "0123456789.")] == '\0')
            return &interpreters[i];
    }
    return NULL;
}

bool gput__is_interpreter(const char *comm)
{
    return find(comm) != NULL;
}

static bool is_in(const char *list, const char *word)
{
    char padded[40];

    return (size_t)snprintf(padded, sizeof(padded), " %s ", word) < sizeof(padded) &&
           strstr(list, padded);
}

/* Of letters that names are made of: no address, no assignment, no program text. */
static bool is_plain(const char *word)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+";

    return *word && *word != '-' && strspn(word, letters) == strlen(word);
}

static bool say(const char *comm, const char *word, char *ret, size_t cap)
{
    const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;

    if (strchr(word, ':') || !is_plain(name))
        return false;
    return (size_t)snprintf(ret, cap, "%s %s", comm, name) < cap;
}

/* The next argument, ended by NUL; NULL: there is no whole one. */
static const char *next(const char **p, const char *end)
{
    const char *word = *p, *nul = word < end ? memchr(word, '\0', (size_t)(end - word)) : NULL;

    if (!nul)
        return NULL;
    *p = nul + 1;
    return word;
}

bool gput__script_name(const char *comm, const char *line, size_t len, char *ret, size_t cap)
{
    const struct interpreter *by = find(comm);
    const char *p = line, *end = line + len, *word = next(&p, end);

    while (by && (word = next(&p, end))) {
        if (is_in(by->inline_code, word))
            return false;
        if (is_in(by->names, word))
            return (word = next(&p, end)) && say(comm, word, ret, cap);
        if (strncmp(word, "--file=", 7) == 0 && *by->begin == 'R')
            return say(comm, word + 7, ret, cap);
        if (is_in(by->with_value, word))
            (void)next(&p, end);
        else if (*word != '-' && *word != '+')
            return say(comm, word, ret, cap);
    }
    return false;
}
