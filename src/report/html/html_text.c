/* html_text.c - text from outside on its way into a page: shown, never executed. */
#include "report/html/html_text.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/text/utf8.h"

#define PICTURES 0x2400u /* of the control characters, in their order */
#define PICTURE_OF_DELETE 0x2421u

/* One character; what is no UTF-8 is one byte and the replacement character. */
static uint32_t next_character(const char **text)
{
    uint32_t c;
    size_t n = gput__utf8_read(*text, &c);

    *text += n ? n : 1;
    return n ? c : GPUT__UTF8_REPLACEMENT;
}

static bool turns_direction(uint32_t c)
{
    return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* What can be shown in the place of a character that cannot. */
static uint32_t shown(uint32_t c)
{
    if (c == 0x7F)
        return PICTURE_OF_DELETE;
    if (c < 0x20 && c != '\n' && c != '\t')
        return PICTURES + c;
    /* C1 controls; the line separators that a script would next_character for ends of lines */
    if ((c >= 0x80 && c < 0xA0) || c == 0x2028 || c == 0x2029)
        return GPUT__UTF8_REPLACEMENT;
    return (c & 0xFFFE) == 0xFFFE ? GPUT__UTF8_REPLACEMENT
                                  : c; /* no characters, least of all in XML */
}

/* Whole characters, until `end` is reached or passed; NULL: to the end of the text.  Returns what is
 * left. */
static const char *write_text(struct gput__buf *out, const char *text, const char *end)
{
    while (*text && (!end || text < end)) {
        uint32_t c = next_character(&text);

        if (c == '<')
            gput__buf_puts(out, "&lt;");
        else if (c == '>')
            gput__buf_puts(out, "&gt;");
        else if (c == '&')
            gput__buf_puts(out, "&amp;");
        else if (c == '"')
            gput__buf_puts(out, "&quot;");
        else if (c == '\'')
            gput__buf_puts(out, "&#39;");
        else if (turns_direction(c))
            gput__buf_printf(out, "[U+%04X]", c);
        else
            gput__utf8_append(out, shown(c));
    }
    return text;
}

void gput__html_text(struct gput__buf *out, const char *text)
{
    write_text(out, text, NULL);
}

void gput__html_beginning(struct gput__buf *out, const char *text, size_t most)
{
    if (*write_text(out, text, text + most))
        gput__buf_puts(out, "&hellip;");
}

void gput__html_isolated(struct gput__buf *out, const char *text)
{
    gput__buf_puts(out, "<bdi>");
    gput__html_text(out, text);
    gput__buf_puts(out, "</bdi>");
}

void gput__html_json(struct gput__buf *out, const char *text)
{
    gput__buf_putc(out, '"');
    while (*text) {
        uint32_t c = next_character(&text);

        if (turns_direction(c))
            gput__buf_printf(out, "[U+%04X]", c);
        else if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'' || c == '\\' || c < 0x20)
            gput__buf_printf(out, "\\u%04x", c);
        else
            gput__utf8_append(out, shown(c));
    }
    gput__buf_putc(out, '"');
}
