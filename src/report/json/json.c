/* json.c - a JSON writer: one blank a level, as Python's json.dumps(indent=1) lays it out. */
#include "report/json/json.h"

#include <math.h>
#include <string.h>

#include "base/text/dtoa.h"
#include "base/text/utf8.h"

/* Text of unknown origin (a command line) may be no UTF-8: such bytes are written as the
 * replacement character, so that the result stays JSON.  What would steer a terminal is escaped. */
static void write_quoted(struct gput__buf *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    gput__buf_putc(out, '"');
    while (*s) {
        uint32_t c;
        size_t n = gput__utf8_read((const char *)s, &c);

        if (*s == '"' || *s == '\\')
            gput__buf_printf(out, "\\%c", *s);
        else if (*s == '\n')
            gput__buf_puts(out, "\\n");
        else if (n == 0)
            gput__buf_puts(out, "\\ufffd");
        else if (c < 0x10000 && gput__utf8_is_hidden(c))
            gput__buf_printf(out, "\\u%04x", c);
        else
            gput__buf_add(out, s, n);
        s += n ? n : 1;
    }
    gput__buf_putc(out, '"');
}

static void begin(struct gput__json *j, const char *key)
{
    if (j->is_compact) {
        gput__buf_puts(j->out, j->has_member ? "," : "");
    } else if (j->depth > 0) {
        gput__buf_puts(j->out, j->has_member ? ",\n" : "\n");
        gput__buf_printf(j->out, "%*s", (int)j->depth, "");
    }
    if (key) {
        write_quoted(j->out, key);
        gput__buf_puts(j->out, j->is_compact ? ":" : ": ");
    }
    j->has_member = true;
}

static void open_with(struct gput__json *j, const char *key, char bracket)
{
    begin(j, key);
    gput__buf_putc(j->out, bracket);
    j->depth++;
    j->has_member = false;
}

static void close_with(struct gput__json *j, char bracket)
{
    j->depth--;
    if (j->has_member && !j->is_compact)
        gput__buf_printf(j->out, "\n%*s", (int)j->depth, "");
    gput__buf_putc(j->out, bracket);
    j->has_member = true;
    if (j->depth == 0 && !j->is_compact)
        gput__buf_putc(j->out, '\n');
}

void gput__json_open(struct gput__json *j, const char *key)
{
    open_with(j, key, '{');
}

void gput__json_close(struct gput__json *j)
{
    close_with(j, '}');
}

void gput__json_open_list(struct gput__json *j, const char *key)
{
    open_with(j, key, '[');
}

void gput__json_close_list(struct gput__json *j)
{
    close_with(j, ']');
}

void gput__json_string(struct gput__json *j, const char *key, const char *value)
{
    if (!value) {
        gput__json_null(j, key);
        return;
    }
    begin(j, key);
    write_quoted(j->out, value);
}

void gput__json_double(struct gput__json *j, const char *key, double value)
{
    char text[32];

    if (!isfinite(value)) { /* JSON knows none */
        gput__json_null(j, key);
        return;
    }
    begin(j, key);
    gput__dtoa(value, text);
    gput__buf_puts(j->out, text);
}

void gput__json_count(struct gput__json *j, const char *key, double value)
{
    if (!isfinite(value)) {
        gput__json_null(j, key);
        return;
    }
    begin(j, key);
    gput__buf_printf(j->out, "%.0f", value);
}

void gput__json_bool(struct gput__json *j, const char *key, bool value)
{
    begin(j, key);
    gput__buf_puts(j->out, value ? "true" : "false");
}

void gput__json_null(struct gput__json *j, const char *key)
{
    begin(j, key);
    gput__buf_puts(j->out, "null");
}

void gput__json_raw(struct gput__json *j, const char *key, const char *text)
{
    begin(j, key);
    gput__buf_puts(j->out, text && *text ? text : "null");
}

void gput__json_members(struct gput__json *j, const char *text)
{
    if (text && *text) {
        begin(j, NULL);
        gput__buf_puts(j->out, text);
    }
}

size_t gput__json_compact(char *text)
{
    char *to = text;
    bool in_string = false;

    for (const char *p = text; *p; p++) {
        if (in_string && *p == '\\') {
            *to++ = *p++;
        } else if (*p == '"') {
            in_string = !in_string;
        } else if (!in_string && (*p == ' ' || *p == '\n')) {
            continue;
        }
        *to++ = *p;
    }
    *to = '\0';
    return (size_t)(to - text);
}
