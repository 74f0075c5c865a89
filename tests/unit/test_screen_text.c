/* test_screen_text.c - text of unknown origin on a screen. */
#include "report/text/screen_text.h"

#include <stdint.h>
#include <string.h>

#include "tap.h"

static void shows(const char *text, int room, bool use_unicode, const char *want, int columns)
{
    struct gput__buf out = GPUT__BUF_INIT;
    int got = gput__screen_text(&out, text, room, use_unicode);

    OK(strcmp(gput__buf_text(&out), want) == 0, "'%s' in %d columns, got '%s'", want, room,
       gput__buf_text(&out));
    OK(got == columns, "that takes %d of them, got %d", columns, got);
    gput__buf_free(&out);
}

/* Whatever the bytes, nothing comes out that a terminal obeys, and no more than there is room. */
static void any_bytes_are_harmless(void)
{
    int unsafe = 0, over = 0;
    uint32_t x = 1;

    for (int round = 0; round < 20000; round++) {
        struct gput__buf out = GPUT__BUF_INIT;
        char text[24] = "";
        int room = round % 40, columns;

        for (size_t i = 0; i + 1 < sizeof(text); i++) {
            x = x * 1664525u + 1013904223u;
            text[i] = (char)(x >> 24);
        }
        columns = gput__screen_text(&out, text, room, round % 2);
        over += columns > room || (round % 2 == 0 && (int)out.len != columns);
        for (const unsigned char *p = (const void *)gput__buf_text(&out); *p; p++)
            unsafe += *p < ' ' || *p == 0x7F || (*p == 0xC2 && p[1] < 0xA0) ||
                      (round % 2 == 0 && *p > 0x7E);
        gput__buf_free(&out);
    }
    OK(unsafe == 0, "no control character of 20000 texts comes through");
    OK(over == 0, "and none takes more than its room");
}

int main(void)
{
    shows("sleep 3", 40, true, "sleep 3", 7);
    shows("sleep 3", 7, true, "sleep 3", 7);
    shows("sleep 30", 7, true, "sleep \u2026", 7);
    shows("sleep 30", 7, false, "slee...", 7);
    shows("", 7, true, "", 0);
    shows("abc", 0, true, "", 0);
    shows("\033[31mred\n\tx\x7f", 60, true, "\\x1b[31mred\\n\\tx\\x7f", 20);
    shows("\xc2\x9b"
          "2J",
          40, true, "\\x9b2J", 6);
    shows("\xff\xfe \xe2\x82", 40, true, "\\xff\\xfe \\xe2\\x82", 17);
    shows("gnp.exe\u202etxt", 40, true, "gnp.exe\\u202etxt", 16);
    shows("a\u200bb\ufeff", 40, true, "a\\u200bb\\ufeff", 14);
    shows("\u65e5\u672c\u8a9e", 6, true, "\u65e5\u672c\u8a9e", 6);
    shows("\u65e5\u672c\u8a9e", 5, true, "\u65e5\u672c\u2026", 5);
    shows("\u65e5\u672c\u8a9e", 4, true, "\u65e5\u2026", 3);
    shows("\u65e5\u672c", 5, false, "??", 2);
    shows("\U0001F680 go", 5, true, "\U0001F680 go", 5);
    shows("\u00e9t\u00e9", 3, true, "\u00e9t\u00e9", 3);
    shows("\U000E0041\U0010FFFF", 60, true, "\\ue0041\\u10ffff", 15);
    any_bytes_are_harmless();
    return DONE();
}
