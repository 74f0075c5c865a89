/* stream.c - the rows of a stream as CSV or JSON, a line each. */
#include "report/stream.h"

#include <math.h>

#include "base/text/dtoa.h"

void gput__stream_print_header(enum gput_stream s, enum gput_columns names, struct gput__buf *out)
{
    struct gput__stream_columns all;

    gput__stream_columns(s, names, &all);
    for (size_t i = 0; i < all.n; i++)
        gput__buf_printf(out, "%s\"%s\"", i ? "," : "", all.column[i].name);
    gput__buf_add(out, "\n", 1);
}

static void print_value(bool is_whole, double value, const char *unknown, struct gput__buf *out)
{
    char text[32];

    if (isnan(value)) {
        gput__buf_printf(out, "%s", unknown);
    } else if (is_whole) {
        gput__buf_printf(out, "%.0f", value);
    } else {
        gput__dtoa(value, text);
        gput__buf_printf(out, "%s", text);
    }
}

void gput__stream_print_row(const struct gput__stream_columns *c, enum gput_line format,
                            const double *values, struct gput__buf *out)
{
    bool is_json = format == GPUT_LINE_JSON;

    gput__buf_printf(out, "%s", is_json ? "{" : "");
    for (size_t i = 0; i < c->n; i++) {
        gput__buf_printf(out, "%s", i == 0 ? "" : is_json ? ", " : ",");
        if (is_json)
            gput__buf_printf(out, "\"%s\": ", c->column[i].name);
        print_value(c->column[i].decimals == GPUT__STREAM_WHOLE, values[i], is_json ? "null" : "",
                    out);
    }
    gput__buf_printf(out, "%s\n", is_json ? "}" : "");
}
