/* words.c - the string of -e as the words of a command. */
#include "options/words.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only what /bin/sh itself does; a program of that name in PATH is the program. */
static const char *const builtins[] = {
    ".",     ":",       "alias",  "bg",    "break",  "cd",    "chdir", "command",  "continue",
    "echo",  "eval",    "exec",   "exit",  "export", "false", "fc",    "fg",       "getopts",
    "hash",  "jobs",    "kill",   "local", "printf", "pwd",   "read",  "readonly", "return",
    "set",   "shift",   "source", "test",  "times",  "trap",  "true",  "type",     "ulimit",
    "umask", "unalias", "unset",  "wait",  NULL,
};
static const char *const keywords[] = {
    "!",  "{",   "}",  "case", "do",   "done",  "elif",  "else", "esac",
    "fi", "for", "if", "in",   "then", "until", "while", NULL,
};

struct splitter {
    const char *in;
    char *out; /* the words, one after the other, each with its NUL */
    char **argv;
    size_t n_words;
    bool in_word;
    bool needs_shell;
    bool first_quoted; /* the first word holds a quote or a backslash: it is no keyword */
};

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(*list, word) == 0)
            return true;
    return false;
}

static bool is_program(const char *folder, size_t length, const char *name)
{
    char path[PATH_MAX];
    struct stat st;
    int n = snprintf(path, sizeof(path), "%.*s/%s", (int)length, folder, name);

    return n > 0 && (size_t)n < sizeof(path) && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           access(path, X_OK) == 0;
}

static bool on_path(const char *path, const char *name)
{
    if (!path)
        path = "/bin:/usr/bin";
    for (;;) {
        size_t length = strcspn(path, ":");

        if (length ? is_program(path, length, name) : is_program(".", 1, name))
            return true;
        if (!path[length])
            return false;
        path += length + 1;
    }
}

/* NAME= at the start of the command, as typed: a quoted part makes it a plain word. */
static bool starts_with_assignment(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    static const char name[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

    text += strspn(text, " \t");
    return strspn(text, letters) > 0 && text[strspn(text, name)] == '=';
}

static void begin_word(struct splitter *s)
{
    if (!s->in_word)
        s->argv[s->n_words++] = s->out;
    s->in_word = true;
}

static void end_word(struct splitter *s)
{
    if (s->in_word)
        *s->out++ = '\0';
    s->in_word = false;
}

static void note_quote(struct splitter *s)
{
    begin_word(s);
    if (s->n_words == 1)
        s->first_quoted = true;
}

/* In front of the opening quote; stops in front of the closing one, or at the end of the text. */
static void single_quoted(struct splitter *s)
{
    for (s->in++; *s->in && *s->in != '\''; s->in++)
        *s->out++ = *s->in;
}

static void double_quoted(struct splitter *s)
{
    for (s->in++; *s->in && *s->in != '"'; s->in++) {
        if (*s->in == '$' || *s->in == '`') {
            s->needs_shell = true;
            return;
        }
        if (*s->in == '\\' && s->in[1] && strchr("$`\"\\\n", s->in[1])) {
            if (*++s->in != '\n')
                *s->out++ = *s->in;
        } else {
            *s->out++ = *s->in;
        }
    }
}

/* A backslash and a newline are nothing at all; a last backslash stands for itself. */
static void backslash(struct splitter *s)
{
    if (s->in[1] == '\n') {
        s->in++;
        return;
    }
    note_quote(s);
    if (s->in[1])
        s->in++;
    *s->out++ = *s->in;
}

/* Stops early where a shell is needed: from there on quotes follow the shell's own rules
 * (comments, here-documents, substitutions) and are the shell's to judge. */
static int split(struct splitter *s, struct refusal *ret_why)
{
    for (; *s->in && !s->needs_shell; s->in++) {
        char c = *s->in;

        if (c == ' ' || c == '\t') {
            end_word(s);
        } else if (c == '\\') {
            backslash(s);
        } else if (c == '\'' || c == '"') {
            note_quote(s);
            if (c == '\'')
                single_quoted(s);
            else
                double_quoted(s);
            if (!s->needs_shell && !*s->in)
                return refuse(ret_why, "--execute: the quote %c has no end", c);
        } else if (strchr("|&;<>()$`*?[~#\n", c)) {
            s->needs_shell = true;
        } else {
            begin_word(s);
            *s->out++ = c;
        }
    }
    end_word(s);
    s->argv[s->n_words] = NULL;
    return 0;
}

static bool first_word_needs_shell(const struct splitter *s, const char *path)
{
    const char *word = s->argv[0];

    if (!s->first_quoted && one_of(word, keywords))
        return true;
    return one_of(word, builtins) && !on_path(path, word);
}

/* sh takes a text that starts with - or + for an option unless "--" is in front. */
static void shell_words(char **argv, char *out, const char *text)
{
    const char *start = text + strspn(text, " \t");
    size_t n = 0;

    argv[n++] = (char *)"/bin/sh";
    argv[n++] = (char *)"-c";
    if (*start == '-' || *start == '+')
        argv[n++] = (char *)"--";
    argv[n++] = strcpy(out, text);
    argv[n] = NULL;
}

int words_of_command(const char *text, const char *path, char ***ret_argv, struct refusal *ret_why)
{
    size_t length = strlen(text);
    size_t slots = length + 5 > 8 ? length + 5 : 8; /* at most one word per character */
    struct splitter s = { .in = text };

    if (!text[strspn(text, " \t\n")])
        return refuse(ret_why, "--execute: the command is empty");
    s.argv = malloc(slots * sizeof(char *) + length + 1);
    if (!s.argv)
        return refuse(ret_why, "--execute: %s", strerror(ENOMEM));
    s.out = (char *)(s.argv + slots);
    s.needs_shell = starts_with_assignment(text);
    if (split(&s, ret_why) < 0)
        goto fail;
    if (!s.needs_shell && (s.n_words == 0 || !*s.argv[0])) {
        refuse(ret_why, "--execute: the command is empty");
        goto fail;
    }
    if (s.needs_shell || first_word_needs_shell(&s, path))
        shell_words(s.argv, (char *)(s.argv + slots), text);
    *ret_argv = s.argv;
    return 0;
fail:
    free(s.argv);
    return -EINVAL;
}
