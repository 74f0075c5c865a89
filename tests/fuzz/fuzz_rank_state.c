/* fuzz_rank_state.c - what a tracker of a fleet has stored on its node, and the node's file from it. */
#include "fuzz.h"
#include "report/fleet/node_file.h"
#include "text.h"

/* Of what is read, the file of a node can be made; it is JSON where the texts in it are. */
static void make_file(struct gput__rank_state *s)
{
    struct gput__node_file f = { .gathering = "g", .ranks = s, .n = 1 };
    struct gput__buf out = { 0 };

    (void)gput__node_file_print(&f, &out);
    gput__buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__rank_state s, again;
    struct gput__buf printed = { 0 };

    if (gput__rank_state_parse(text, &s) == 0) {
        gput__rank_line_apply(text, &s);
        gput__rank_state_print(&s, &printed);
        fuzz_must(printed.err || gput__rank_state_parse(printed.data, &again) == 0);
        fuzz_must(printed.err || again.moments.n == s.moments.n);
        if (!printed.err)
            gput__rank_state_free(&again);
        make_file(&s);
    }
    gput__rank_state_free(&s);
    gput__buf_free(&printed);
    free(text);
    return 0;
}
