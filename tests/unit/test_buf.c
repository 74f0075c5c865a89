/* test_buf.c - the buffer that grows. */
#include "base/buf.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static void empty_is_a_text(void)
{
    struct gput__buf b = GPUT__BUF_INIT;
    char *text = NULL;

    OK(strcmp(gput__buf_text(&b), "") == 0, "a new buffer reads as the empty text");
    gput__buf_add(&b, NULL, 0);
    OK(b.err == 0 && b.len == 0, "nothing can be appended from NULL");
    OK(gput__buf_detach(&b, &text) == 0 && text && text[0] == '\0', "and be taken");
    free(text);
}

static void the_four_ways_to_append(void)
{
    struct gput__buf b = GPUT__BUF_INIT;

    gput__buf_add(&b, "a\0b", 3);
    gput__buf_puts(&b, "cd");
    gput__buf_putc(&b, 'e');
    gput__buf_printf(&b, "%03d%s", 7, "!");
    OK(b.len == 10 && memcmp(b.data, "a\0bcde007!", 11) == 0, "bytes, text, char, format, NUL");
    gput__buf_clear(&b);
    OK(b.len == 0 && b.data[0] == '\0' && b.cap > 0, "clear keeps the memory");
    gput__buf_free(&b);
    gput__buf_free(&b);
    OK(!b.data && b.cap == 0, "free twice");
}

static void growth_keeps_what_is_there(void)
{
    struct gput__buf b = GPUT__BUF_INIT;
    int wrong = 0, unended = 0;

    for (int i = 0; i < 10000; i++) {
        gput__buf_printf(&b, "%05d", i);
        unended += b.data[b.len] != '\0' || b.len >= b.cap;
    }
    for (int i = 0; i < 10000; i++) {
        char want[8];

        snprintf(want, sizeof(want), "%05d", i);
        wrong += memcmp(b.data + 5 * i, want, 5) != 0;
    }
    OK(b.len == 50000 && wrong == 0 && unended == 0, "10000 appends, each ended by NUL");
    gput__buf_free(&b);
}

static void an_error_stays(void)
{
    struct gput__buf b = GPUT__BUF_INIT;
    char *text = (char *)"untouched";
    size_t len;

    gput__buf_puts(&b, "before");
    len = b.len;
    OK(gput__buf_reserve(&b, SIZE_MAX) == -ENOMEM, "a length that overflows is refused");
    gput__buf_puts(&b, "after");
    gput__buf_printf(&b, "%d", 1);
    OK(b.err == -ENOMEM && b.len == len && strcmp(b.data, "before") == 0,
       "later appends do nothing");
    OK(gput__buf_detach(&b, &text) == -ENOMEM && strcmp(text, "untouched") == 0, "take says so");
    OK(!b.data && b.err == 0, "and leaves a buffer that works again");
}

int main(void)
{
    empty_is_a_text();
    the_four_ways_to_append();
    growth_keeps_what_is_there();
    an_error_stays();
    return DONE();
}
