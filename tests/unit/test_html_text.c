/* test_html_text.c - text from outside is shown, never executed. */
#include "report/html/html_text.h"

#include <stdbool.h>
#include <string.h>

#include "tap.h"

static bool becomes(void (*write)(struct gput__buf *, const char *), const char *text,
                    const char *wanted)
{
    struct gput__buf out = { 0 };
    bool same;

    write(&out, text);
    same = !strcmp(gput__buf_text(&out), wanted);
    if (!same)
        printf("# %s\n", gput__buf_text(&out));
    gput__buf_free(&out);
    return same;
}

static void text(void)
{
    OK(becomes(gput__html_text, "<script>alert('x & \"y\"')</script>",
               "&lt;script&gt;alert(&#39;x &amp; &quot;y&quot;&#39;)&lt;/script&gt;"),
       "what means something in HTML is written as its name");
    OK(becomes(gput__html_text, "a\nb\tc", "a\nb\tc"), "lines and tabs stay");
    OK(becomes(gput__html_text, "\x01\x1b[31m\x7f", "\xe2\x90\x81\xe2\x90\x9b[31m\xe2\x90\xa1"),
       "control characters are shown as their pictures");
    OK(becomes(gput__html_text, "\xff\xc3(\xe2\x80",
               "\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd"),
       "what is no UTF-8 is replaced, byte by byte");
    OK(becomes(gput__html_text, "\xc0\xbcscript", "\xef\xbf\xbd\xef\xbf\xbdscript"),
       "a '<' in two bytes is none");
    OK(becomes(gput__html_text, "a\xef\xbf\xbe\xef\xbf\xbf", "a\xef\xbf\xbd\xef\xbf\xbd"),
       "what is no character");
    OK(becomes(gput__html_text, "a\xe2\x80\xaetxt.exe", "a[U+202E]txt.exe"),
       "what turns the text around is named");
    OK(becomes(gput__html_text, "\xd7\x90\xd7\x91 \xf0\x9f\x9a\x80",
               "\xd7\x90\xd7\x91 \xf0\x9f\x9a\x80"),
       "letters of all scripts stay");
    OK(becomes(gput__html_text, "\xc2\x85\xe2\x80\xa8", "\xef\xbf\xbd\xef\xbf\xbd"),
       "other ends of lines are replaced");
    OK(becomes(gput__html_isolated, "<b>", "<bdi>&lt;b&gt;</bdi>"), "in an element of its own");
}

static void write_three(struct gput__buf *out, const char *text)
{
    gput__html_beginning(out, text, 3);
}

static void beginnings(void)
{
    OK(becomes(write_three, "abc", "abc"), "what fits is whole");
    OK(becomes(write_three, "abcd", "abc&hellip;"), "what does not is cut");
    OK(becomes(write_three,
               "ab\xf0\x9f\x9a\x80"
               "d",
               "ab\xf0\x9f\x9a\x80&hellip;"),
       "not within a character");
    OK(becomes(write_three, "<<<<", "&lt;&lt;&lt;&hellip;"), "nor within what stands for one");
}

static void json(void)
{
    OK(becomes(gput__html_json, "</script><!--\"\\'",
               "\"\\u003c/script\\u003e\\u003c!--\\u0022\\u005c\\u0027\""),
       "nothing in JSON ends the script or the string");
    OK(becomes(gput__html_json, "a\nb\xe2\x80\xa8&", "\"a\\u000ab\xef\xbf\xbd\\u0026\""),
       "nor is an end of a line");
    OK(becomes(gput__html_json, "", "\"\""), "nothing is an empty string");
}

int main(void)
{
    text();
    beginnings();
    json();
    return DONE();
}
