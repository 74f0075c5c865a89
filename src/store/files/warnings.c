/* warnings.c - warnings that wait until it is sure that nothing is refused. */
#include "store/files/warnings.h"

#include <stdlib.h>
#include <string.h>

static void keep(void *ctx, const char *line)
{
    struct gput__warnings *w = ctx;
    char **lines = realloc(w->lines, (w->n + 1) * sizeof(*lines));

    if (!lines)
        return; /* the refusal of the next allocation says more */
    w->lines = lines;
    lines[w->n] = strdup(line);
    w->n += lines[w->n] != NULL;
}

void gput__warnings_begin(struct gput__warnings *w, const struct gput_callbacks *to)
{
    *w = (struct gput__warnings){ .to = to };
    w->on = (struct gput_callbacks){ .ctx = w, .warn = keep };
}

void gput__warnings_end(struct gput__warnings *w, int are_told)
{
    for (size_t i = 0; i < w->n; i++) {
        if (are_told && w->to && w->to->warn)
            w->to->warn(w->to->ctx, w->lines[i]);
        free(w->lines[i]);
    }
    free(w->lines);
    w->lines = NULL;
    w->n = 0;
}
