/* test_json.c - the JSON writer, read back strictly. */
#include "report/json/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json_tree.h"
#include "tap.h"

static void the_layout(void)
{
    struct gput__buf out = GPUT__BUF_INIT;
    struct gput__json j = { .out = &out };

    gput__json_open(&j, NULL);
    gput__json_open(&j, "a");
    gput__json_double(&j, "one", 0.1);
    gput__json_count(&j, "two", 2);
    gput__json_open(&j, "b");
    gput__json_bool(&j, "yes", true);
    gput__json_bool(&j, "no", false);
    gput__json_close(&j);
    gput__json_open(&j, "empty");
    gput__json_close(&j);
    gput__json_close(&j);
    gput__json_string(&j, "text", "t");
    gput__json_string(&j, "none", NULL);
    gput__json_double(&j, "inf", INFINITY);
    gput__json_double(&j, "nan", NAN);
    gput__json_count(&j, "big", 9007199254740992.0);
    gput__json_count(&j, "negative", -3);
    gput__json_null(&j, "null");
    gput__json_close(&j);
    /* as Python's json.dumps(..., indent=1) writes it */
    OK(!strcmp(gput__buf_text(&out),
               "{\n \"a\": {\n  \"one\": 0.1,\n  \"two\": 2,\n  \"b\": {\n"
               "   \"yes\": true,\n   \"no\": false\n  },\n  \"empty\": {}\n },\n"
               " \"text\": \"t\",\n \"none\": null,\n \"inf\": null,\n"
               " \"nan\": null,\n \"big\": 9007199254740992,\n"
               " \"negative\": -3,\n \"null\": null\n}\n"),
       "objects in objects");
    gput__buf_free(&out);
    j = (struct gput__json){ .out = &out };
    gput__json_open(&j, NULL);
    gput__json_close(&j);
    OK(!strcmp(gput__buf_text(&out), "{}\n"), "an empty one");
    gput__buf_free(&out);
}

/* As one member, both as key and as value. */
static struct gput_json *written(const char *text)
{
    struct gput__buf out = GPUT__BUF_INIT;
    struct gput__json j = { .out = &out };
    struct gput_json *read_back = NULL;

    gput__json_open(&j, NULL);
    gput__json_string(&j, "value", text);
    gput__json_string(&j, text, "k");
    gput__json_close(&j);
    (void)gput__json_tree_of(out.data, out.len, false, &read_back, NULL);
    gput__buf_free(&out);
    return read_back;
}

static bool reads_as(const char *text, const char *want)
{
    struct gput_json *object = written(text);
    const struct gput_json *member = gput__json_member_of(object, "value", GPUT_JSON_STRING);
    const char *value = member ? member->text : NULL;
    bool ok = value && !strcmp(value, want) && gput_json_member(object, want);

    if (!ok)
        printf("# read back as <%s>\n", value ? value : "no JSON");
    gput_json_free(object);
    return ok;
}

static void escapes(void)
{
    char all[128], one[2] = "";
    int wrong = 0;

    for (int c = 1; c < 128; c++) {
        one[0] = (char)c;
        wrong += !reads_as(one, one);
        all[c - 1] = (char)c;
    }
    all[127] = '\0';
    OK(wrong == 0, "each ASCII character alone");
    OK(reads_as(all, all), "and all together");
    OK(reads_as("", ""), "none");
    OK(reads_as("a \"b\" \\ \n\t\x01", "a \"b\" \\ \n\t\x01"), "quotes, backslashes, newlines");
}

static void utf8(void)
{
    static const char *const good[] = { "\xC3\xA9",         "\xE2\x82\xAC",     "\xF0\x9F\x98\x80",
                                        "\xC2\x80",         "\xDF\xBF",         "\xE0\xA0\x80",
                                        "\xED\x9F\xBF",     "\xEE\x80\x80",     "\xEF\xBF\xBF",
                                        "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "x\xC3\xA9y" };

    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        OK(reads_as(good[i], good[i]), "UTF-8 of %zu bytes stays, %zu", strlen(good[i]), i);
}

#define R "\xEF\xBF\xBD"

static void not_utf8(void)
{
    static const struct {
        const char *text, *want;
    } bad[] = {
        { "\xFF", R },
        { "\x80", R },
        { "a\xC3", "a" R },
        { "a\xC3z", "a" R "z" },
        { "\xC0\x80", R R }, /* a NUL in two bytes */
        { "\xC1\xBF", R R },
        { "\xE2\x82", R R },
        { "\xE2\x82z", R R "z" },
        { "\xE0\x9F\xBF", R R R }, /* longer than needed */
        { "\xED\xA0\x80", R R R }, /* half of a pair */
        { "\xF0\x8F\xBF\xBF", R R R R },
        { "\xF0\x9F\x98", R R R },
        { "\xF4\x90\x80\x80", R R R R }, /* beyond the last character */
        { "\xF5\x80\x80\x80", R R R R },
        { "\xF8\x88\x80\x80\x80", R R R R R },
        { "\xFE\xC3\xA9", R "\xC3\xA9" },
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        OK(reads_as(bad[i].text, bad[i].want), "bytes that are no UTF-8 are replaced, %zu", i);
}

/* Every pair of bytes is JSON when it is written. */
static void every_pair_of_bytes(void)
{
    int wrong = 0;

    for (int a = 1; a < 256; a++)
        for (int b = 1; b < 256; b++) {
            char text[] = { (char)a, (char)b, '\0' };
            struct gput_json *object;

            if (a < 128 && b < 128)
                continue;
            object = written(text);
            wrong += object == NULL;
            gput_json_free(object);
        }
    OK(wrong == 0, "every pair of bytes gives JSON");
}

int main(void)
{
    the_layout();
    escapes();
    utf8();
    not_utf8();
    every_pair_of_bytes();
    return DONE();
}
