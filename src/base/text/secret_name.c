/* secret_name.c - which names promise a secret, and which texts look like one. */
#include "base/text/secret_name.h"

#include <ctype.h>
#include <string.h>

enum { MOST_PARTS = 8, LONGEST_PART = 16 };

struct parts {
    char part[MOST_PARTS][LONGEST_PART];
    int n;
};

static const char *const secret[] = {
    "password",  "passwords",  "passwd",      "passphrase",    "passcode",    "pwd",    "secret",
    "secrets",   "credential", "credentials", "authorization", "bearer",      "cookie", "apikey",
    "accesskey", "secretkey",  "privatekey",  "authtoken",     "accesstoken", "dsn",    "sas",
    "pat",       NULL
};
static const char *const maybe[] = { "token", "pass", "auth", "signature", NULL };
/* Of a key these say what it opens. */
static const char *const of_key[] = { "api",        "access",       "secret",       "private",
                                      "encryption", "signing",      "account",      "storage",
                                      "license",    "subscription", "aes",          "hmac",
                                      "client",     "service",      "app",          "master",
                                      "shared",     "auth",         "applications", NULL };
/* What ends so tells where a secret is, or how long, and is none. */
static const char *const about[] = { "file",   "path",    "dir",     "folder", "name",   "type",
                                     "length", "limit",   "count",   "size",   "ttl",    "mode",
                                     "policy", "store",   "manager", "env",    "helper", "url",
                                     "uri",    "timeout", NULL };
static const char *const trivial[] = { "true", "false", "yes",  "no",   "on",
                                       "off",  "none",  "null", "auto", NULL };

static bool is_among(const char *const *list, const char *word)
{
    for (; *list; list++)
        if (strcmp(*list, word) == 0)
            return true;
    return false;
}

/* "--dbPassword_2" is "db", "password", "2". */
static void split(const char *name, size_t n, struct parts *ret)
{
    size_t len = 0;

    ret->n = 0;
    memset(ret, 0, sizeof(*ret));
    for (size_t i = 0; i < n; i++) {
        bool is_word = isalnum((unsigned char)name[i]);
        bool begins =
            i > 0 && isupper((unsigned char)name[i]) && islower((unsigned char)name[i - 1]);

        if ((!is_word || begins) && len > 0) {
            ret->n++;
            len = 0;
        }
        if (ret->n == MOST_PARTS)
            return;
        if (is_word && len + 1 < LONGEST_PART)
            ret->part[ret->n][len++] = (char)tolower((unsigned char)name[i]);
    }
    ret->n += len > 0;
}

enum gput__secrecy gput__secret_name(const char *name, size_t n)
{
    enum gput__secrecy found = GPUT__NOT_SECRET;
    struct parts p;

    split(name, n, &p);
    if (p.n == 0 || is_among(about, p.part[p.n - 1]))
        return GPUT__NOT_SECRET;
    for (int i = 0; i < p.n; i++) {
        bool is_key = strcmp(p.part[i], "key") == 0;

        if (is_among(secret, p.part[i]) || (is_key && i > 0 && is_among(of_key, p.part[i - 1])))
            return GPUT__SECRET;
        if (i == p.n - 1 && is_among(maybe, p.part[i]))
            found = GPUT__MAYBE_SECRET;
        else if (is_key && p.n == 1)
            found = GPUT__RANDOM_SECRET;
    }
    return found;
}

/* Letters and digits without a blank, as keys are; no path of a file. */
static bool looks_random(const char *value, size_t n)
{
    bool has_digit = false, has_letter = false;

    for (size_t i = 0; i < n; i++) {
        if (!isalnum((unsigned char)value[i]) && !strchr("+=_-", value[i]))
            return false;
        has_digit |= isdigit((unsigned char)value[i]) != 0;
        has_letter |= isalpha((unsigned char)value[i]) != 0;
    }
    return n >= 16 && has_digit && has_letter;
}

bool gput__secret_value(enum gput__secrecy name, const char *value, size_t n)
{
    char word[8] = "";
    size_t digits = 0;

    if (name == GPUT__NOT_SECRET || n == 0)
        return false;
    if (name == GPUT__SECRET)
        return true;
    if (name == GPUT__RANDOM_SECRET)
        return looks_random(value, n);
    while (digits < n && isdigit((unsigned char)value[digits]))
        digits++;
    for (size_t i = 0; i < n && n < sizeof(word); i++)
        word[i] = (char)tolower((unsigned char)value[i]);
    return (digits < n || n > 5) && !is_among(trivial, word) && n > 3;
}

static bool is_token_character(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_-.+/=", c));
}

size_t gput__secret_form(const char *text, size_t n)
{
    static const struct {
        const char *begin;
        size_t least; /* characters that follow */
    } forms[] = {
        { "AKIA", 16 },     { "ASIA", 16 },       { "ghp_", 30 },       { "gho_", 30 },
        { "ghu_", 30 },     { "ghs_", 30 },       { "ghr_", 30 },       { "github_pat_", 20 },
        { "glpat-", 16 },   { "xoxb-", 10 },      { "xoxa-", 10 },      { "xoxp-", 10 },
        { "xoxr-", 10 },    { "xoxs-", 10 },      { "sk-", 20 },        { "sk_live_", 10 },
        { "rk_live_", 10 }, { "sk_test_", 10 },   { "hf_", 30 },        { "AIza", 30 },
        { "ya29.", 20 },    { "npm_", 30 },       { "pypi-", 30 },      { "dckr_pat_", 20 },
        { "SG.", 40 },      { "eyJhbGciOi", 20 }, { "eyJ0eXAiOi", 20 }, { "nvapi-", 20 },
    };
    size_t len = 0;

    while (len < n && is_token_character(text[len]))
        len++;
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        size_t begin = strlen(forms[i].begin);

        if (len >= begin + forms[i].least && memcmp(text, forms[i].begin, begin) == 0)
            return len;
    }
    return 0;
}
