/* comma_words.c - all that the library writes about a run, in the user's locale, for comma_locale.py.
 *
 * usage: comma_words FILE      a file of a run
 *        comma_words           prints the decimal point of the locale instead */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "gput.h"

static int print_text(int r, char **text, const struct gput_error *err)
{
    if (r < 0)
        fprintf(stderr, "%s\n", err->text);
    else
        fputs(*text, stdout);
    free(r < 0 ? NULL : *text);
    return r < 0;
}

static int print_pictures(const char *file)
{
    struct gput_report_options page = GPUT_REPORT_OPTIONS_INIT;
    struct gput_plot_options plot = GPUT_PLOT_OPTIONS_INIT;
    struct gput_error err = { 0 };
    char *text = NULL;
    int failed;

    page.file = plot.file = file;
    failed = print_text(gput_report_html(&page, &text, &err), &text, &err);
    return failed + print_text(gput_report_text(&plot, &text, &err), &text, &err);
}

static int print_advice(const char *file)
{
    struct gput_recommend_options o = GPUT_RECOMMEND_OPTIONS_INIT;
    struct gput_recommend_servers_options servers = GPUT_RECOMMEND_SERVERS_OPTIONS_INIT;
    struct gput_error err = { 0 };
    char *text = NULL;
    int failed = 0;

    servers.current_vendor = "aws";
    servers.current_type = "m7i.large";
    for (int format = GPUT_TEXT; format <= GPUT_JSON; format++) {
        o.format = servers.format = (enum gput_format)format;
        failed += print_text(gput_recommend_files(&file, 1, &o, NULL, &text, &err), &text, &err);
        failed +=
            print_text(gput_recommend_servers(&file, 1, &servers, NULL, &text, &err), &text, &err);
    }
    for (unsigned i = 0; (o.target = gput_recommend_target(i)); i++)
        failed += print_text(gput_recommend_files(&file, 1, &o, NULL, &text, &err), &text, &err);
    return failed;
}

static int print_servers(void)
{
    struct gput_server_needs needs = { .vcpus = 3, .memory_mib = 1500, .gpus = 0.5 };
    struct gput_server_offer list[8];
    struct gput_catalogue *c;
    struct gput_error err = { 0 };
    char *text = NULL;
    int failed = 0, n = gput_catalogue_open(NULL, NULL, &c, &err);

    if (n < 0)
        return print_text(n, &text, &err);
    n = gput_catalogue_find(c, &needs, NULL, list, 8, NULL, &err);
    for (int format = GPUT_SERVERS_TEXT; n > 0 && format <= GPUT_SERVERS_CSV; format++)
        failed += print_text(
            gput_servers_format(list, (size_t)n, (enum gput_servers_format)format, &text), &text,
            &err);
    needs.vcpus = 1e6 + 0.5; /* nobody has them: why not is said in numbers */
    if (gput_catalogue_find(c, &needs, NULL, list, 8, NULL, &err) != -ENODATA || !puts(err.text))
        failed++;
    gput_catalogue_close(c);
    return failed + (n <= 0);
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    if (argc < 2)
        return puts(localeconv()->decimal_point) < 0;
    return print_pictures(argv[1]) + print_advice(argv[1]) + print_servers();
}
