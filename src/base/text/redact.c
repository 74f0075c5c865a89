/* redact.c - command lines without their secrets.
 *
 * A command is taken apart into its words, as a shell does.  Of each word, which may be a script of many
 * words itself (sh -c '...'), the pieces between blanks and quotes are looked at. */
#include "base/text/redact.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/secret_name.h"
#include "base/text/text.h"

#define MASK "[REDACTED]"

struct scan {
    struct gput__buf *out;
    enum gput__secrecy next; /* what the piece before promises of the next one */
    bool to_the_end;         /* "Authorization: Basic ...": of all up to the quote */
};

static bool is_mask(const char *s, size_t n)
{
    return n >= 2 && s[0] == '[' &&
           (!strncmp(s, MASK, n) || !strncmp(s, "[URL]", n) || !strncmp(s, "[KEY]", n) ||
            !strncmp(s, "[EMAIL]", n));
}

static const char *find(const char *s, size_t n, const char *what)
{
    return memmem(s, n, what, strlen(what));
}

/* --- pieces ---------------------------------------------------------------------------------- */

/* Credentials or a query; what has neither is no secret. */
static bool is_private_url(const char *s, size_t n)
{
    const char *rest = find(s, n, "://");
    size_t left, host;

    if (!rest || rest == s)
        return false;
    rest += 3;
    left = n - (size_t)(rest - s);
    for (host = 0; host < left && !strchr("/?#", rest[host]);)
        host++;
    for (size_t i = 0; i < left; i++) /* a password may hold a slash */
        if (rest[i] == ':' && memchr(rest + i, '@', left - i))
            return true;
    return memchr(rest, '@', host) || memchr(rest, '?', left) || memchr(rest, '&', left) ||
           find(s, n, "token=") || strncasecmp(s, "ftp:", n < 4 ? n : 4) == 0;
}

/* "name@host.domain" */
static bool is_email(const char *s, size_t n)
{
    const char *at = memchr(s, '@', n);
    size_t before = at ? (size_t)(at - s) : 0, after = at ? n - before - 1 : 0;

    if (before == 0 || after < 3 || memchr(s, '/', n) || memchr(s, ':', n) ||
        memchr(at + 1, '@', after))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && !strchr("@._%+-", s[i]))
            return false;
    return memchr(at + 1, '.', after) != NULL;
}

/* A token may stand within a piece: "/path/ghp_...", "x:AKIA...". */
static void add_without_tokens(struct gput__buf *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        bool begins = i == 0 || !isalnum((unsigned char)s[i - 1]);
        size_t len = begins ? gput__secret_form(s + i, n - i) : 0;

        if (len)
            gput__buf_puts(out, MASK);
        else
            gput__buf_add(out, s + i, 1);
        i += len ? len : 1;
    }
}

static void add_value(struct gput__buf *out, const char *s, size_t n)
{
    if (is_mask(s, n))
        gput__buf_add(out, s, n);
    else if (is_private_url(s, n))
        gput__buf_puts(out, "[URL]");
    else if (is_email(s, n))
        gput__buf_puts(out, "[EMAIL]");
    else
        add_without_tokens(out, s, n);
}

/* The length of the name at the beginning of "--name=value", "NAME=value" or "name:value"; 0: none. */
static size_t name_length(const char *s, size_t n)
{
    size_t i = 0;

    while (i < n && (isalnum((unsigned char)s[i]) || strchr("-_.", s[i])))
        i++;
    return i < n && (s[i] == '=' || s[i] == ':') && strncmp(s + i, "://", 3) != 0 ? i : 0;
}

/* -u user:password, as curl has it; not the numbers of docker. */
static bool has_password(const char *s, size_t n)
{
    const char *colon = memchr(s, ':', n);

    return colon && colon > s && colon < s + n - 1 && !isdigit((unsigned char)colon[1]) &&
           colon[1] != '/';
}

static enum gput__secrecy promised_by(const char *s, size_t n)
{
    if (n > 1 && s[0] == '-')
        return gput__secret_name(s, n);
    return (n == 6 && !strncasecmp(s, "bearer", n)) || (n == 5 && !strncasecmp(s, "basic", n))
               ? GPUT__SECRET
               : GPUT__NOT_SECRET;
}

static bool is_header_of_secret(const char *s, size_t n)
{
    return n > 1 && s[n - 1] == ':' && gput__secret_name(s, n - 1) != GPUT__NOT_SECRET;
}

static void add_piece(struct scan *k, const char *s, size_t n)
{
    size_t name = name_length(s, n);
    enum gput__secrecy is = name ? gput__secret_name(s, name) : GPUT__NOT_SECRET, due = k->next;

    k->next = GPUT__NOT_SECRET;
    if (due && is_mask(s, n)) {
        gput__buf_add(k->out, s, n);
    } else if (gput__secret_value(due, s, n) && (s[0] != '-' || n == 1 || k->to_the_end)) {
        gput__buf_puts(k->out, MASK);
    } else if (is_header_of_secret(s, n)) {
        gput__buf_add(k->out, s, n);
        k->next = GPUT__SECRET;
        k->to_the_end = true;
    } else if (name && gput__secret_value(is, s + name + 1, n - name - 1) &&
               !is_mask(s + name + 1, n - name - 1)) {
        gput__buf_add(k->out, s, name + 1);
        gput__buf_puts(k->out, MASK);
    } else if (name && name + 1 == n) { /* its value is quoted, and comes next */
        gput__buf_add(k->out, s, n);
        k->next = is;
    } else if (name && s[name] == '=') {
        gput__buf_add(k->out, s, name + 1);
        add_value(k->out, s + name + 1, n - name - 1);
    } else {
        add_value(k->out, s, n);
        k->next = promised_by(s, n);
    }
    if (k->to_the_end)
        k->next = GPUT__SECRET;
}

