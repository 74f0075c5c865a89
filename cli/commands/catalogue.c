/* catalogue.c - `gpu-tracker catalogue`: types of servers to rent, and what they cost. */
#include "commands/commands.h"
#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const formats[] = { "text", "json", "csv", NULL }; /* enum gput_servers_format */
static const char *const archs[] = { "x86_64", "aarch64", NULL };

struct show {
    struct given given;
    struct gput_server_needs needs;
    struct gput_server_filters filters;
    enum gput_servers_format format;
    int limit;
    const char *catalogue;
};

#define KEEP(member) AT(struct show, member)
const struct option_def catalogue_show_options[] = {
    { "vendor", "<vendor>", "Only servers of this vendor, or of several: aws,gcp.",
      .kind = KIND_TEXT, KEEP(filters.vendor) },
    { "region", "<region>", "Only in this region, or in several.", .kind = KIND_TEXT,
      KEEP(filters.region) },
    { "min-vcpus", "<number>", "Only with so many vCPUs or more.", .kind = KIND_NUMBER,
      KEEP(needs.vcpus) },
    { "min-memory", "<amount>", "Only with so much memory or more: 16 and 16GiB are the same.",
      .kind = KIND_MEMORY, KEEP(needs.memory_mib) },
    { "gpus", "<number>", "Only with so many GPUs or more.", .kind = KIND_NUMBER,
      KEEP(needs.gpus) },
    { "vram", "<amount>",
      "Only with so much GPU memory or more, over all GPUs; each must have its share.",
      .kind = KIND_MEMORY, KEEP(needs.vram_mib) },
    { "gpu-model", "<model>", "Only with GPUs of this model, such as A100.", .kind = KIND_TEXT,
      KEEP(filters.gpu_model) },
    { "arch", "<arch>", "Only with this architecture.", .kind = KIND_CHOICE, .choices = archs,
      KEEP(filters.arch) },
    { "max-price", "<usd>", "Only at this price an hour or less.", .kind = KIND_NUMBER,
      KEEP(filters.max_usd_hour) },
    { "limit", "<number>", "So many at most; 20 by default, 0 for all.", .kind = KIND_COUNT,
      KEEP(limit) },
    { "format", "<format>", "How it is written, 'text' by default.", .letter = 'f',
      .kind = KIND_INDEX, .choices = formats, KEEP(format) },
    { "catalogue", "<file>",
      "Read this catalogue; without it $GPUT_CATALOGUE, else what 'update' has stored, else the "
      "built-in one.",
      .kind = KIND_FILE, KEEP(catalogue) },
    { .name = NULL },
};
#undef KEEP

struct update {
    struct given given;
    const char *from;
};

const struct option_def catalogue_update_options[] = {
    { "from", "<file-or-url>", "The catalogue to store, a file or a URL.", .kind = KIND_FILE,
      AT(struct update, from) },
    { .name = NULL },
};

static size_t widest_line(const char *text)
{
    size_t widest = 0;

    while (*text) {
        size_t n = strcspn(text, "\n");

        widest = n > widest ? n : widest;
        text += n + (text[n] == '\n');
    }
    return widest;
}

/* A table, or on a terminal that it does not fit in a list.  free() it; NULL: no memory. */
static char *found_text(const struct show *w, const struct gput_server_offer *list, size_t n)
{
    int width = isatty(STDOUT_FILENO) ? terminal_width(0) : 0;
    char *text = NULL;

    if (gput_servers_format(list, n, w->format, &text) < 0)
        return NULL;
    if (w->format != GPUT_SERVERS_TEXT || width == 0 || widest_line(text) <= (size_t)width)
        return text;
    free(text);
    return gput_servers_format(list, n, GPUT_SERVERS_LIST, &text) < 0 ? NULL : text;
}

static int print_found(const struct show *w, const struct gput_catalogue *c,
                       const struct gput_server_offer *list, size_t n, size_t total)
{
    char *text = found_text(w, list, n);

    if (!text) {
        say("catalogue show: %s", strerror(ENOMEM));
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    if (w->format == GPUT_SERVERS_TEXT)
        printf("\n%zu of %zu, from %s; prices are for Linux, on demand\n", n, total,
               gput_catalogue_origin(c));
    return 0;
}

static int run_show(const struct show *w)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_catalogue *c = NULL;
    struct gput_server_offer *list = NULL, one;
    struct gput_error err;
    size_t total = 0, most;
    int status = EXIT_FAILED, r = gput_catalogue_open(w->catalogue, &on, &c, &err);

    if (r == 0)
        r = gput_catalogue_find(c, &w->needs, &w->filters, &one, 1, &total, &err);
    if (r < 0) {
        say("catalogue show: %s", err.text);
        gput_catalogue_close(c);
        return EXIT_FAILED;
    }
    most = w->limit > 0 && (size_t)w->limit < total ? (size_t)w->limit : total;
    list = calloc(most, sizeof(*list));
    r = list ? gput_catalogue_find(c, &w->needs, &w->filters, list, most, &total, &err) : -ENOMEM;
    if (r < 0)
        say("catalogue show: %s", strerror(ENOMEM));
    else
        status = print_found(w, c, list, (size_t)r, total);
    free(list);
    gput_catalogue_close(c);
    return status;
}

int catalogue_show(const struct command *command, int argc, char **argv)
{
    struct show w = { .filters = { .size = sizeof(w.filters),
                                   .flags = GPUT_SERVERS_BURSTABLE | GPUT_SERVERS_UNPRICED |
                                            GPUT_SERVERS_EVERY_REGION },
                      .limit = 20 };

    return command_parse_alone(command, &w.given, argc, argv) < 0 ? EXIT_USAGE : run_show(&w);
}

int catalogue_update(const struct command *command, int argc, char **argv)
{
    struct update u = { .from = NULL };
    struct gput_error err;
    char *path = NULL;

    if (command_parse_alone(command, &u.given, argc, argv) < 0)
        return EXIT_USAGE;
    if (!u.from) {
        say("catalogue update: option '--from' is missing");
        return EXIT_USAGE;
    }
    if (gput_catalogue_update(u.from, &path, &err) < 0) {
        say("catalogue update: %s", err.text);
        return EXIT_FAILED;
    }
    printf("%s\n", path);
    free(path);
    return 0;
}
