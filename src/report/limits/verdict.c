/* verdict.c - what all verdicts have in common: evidence by name, and words out of a pattern. */
#include "report/limits/verdict.h"

#include <math.h>
#include <string.h>

#include "base/text/print.h"
#include "report/text/amount.h"

void gput__evidence_add(struct gput_bottleneck *b, const char *name, double value)
{
    if (b->n_evidence == (int)(sizeof(b->evidence) / sizeof(*b->evidence)))
        return;
    b->evidence[b->n_evidence].name = name;
    b->evidence[b->n_evidence++].value = value;
}

static double find(const struct gput_bottleneck *b, const char *name, size_t n)
{
    if (n == strlen("share") && !memcmp(name, "share", n))
        return b->share_of_time;
    for (int i = 0; i < b->n_evidence; i++)
        if (strlen(b->evidence[i].name) == n && !memcmp(b->evidence[i].name, name, n))
            return b->evidence[i].value;
    return NAN;
}

double gput__evidence(const struct gput_bottleneck *b, const char *name)
{
    return find(b, name, strlen(name));
}

/* `slot` is what stands between the braces, `n` long. */
static const char *amount_of(const struct gput_bottleneck *b, const char *slot, size_t n,
                             char ret[GPUT__AMOUNT_SIZE])
{
    const char *blank = memchr(slot, ' ', n);
    size_t n_name = blank ? (size_t)(blank - slot) : n;
    double value = find(b, slot, n_name);

    if (n_name == strlen("share") && !memcmp(slot, "share", n_name))
        return gput__amount_percent(100 * value, ret);
    switch (blank ? blank[1] : ' ') {
    case 'B':
        return gput__amount_bytes(value, ret);
    case 's':
        return gput__amount_seconds(value, ret);
    case '%':
        return gput__amount_percent(value, ret);
    case 'J':
        return gput__amount_energy(value, ret);
    default:
        return gput__amount_number(value, ret);
    }
}

const char *gput__verdict_fill(const char *words, const struct gput_bottleneck *b, char *ret,
                               size_t size)
{
    size_t at = 0;

    ret[0] = '\0';
    while (*words && at + 1 < size) {
        size_t n = strcspn(words, "{");
        const char *end = words[n] ? strchr(words + n, '}') : NULL;
        char amount[GPUT__AMOUNT_SIZE] = "";

        if (end)
            (void)amount_of(b, words + n + 1, (size_t)(end - words) - n - 1, amount);
        gput__snprintf(ret + at, size - at, "%.*s%s", (int)n, words, amount);
        at += strlen(ret + at);
        words = end ? end + 1 : words + strlen(words);
    }
    return ret;
}
