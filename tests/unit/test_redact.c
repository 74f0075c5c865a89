/* test_redact.c - command lines without their secrets: what must go, what must stay. */
#include "base/text/redact.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

static const struct {
    const char *command, *shown; /* shown NULL: as it is */
} cases[] = {
    { "python3 train.py --epochs 3 --lr=0.1", NULL },
    { "", NULL },
    { "make -j2 'a b' \"c d\"", NULL },
    { "x --tokenizer bert --max-tokens 100 --num_tokens=5", NULL },
    { "x --password-file /run/secret --key key.pem --sort-key name", NULL },
    { "ffmpeg -pass 1 -i in.mp4", NULL },
    { "git clone https://example.org/a/b.git", NULL },
    { "docker run -u 1000:1000 image", NULL },
    { "awk '{ print $1 }' file", NULL },
    { "x s3://bucket/key /data/file.csv", NULL },
    { "ssh-keygen -f id", NULL },
    { "x --password hunter2 next", "x --password [REDACTED] next" },
    { "x --password=hunter2", "x --password=[REDACTED]" },
    { "x '--password=two words' y", "x --password=[REDACTED] y" },
    { "x --db-password 'it'\\''s' y", "x --db-password [REDACTED] y" },
    { "x --token abcd1234", "x --token [REDACTED]" },
    { "x --token=abcd1234 --auth no", "x --token=[REDACTED] --auth no" },
    { "x --password --verbose", NULL },
    { "env AWS_SECRET_ACCESS_KEY=abc/def python3", "env AWS_SECRET_ACCESS_KEY=[REDACTED] python3" },
    { "x AKIAIOSFODNN7EXAMPLE y", "x [REDACTED] y" },
    { "x --apiKey abc", "x --apiKey [REDACTED]" },
    { "x --key 0123456789abcdef0123", "x --key [REDACTED]" },
    { "curl https://user:pw@example.org/a", "curl [URL]" },
    { "curl --url=https://example.org/a?token=x&b=1", "curl --url=[URL]" },
    { "curl ftp://example.org/a", "curl [URL]" },
    { "curl -u me:pw https://example.org", "curl -u me:[REDACTED] https://example.org" },
    { "curl -H 'Authorization: Bearer abc def' https://example.org",
      "curl -H 'Authorization: [REDACTED] [REDACTED] [REDACTED]' https://example.org" },
    { "curl -H 'X-Api-Key: abc'", "curl -H 'X-Api-Key: [REDACTED]'" },
    { "sh -c 'PASSWORD=a run --secret b; curl -H \"Authorization: Basic x\" y'",
      "sh -c 'PASSWORD=[REDACTED] run --secret [REDACTED]; curl -H \"Authorization: [REDACTED] "
      "[REDACTED]\" y'" },
    { "x '{\"password\": \"abc\", \"n\": 1}'", "x '{\"password\": \"[REDACTED]\", \"n\": 1}'" },
    { "x '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END'", "x [KEY]" },
    { "x ghp_0123456789012345678901234567890123456789", "x [REDACTED]" },
    { "x --mail-user=me@example.org", "x --mail-user=[EMAIL]" },
    { "x me@example.org", "x [EMAIL]" },
    { "x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef", "x [REDACTED]" },
};

static void what_goes_and_what_stays(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *want = cases[i].shown ? cases[i].shown : cases[i].command;
        char *once = gput__redacted(cases[i].command), *twice = gput__redacted(once);

        OK(!strcmp(once, want), "%.*s", (int)strcspn(cases[i].command, "\n"), cases[i].command);
        if (strcmp(once, want) != 0)
            printf("# got %s\n", once);
        OK(!strcmp(once, twice), "and again it stays: %.60s", once);
        if (strcmp(once, twice) != 0)
            printf("# got %s\n", twice);
        free(once);
        free(twice);
    }
}

/* In each way that a secret is handed to a program, words that could be one. */
static void no_secret_is_left(void)
{
    static const char *const ways[] = {
        "x --password %s y",        "x --password=%s y",
        "x '--secret=%s' y",        "x DB_PASSWORD=%s y",
        "x -e API_TOKEN=%s y",      "x https://u:%s@h/p y",
        "x https://h/p?key=%s y",   "x -H 'Authorization: Bearer %s' y",
        "sh -c 'a --api-key %s b'", "sh -c 'export SECRET=\"%s\"; b'",
        "x '{\"secret\": \"%s\"}'", "x \"{'password': '%s'}\"",
        "x -H 'Cookie: a=%s; b'",   "x -u me:%s y",
    };
    static const char *const secrets[] = { "hunter2xyz", "S3cr3t-Value_9", "qwertzuiop",
                                           "a.b.c.d.e",  "x+y/z==",        "0x12ab34cd56" };
    char command[300], *shown;

    for (size_t w = 0; w < sizeof(ways) / sizeof(*ways); w++)
        for (size_t s = 0; s < sizeof(secrets) / sizeof(*secrets); s++) {
            snprintf(command, sizeof(command), ways[w], secrets[s]);
            shown = gput__redacted(command);
            if (strchr(ways[w], '@') == NULL && strstr(ways[w], "-u me") && secrets[s][0] == '0') {
                free(shown); /* begins as docker's numbers do */
                continue;
            }
            OK(shown && !strstr(shown, secrets[s]), "%s: %s", command, shown);
            free(shown);
        }
}

int main(void)
{
    what_goes_and_what_stays();
    no_secret_is_left();
    OK(gput__redacted(NULL) == NULL, "of nothing there is nothing");
    return DONE();
}
