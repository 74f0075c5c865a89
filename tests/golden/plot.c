/* plot.c - pictures of made-up runs, compared byte for byte with files kept beside the test.
 *
 *     plot FOLDER              compares all of FOLDER/plot/STORY.txt
 *     plot FOLDER --write      writes them instead, to be looked at
 *     plot STORY WIDTH LOOK    prints one; LOOK is unicode, ascii or colour
 *     plot FILE WIDTH LOOK     prints the run that a file holds */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_stories.h"
#include "report/plot/plot.h"
#include "tap.h"

static char *draw(const char *story, struct gput__plot_style style)
{
    struct gput__buf out = GPUT__BUF_INIT;
    struct gput__run run;
    char *text = NULL;

    plot_story_tell(story, &run);
    if (gput__plot(&run, &style, &out) < 0 || gput__buf_detach(&out, &text) < 0)
        abort();
    gput__run_free(&run);
    return text;
}

/* One file holds a story at several widths, in Unicode and ASCII. */
static char *draw_all(const char *story)
{
    static const struct gput__plot_style styles[] = {
        { .width = 80, .use_unicode = true },
        { .width = 80 },
        { .width = 40, .use_unicode = true },
        { .width = 130, .use_unicode = true },
        { .width = 60, .use_unicode = true, .use_colour = true },
    };
    struct gput__buf all = GPUT__BUF_INIT;
    char *text = NULL;

    for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++) {
        gput__buf_printf(&all, "== %s, %d columns, %s%s\n", story, styles[i].width,
                         styles[i].use_unicode ? "Unicode" : "ASCII",
                         styles[i].use_colour ? ", colours" : "");
        text = draw(story, styles[i]);
        gput__buf_puts(&all, text);
        free(text);
    }
    if (gput__buf_detach(&all, &text) < 0)
        abort();
    return text;
}

static char *read_whole(const char *path)
{
    struct gput__buf all = GPUT__BUF_INIT;
    char part[4096], *text = NULL;
    FILE *file = fopen(path, "r");
    size_t n;

    while (file && (n = fread(part, 1, sizeof(part), file)) > 0)
        gput__buf_add(&all, part, n);
    if (file)
        fclose(file);
    if (gput__buf_detach(&all, &text) < 0)
        abort();
    return text;
}

static void check(const char *folder, const char *story, int is_write)
{
    char *text = draw_all(story), *expected, path[4096];
    FILE *file;

    snprintf(path, sizeof(path), "%s/plot/%s.txt", folder, story);
    if (is_write) {
        file = fopen(path, "w");
        if (!file || fputs(text, file) < 0 || fclose(file) != 0)
            abort();
    }
    expected = read_whole(path);
    OK(strcmp(text, expected) == 0, "%s is drawn as %s has it", story, path);
    free(expected);
    free(text);
}

static int print_file(const char *file, struct gput__plot_style style)
{
    struct gput_plot_options o = GPUT_PLOT_OPTIONS_INIT;
    struct gput_error err;
    char *text;

    o.file = file;
    o.width = style.width;
    o.use_unicode = style.use_unicode;
    o.use_colour = style.use_colour;
    if (gput_report_text(&o, &text, &err) < 0) {
        fprintf(stderr, "%s: %s\n", err.field, err.text);
        return 1;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}

static int print_one(const char *name, int width, const char *look)
{
    struct gput__plot_style style = { .width = width,
                                      .use_unicode = strcmp(look, "ascii") != 0,
                                      .use_colour = strcmp(look, "colour") == 0 };
    char *text;

    if (strpbrk(name, "./"))
        return print_file(name, style);
    text = draw(name, style);
    fputs(text, stdout);
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4)
        return print_one(argv[1], atoi(argv[2]), argv[3]);
    if (argc < 2)
        return 2;
    for (const struct plot_story *s = plot_stories; s->name; s++)
        check(argv[1], s->name, argc > 2);
    return DONE();
}
