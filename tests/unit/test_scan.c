/* test_scan.c - numbers and words out of kernel text. */
#include "base/text/scan.h"

#include <errno.h>
#include <string.h>

#include "shown.h"
#include "tap.h"

static void takes_u64(const char *text, uint64_t want, const char *rest)
{
    const char *p = text;
    uint64_t v = 77;

    OK(gput__scan_u64(&p, &v) == 0 && v == want && strcmp(p, rest) == 0, "u64 <%s>", shown(text));
}

static void refuses_u64(const char *text)
{
    const char *p = text;
    uint64_t v = 77;

    OK(gput__scan_u64(&p, &v) == -EBADMSG && v == 77 && p == text, "u64 refuses <%s>", shown(text));
}

static void unsigned_numbers(void)
{
    takes_u64("0", 0, "");
    takes_u64("42 rest", 42, " rest");
    takes_u64(" \t 7\tx", 7, "\tx");
    takes_u64("007", 7, "");
    takes_u64("18446744073709551615", UINT64_MAX, "");
    refuses_u64("18446744073709551616");
    refuses_u64("184467440737095516150");
    refuses_u64("99999999999999999999");
    refuses_u64("");
    refuses_u64("   ");
    refuses_u64("-1");
    refuses_u64("+1");
    refuses_u64("1x");
    refuses_u64("1:");
    refuses_u64("x1");
    refuses_u64("0x10");
    refuses_u64("max");
    refuses_u64("\f1");
}

static void newlines_end_a_line(void)
{
    const char *text = "5\n6\n", *p = text;
    uint64_t v = 0;

    OK(gput__scan_u64(&p, &v) == 0 && v == 5 && p == text + 1, "a newline ends a number");
    OK(gput__scan_u64(&p, &v) == -EBADMSG && v == 5, "and is not a blank in front of the next");
}

static void signed_number(const char *text, int want_r, int64_t want)
{
    const char *p = text;
    int64_t v = 77;
    int r = gput__scan_i64(&p, &v);

    OK(r == want_r && v == (r ? 77 : want) && (r == 0) == (p != text), "i64 <%s>", shown(text));
}

static void signed_numbers(void)
{
    signed_number("-1", 0, -1);
    signed_number("  -20 x", 0, -20);
    signed_number("20", 0, 20);
    signed_number("-0", 0, 0);
    signed_number("9223372036854775807", 0, INT64_MAX);
    signed_number("-9223372036854775807", 0, -INT64_MAX);
    signed_number("9223372036854775808", -EBADMSG, 0);
    signed_number("-9223372036854775809", -EBADMSG, 0);
    signed_number("--1", -EBADMSG, 0);
    signed_number("- 1", -EBADMSG, 0);
    signed_number("-", -EBADMSG, 0);
    signed_number("-x", -EBADMSG, 0);
    signed_number("", -EBADMSG, 0);
}

static void until(const char *text, char end, int base, int want_r, uint64_t want, const char *rest)
{
    const char *p = text;
    uint64_t v = 77;
    int r = base == 16 ? gput__scan_hex_until(&p, end, &v) : gput__scan_dec_until(&p, end, &v);

    OK(r == want_r && v == (r ? 77 : want) && strcmp(p, r ? text : rest) == 0, "<%s> until '%c'",
       text, end);
}

static void numbers_with_an_end(void)
{
    until("7f-80", '-', 16, 0, 0x7f, "80");
    until("ffffffffffffffff ", ' ', 16, 0, UINT64_MAX, "");
    until("10000000000000000 ", ' ', 16, -EBADMSG, 0, "");
    until("7F-", '-', 16, -EBADMSG, 0, "");
    until("-80", '-', 16, -EBADMSG, 0, "");
    until("7f", '-', 16, -EBADMSG, 0, "");
    until(" 7f-", '-', 16, -EBADMSG, 0, "");
    until("7g-", '-', 16, -EBADMSG, 0, "");
    until("12:34", ':', 10, 0, 12, "34");
    until("1a:", ':', 10, -EBADMSG, 0, "");
    until("18446744073709551616:", ':', 10, -EBADMSG, 0, "");
}

static void words_left_out(void)
{
    const char *text = " a  bb\tc)d e\nf", *p = text;

    OK(gput__scan_skip(&p, 0) == 0 && p == text, "no word");
    OK(gput__scan_skip(&p, 3) == 0 && strcmp(p, " e\nf") == 0, "three words");
    OK(gput__scan_skip(&p, 1) == 0 && strcmp(p, "\nf") == 0, "the last of the line");
    OK(gput__scan_skip(&p, 1) == -EBADMSG && strcmp(p, "\nf") == 0, "none on the next line");
    p = "a b";
    OK(gput__scan_skip(&p, 3) == -EBADMSG && strcmp(p, "a b") == 0, "too few: not moved");
}

static void keys(void)
{
    static const char text[] = "Mem: 1\nMemTotal:     2048 kB\nMemTotal: 3\noom_kill_disable 4\n"
                               "oom_kill 5\nBad: x\nLast: 6";
    uint64_t v = 77;

    OK(gput__scan_key(text, "MemTotal:", &v) == 0 && v == 2048, "the first line of that key");
    OK(gput__scan_key(text, "Mem:", &v) == 0 && v == 1, "a key that another begins with");
    OK(gput__scan_key(text, "oom_kill", &v) == 0 && v == 5, "a key that begins another");
    OK(gput__scan_key(text, "Last:", &v) == 0 && v == 6, "a last line without a newline");
    v = 77;
    OK(gput__scan_key(text, "Total:", &v) == -ENODATA && v == 77, "only at the start of a line");
    OK(gput__scan_key(text, "Bad:", &v) == -EBADMSG && v == 77, "no number behind it");
    OK(gput__scan_key("", "Mem:", &v) == -ENODATA && v == 77, "an empty text");
    OK(gput__scan_key("Mem:", "Mem:", &v) == -ENODATA && v == 77, "nothing behind it");
}

static void cpu_list(const char *text, int want_r, unsigned want)
{
    unsigned n = 77;
    int r = gput__scan_cpu_list(text, &n);

    OK(r == want_r && n == (r ? 77 : want), "CPU list <%s>", shown(text));
}

static void cpu_lists(void)
{
    cpu_list("0", 0, 1);
    cpu_list("0-3", 0, 4);
    cpu_list("\t0-3,8", 0, 5);
    cpu_list("0,2,4,6\n", 0, 4);
    cpu_list("0-1,4-5,1000-1023\nX", 0, 28);
    cpu_list("3-3", 0, 1);
    cpu_list("", -EBADMSG, 0);
    cpu_list("\n", -EBADMSG, 0);
    cpu_list("3-1", -EBADMSG, 0);
    cpu_list("0-", -EBADMSG, 0);
    cpu_list("-3", -EBADMSG, 0);
    cpu_list("0,", -EBADMSG, 0);
    cpu_list(",0", -EBADMSG, 0);
    cpu_list("0,,1", -EBADMSG, 0);
    cpu_list("0-3x", -EBADMSG, 0);
    cpu_list("0-3-5", -EBADMSG, 0);
    cpu_list("0-4294967295", -EBADMSG, 0);
    cpu_list("18446744073709551616", -EBADMSG, 0);
}

int main(void)
{
    unsigned_numbers();
    newlines_end_a_line();
    signed_numbers();
    numbers_with_an_end();
    words_left_out();
    keys();
    cpu_lists();
    return DONE();
}
