/* stream.c - the rows of a stream as CSV or JSON, a line each. */
#include "report/stream.h"

#include <math.h>

#include "base/dtoa.h"
#include "model/stream.h"

void gput__stream_print_header(enum gput_stream s, enum gput_columns names, struct gput__buf *out)
{
    size_t n;
    const struct gput__stream_column *c = gput__stream_columns(s, &n);

    for (size_t i = 0; i < n; i++)
        gput__buf_printf(out, "%s\"%s\"", i ? "," : "", c[i].name[names]);
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

void gput__stream_print_row(enum gput_stream s, enum gput_columns names, enum gput_line format,
                            const double *values, struct gput__buf *out)
{
    bool is_json = format == GPUT_LINE_JSON;
    size_t n;
    const struct gput__stream_column *c = gput__stream_columns(s, &n);

    gput__buf_printf(out, "%s", is_json ? "{" : "");
    for (size_t i = 0; i < n; i++) {
        gput__buf_printf(out, "%s", i == 0 ? "" : is_json ? ", " : ",");
        if (is_json)
            gput__buf_printf(out, "\"%s\": ", c[i].name[names]);
        print_value(c[i].decimals[names] == GPUT__STREAM_WHOLE, values[i], is_json ? "null" : "",
                    out);
    }
    gput__buf_printf(out, "%s\n", is_json ? "}" : "");
}
