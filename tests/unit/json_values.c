/* json_values.c - reads files of JSON strictly and writes each value on a line, or the refusal; json_oracle.py
 * compares it with Python's json. */
#include <stdio.h>
#include <string.h>

#include "gput.h"

static void write_text(const char *text)
{
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned)(unsigned char)*text);
        else
            putchar(*text);
    putchar('"');
}

static void write_value(const struct gput_json *v)
{
    static const char brackets[] = "[]{}";
    const char *two = &brackets[v->kind == GPUT_JSON_OBJECT ? 2 : 0];

    if (v->name) {
        write_text(v->name);
        putchar(':');
    }
    if (v->kind == GPUT_JSON_STRING)
        write_text(v->text);
    else if (v->kind == GPUT_JSON_NUMBER)
        printf(v->is_whole && v->number < 1e15 && v->number > -1e15 ? "%.0f" : "%.17e", v->number);
    else if (v->kind < GPUT_JSON_NUMBER)
        fputs(v->kind == GPUT_JSON_NULL ? "null" : v->number != 0 ? "true" : "false", stdout);
    else {
        putchar(two[0]);
        for (size_t i = 0; i < v->n; i++) {
            fputs(i ? "," : "", stdout);
            write_value(&v->item[i]);
        }
        putchar(two[1]);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct gput_error err = { .text = "" };
        struct gput_json *v = NULL;

        if (gput_json_read(argv[i], &v, &err) < 0)
            printf("refused: %s", err.text);
        else
            write_value(v);
        putchar('\n');
        gput_json_free(v);
    }
    return 0;
}