/* --- a word ---------------------------------------------------------------------------------- */

static bool is_between(char c)
{
    return !c || strchr(" \t\r\n'\"`(),;<>{}|", c) != NULL;
}

static bool ends_a_text(char c)
{
    return c == '\n' || c == '\'' || c == '"';
}

/* `"password": "x"`: the name stands alone in its quotes. */
static bool is_quoted_name(const char *s, size_t i, size_t end)
{
    return i > 0 && (s[i - 1] == '"' || s[i - 1] == '\'') && s[end] == s[i - 1] &&
           s[end + strspn(s + end, "\"' ")] == ':';
}

/* Of one word what stands between blanks and quotes. */
static void scan_text(struct scan *k, const char *s)
{
    enum gput__secrecy quoted = GPUT__NOT_SECRET;

    for (size_t i = 0; s[i];) {
        size_t end = i;

        while (!is_between(s[end]))
            end++;
        if (end == i) {
            if (ends_a_text(s[i]) && k->to_the_end && k->out->len > 0)
                k->to_the_end = false, k->next = GPUT__NOT_SECRET;
            gput__buf_add(k->out, s + i++, 1);
            continue;
        }
        if (is_quoted_name(s, i, end)) {
            quoted = gput__secret_name(s + i, end - i);
            gput__buf_add(k->out, s + i, end - i);
        } else if (quoted && end - i == 1 && s[i] == ':') {
            gput__buf_add(k->out, s + i, 1);
            k->next = quoted;
            quoted = GPUT__NOT_SECRET;
        } else {
            add_piece(k, s + i, end - i);
        }
        i = end;
    }
}

/* A word that is a name and its value as a whole may hold blanks and anything. */
static bool is_whole_value(struct scan *k, const char *word, const char *before)
{
    size_t n = strlen(word), name = name_length(word, n);

    if (strcmp(before, "-c") == 0 && strchr(word, ' ')) /* a script that begins with a variable */
        return false;
    if (name == 0 || word[name] != '=' || is_mask(word + name + 1, n - name - 1) ||
        !gput__secret_value(gput__secret_name(word, name), word + name + 1, n - name - 1))
        return false;
    gput__buf_add(k->out, word, name + 1);
    gput__buf_puts(k->out, MASK);
    return true;
}

/* What an option before it promises goes for the whole word. */
static void add_word(struct scan *k, const char *word, const char *before)
{
    size_t n = strlen(word);
    bool is_user = !strcmp(before, "-u") || !strcmp(before, "--user");
    enum gput__secrecy due = k->next;

    k->to_the_end = false;
    if (find(word, n, "-----BEGIN ")) {
        gput__buf_puts(k->out, "[KEY]");
        k->next = GPUT__NOT_SECRET;
    } else if (due && !is_mask(word, n) && gput__secret_value(due, word, n) &&
               (word[0] != '-' || n == 1)) {
        gput__buf_puts(k->out, MASK);
        k->next = GPUT__NOT_SECRET;
    } else if (is_user && has_password(word, n)) {
        gput__buf_add(k->out, word, strcspn(word, ":") + 1);
        gput__buf_puts(k->out, MASK);
        k->next = GPUT__NOT_SECRET;
    } else if (is_whole_value(k, word, before)) {
        k->next = GPUT__NOT_SECRET;
    } else {
        scan_text(k, word);
        if (strpbrk(word, " \n")) /* a script, a header: what it promises ends with it */
            k->next = GPUT__NOT_SECRET;
    }
}

/* --- the command ----------------------------------------------------------------------------- */

/* One word without its quotes into `ret`; returns where it ends. */
static const char *read_word(const char *p, struct gput__buf *ret)
{
    char quote = '\0';

    for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
        if (*p == quote)
            quote = '\0';
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            gput__buf_add(ret, ++p, 1);
        else
            gput__buf_add(ret, p, 1);
    }
    return p;
}

void gput__redact(struct gput__buf *out, const char *command)
{
    struct gput__buf word = GPUT__BUF_INIT, shown = GPUT__BUF_INIT;
    struct scan k = { .out = &shown };
    char before[8] = "";

    while (*command) {
        const char *begin = command;

        if (isspace((unsigned char)*command)) {
            gput__buf_add(out, command++, 1);
            continue;
        }
        gput__buf_clear(&word);
        gput__buf_clear(&shown);
        command = read_word(command, &word);
        add_word(&k, gput__buf_text(&word), before);
        if (strcmp(gput__buf_text(&word), gput__buf_text(&shown)) == 0)
            gput__buf_add(out, begin, (size_t)(command - begin)); /* as it was written */
        else
            gput__shell_word(out, gput__buf_text(&shown), "[]");
        strncpy(before, gput__buf_text(&word), sizeof(before) - 1);
    }
    if (word.err || shown.err)
        out->err = word.err ? word.err : shown.err;
    gput__buf_free(&word);
    gput__buf_free(&shown);
}

char *gput__redacted(const char *command)
{
    struct gput__buf out = GPUT__BUF_INIT;
    char *text = NULL;

    if (!command)
        return NULL;
    gput__redact(&out, command);
    return gput__buf_detach(&out, &text) < 0 ? NULL : text;
}
