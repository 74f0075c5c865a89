/* fuzz_helper_talk.c - what a tracker and its helper say to each other, at both ends.
 *
 * The first byte of the input decides: a question as it comes in at the helper, one whose head is good
 * and whose strings are the input, or answers as they come in at the tracker. */
#include "../../src/api/inside/helper.c" /* its readers are its own */

#include "fuzz.h"
#include "text.h"

static void connect_ends(int ends[2])
{
    int room = 1 << 18;

    fuzz_must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    (void)setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
}

static void check_heard(const struct heard *h)
{
    struct gput_options o = h->q.options;
    const char **strings[GPUT__N_OPTION_STRINGS];

    gput__options_strings(&o, strings);
    for (size_t i = 0; i < GPUT__N_OPTION_STRINGS; i++)
        fuzz_must(!*strings[i] || (*strings[i] >= h->bytes + sizeof(h->q) &&
                                   *strings[i] + strlen(*strings[i]) < h->bytes + h->len));
}

static void try_question(const void *data, size_t size)
{
    struct heard *h = calloc(1, sizeof(*h));
    struct gput_error e = { .field = "" };
    int ends[2];

    connect_ends(ends);
    fuzz_must(h && send(ends[0], data, size, MSG_NOSIGNAL) == (ssize_t)size);
    close(ends[0]);
    fuzz_must(hear(ends[1], h) == 0 && h->len == size && h->n_fds == 0);
    if (check_question(h, &e) < 0)
        fuzz_must(e.text[0] && strlen(e.text) < sizeof(e.text));
    else
        check_heard(h);
    close(ends[1]);
    free(h);
}

static void try_strings(const uint8_t *data, size_t size)
{
    struct gput__buf text = { 0 };
    struct gput__question q;

    memset(&q, 0, sizeof(q));
    snprintf(q.version, sizeof(q.version), "%s", gput_version());
    q.options_size = sizeof(q.options);
    gput__buf_add(&text, (const char *)&q, sizeof(q));
    gput__buf_add(&text, (const char *)data, size);
    fuzz_must(text.err == 0);
    try_question(text.data, text.len);
    gput__buf_free(&text);
}

static void hear_warning(void *ctx, const char *line)
{
    (void)ctx;
    fuzz_must(strlen(line) < sizeof(((struct gput_error *)0)->text));
}

/* Two messages: the first may be a warning. */
static void try_answers(const uint8_t *data, size_t size)
{
    struct gput_tracker t = { .opts.on.warn = hear_warning };
    struct gput__client c = { .pidfd = -1 };
    struct gput__answer a;
    size_t first = size < sizeof(a) ? size : sizeof(a);
    int ends[2], r;

    connect_ends(ends);
    fuzz_must(send(ends[0], data, first, MSG_NOSIGNAL) == (ssize_t)first);
    if (size > first)
        fuzz_must(send(ends[0], data + first, size - first, MSG_NOSIGNAL) > 0);
    close(ends[0]);
    c.socket = ends[1];
    while ((r = gput__client_next(&t, &c, &a)) == 1)
        fuzz_must(a.kind != GPUT__ANSWER_WARNING && strlen(a.error.text) < sizeof(a.error.text) &&
                  strlen(a.error.field) < sizeof(a.error.field));
    fuzz_must(r == 0);
    close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > GPUT__LONGEST_QUESTION / 2)
        return 0;
    if (data[0] % 3 == 0)
        try_question(data + 1, size - 1);
    else if (data[0] % 3 == 1)
        try_strings(data + 1, size - 1);
    else
        try_answers(data + 1, size - 1);
    return 0;
}
