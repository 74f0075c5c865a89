/* screen_text.c - text of unknown origin on the cells of a terminal. */
#include "report/text/screen_text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"

struct range {
    unsigned first, last;
};

/* One character as it is shown. */
struct piece {
    char text[16];
    int columns;
};

static bool is_in(const struct range *table, size_t n, unsigned character)
{
    for (size_t i = 0; i < n; i++)
        if (character >= table[i].first && character <= table[i].last)
            return true;
    return false;
}

/* Whole blocks that hold wide characters: East Asian scripts and pictures. */
int gput__screen_columns(unsigned character)
{
    static const struct range wide[] = {
        { 0x1100, 0x11FF },   { 0x231A, 0x231B },   { 0x2329, 0x232A },   { 0x23E9, 0x23F3 },
        { 0x25FD, 0x25FE },   { 0x2600, 0x27BF },   { 0x2B1B, 0x2B1C },   { 0x2B50, 0x2B55 },
        { 0x2E80, 0xA4CF },   { 0xA960, 0xA97F },   { 0xAC00, 0xD7FF },   { 0xF900, 0xFAFF },
        { 0xFE10, 0xFE1F },   { 0xFE30, 0xFE6F },   { 0xFF00, 0xFF60 },   { 0xFFE0, 0xFFE6 },
        { 0x16F00, 0x1B2FF }, { 0x1D300, 0x1D37F }, { 0x1F000, 0x1FAFF }, { 0x20000, 0x3FFFF },
    };

    return is_in(wide, sizeof(wide) / sizeof(*wide), character) ? 2 : 1;
}

static void escape(struct piece *ret, unsigned character)
{
    int length;

    if (character == '\n' || character == '\t')
        length = snprintf(ret->text, sizeof(ret->text), "\\%c", character == '\n' ? 'n' : 't');
    else
        length = snprintf(ret->text, sizeof(ret->text), character < 0x100 ? "\\x%02x" : "\\u%04x",
                          character);
    ret->columns = length;
}

/* Bytes of `text` that the piece stands for. */
static size_t next_piece(const char *text, bool use_unicode, struct piece *ret)
{
    uint32_t character;
    size_t n = gput__utf8_read(text, &character);

    if (n == 0 || gput__utf8_is_hidden(character)) {
        escape(ret, character);
    } else if (n > 1 && !use_unicode) {
        *ret = (struct piece){ "?", 1 };
    } else {
        memcpy(ret->text, text, n);
        ret->text[n] = '\0';
        ret->columns = gput__screen_columns(character);
    }
    return n ? n : 1;
}

static bool fits(const char *text, int room, bool use_unicode)
{
    struct piece piece;

    while (*text && room >= 0) {
        text += next_piece(text, use_unicode, &piece);
        room -= piece.columns;
    }
    return room >= 0;
}

/* Most texts: ASCII that can be seen.  Their characters, as many as there is room for. */
static size_t count_plain(const char *text, int room)
{
    size_t n = 0;

    while (n < (size_t)room && text[n] >= ' ' && text[n] <= '~')
        n++;
    return n;
}

int gput__screen_text(struct gput__buf *out, const char *text, int room, bool use_unicode)
{
    size_t plain = room > 0 ? count_plain(text, room) : 0;
    struct piece piece;
    const char *dots;
    int used;

    if (!text[plain]) {
        gput__buf_add(out, text, plain);
        return (int)plain;
    }
    dots = fits(text, room, use_unicode) ? "" : use_unicode ? "\u2026" : "...";
    used = !*dots ? 0 : use_unicode ? 1 : 3;
    if (used > room)
        return 0;
    while (*text) {
        text += next_piece(text, use_unicode, &piece);
        if (used + piece.columns > room)
            break;
        gput__buf_puts(out, piece.text);
        used += piece.columns;
    }
    gput__buf_puts(out, dots);
    return used;
}

void gput__screen_line(struct gput__buf *out, const char *text)
{
    (void)gput__screen_text(out, text, INT_MAX, true);
}
