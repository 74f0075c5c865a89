/* fuzz_html.c - text from outside on its way into a page, and series on theirs. */
#include <math.h>

#include "base/text/utf8.h"
#include "fuzz.h"
#include "report/html/html_text.h"
#include "report/html/thin.h"
#include "text.h"

/* Plain UTF-8 without what could end a text, an attribute or a script. */
static void check(const struct gput__buf *out, const char *forbidden)
{
    for (const char *p = gput__buf_text(out); *p;) {
        size_t n = gput__utf8_length(p);

        fuzz_must(n > 0 && !(n == 1 && strchr(forbidden, *p)));
        fuzz_must((unsigned char)*p >= ' ' || *p == '\n' || *p == '\t');
        p += n;
    }
}

static void try_text(const char *text)
{
    struct gput__buf html = { 0 }, json = { 0 };

    gput__html_text(&html, text);
    check(&html, "<>\"'");
    gput__html_json(&json, text);
    fuzz_must(json.len >= 2 && json.data[0] == '"' && json.data[json.len - 1] == '"');
    json.data[json.len - 1] = '\0';
    json.data[0] = ' ';
    check(&json, "<>&\"'\n");
    gput__buf_free(&html);
    gput__buf_free(&json);
}

/* Bytes as values, 255 for one that is not known: what is highest of all is highest of a bucket. */
static void try_thinning(const uint8_t *data, size_t size)
{
    size_t n = size - 1, n_buckets = 1 + data[0] % n;
    double *value = malloc(n * sizeof(*value)), *room = malloc(3 * n_buckets * sizeof(*room));
    struct gput__thinned thinned = { room, room + n_buckets, room + 2 * n_buckets };
    double highest = NAN, after = NAN;

    if (!value || !room)
        abort();
    for (size_t i = 0; i < n; i++) {
        value[i] = data[i + 1] == 255 ? NAN : data[i + 1];
        highest = fmax(highest, value[i]);
    }
    gput__thin(value, n, n_buckets, &thinned);
    for (size_t i = 0; i < n_buckets; i++) {
        after = fmax(after, thinned.high[i]);
        fuzz_must(isnan(thinned.low[i]) || (thinned.low[i] <= thinned.mean[i] + 1e-9 &&
                                            thinned.mean[i] <= thinned.high[i] + 1e-9));
    }
    fuzz_must(after == highest || (isnan(after) && isnan(highest)));
    free(value);
    free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    try_text(text);
    if (size > 1)
        try_thinning(data, size);
    free(text);
    return 0;
}
