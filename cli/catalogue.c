/* catalogue.c - `gpu-tracker catalogue`: types of servers to rent, and what they cost. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "say.h"
#include "server_options.h"
#include "terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    VENDOR,
    REGION,
    MIN_VCPUS,
    MIN_MEMORY,
    GPUS,
    VRAM,
    GPU_MODEL,
    ARCH,
    MAX_PRICE,
    LIMIT,
    FORMAT,
    CATALOGUE,
    FROM,
};

static const char *const formats[] = { "text", "json", "csv", NULL };
static const char *const archs[] = { "x86_64", "aarch64", NULL };

const struct sub_option catalogue_options[] = {
    [VENDOR] = { "vendor", "<vendor>", "show: only servers of this vendor, or of several: aws,gcp.",
                 NULL, 0, false },
    [REGION] = { "region", "<region>", "show: only in this region, or in several.", NULL, 0,
                 false },
    [MIN_VCPUS] = { "min-vcpus", "<number>", "show: only with so many vCPUs or more.", NULL, 0,
                    false },
    [MIN_MEMORY] = { "min-memory", "<amount>",
                     "show: only with so much memory or more: 16 and 16GiB are the same.", NULL, 0,
                     false },
    [GPUS] = { "gpus", "<number>", "show: only with so many GPUs or more.", NULL, 0, false },
    [VRAM] = { "vram", "<amount>",
               "show: only with so much GPU memory or more, over all GPUs; each must have its share.",
               NULL, 0, false },
    [GPU_MODEL] = { "gpu-model", "<model>", "show: only with GPUs of this model, e.g. A100.", NULL,
                    0, false },
    [ARCH] = { "arch", "<arch>", "show: only with this architecture.", archs, 0, false },
    [MAX_PRICE] = { "max-price", "<usd>", "show: only at this price an hour or less.", NULL, 0,
                    false },
    [LIMIT] = { "limit", "<number>", "show: so many at most; 20 by default, 0 for all.", NULL, 0,
                false },
    [FORMAT] = { "format", "<format>", "show: how it is written, 'text' by default.", formats, 'f',
                 false },
    [CATALOGUE] = { "catalogue", "<file>",
                    "show: read this catalogue; without it $GPUT_CATALOGUE, else what 'update' has "
                    "stored, else the built-in one.",
                    NULL, 0, true },
    [FROM] = { "from", "<file-or-url>", "update: the catalogue to store, a file or a URL.", NULL, 0,
               true },
    { .name = NULL },
};

struct wishes {
    const char *label; /* "catalogue show" */
    bool is_update;
    struct gput_server_needs needs;
    struct gput_server_filters filters;
    enum gput_servers_format format;
    int limit;
    const char *catalogue, *from;
};

static int take_text(struct wishes *w, int option, const char *value)
{
    const char **at[] = {
        [VENDOR] = &w->filters.vendor,       [REGION] = &w->filters.region,
        [GPU_MODEL] = &w->filters.gpu_model, [ARCH] = &w->filters.arch,
        [CATALOGUE] = &w->catalogue,         [FROM] = &w->from,
    };

    if (!*value) {
        say("%s: --%s: it is empty", w->label, catalogue_options[option].name);
        return -1;
    }
    *at[option] = value;
    return 0;
}

static int take(void *ctx, int option, const char *value)
{
    struct wishes *w = ctx;
    const char *name = catalogue_options[option].name;

    if (w->is_update != (option == FROM)) {
        say("%s: --%s is an option of 'catalogue %s'", w->label, name,
            w->is_update ? "show" : "update");
        return -1;
    }
    switch (option) {
    case MIN_VCPUS:
        return server_number(w->label, name, value, &w->needs.vcpus);
    case MIN_MEMORY:
        return server_memory(w->label, name, value, &w->needs.memory_mib);
    case GPUS:
        return server_number(w->label, name, value, &w->needs.gpus);
    case VRAM:
        return server_memory(w->label, name, value, &w->needs.vram_mib);
    case MAX_PRICE:
        return server_number(w->label, name, value, &w->filters.max_usd_hour);
    case LIMIT:
        return server_count(w->label, name, value, &w->limit);
    case FORMAT:
        w->format = strcmp(value, "json") == 0  ? GPUT_SERVERS_JSON
                    : strcmp(value, "csv") == 0 ? GPUT_SERVERS_CSV
                                                : GPUT_SERVERS_TEXT;
        return 0;
    }
    return take_text(w, option, value);
}

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
static char *found_text(const struct wishes *w, const struct gput_server_offer *list, size_t n)
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

static int print_found(const struct wishes *w, const struct gput_catalogue *c,
                       const struct gput_server_offer *list, size_t n, size_t total)
{
    char *text = found_text(w, list, n);

    if (!text) {
        say("%s: %s", w->label, strerror(ENOMEM));
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    if (w->format == GPUT_SERVERS_TEXT)
        printf("\n%zu of %zu, from %s; prices are for Linux, on demand\n", n, total,
               gput_catalogue_origin(c));
    return 0;
}

static int run_show(const struct wishes *w)
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
        say("%s: %s", w->label, err.text);
        gput_catalogue_close(c);
        return EXIT_FAILED;
    }
    most = w->limit > 0 && (size_t)w->limit < total ? (size_t)w->limit : total;
    list = calloc(most, sizeof(*list));
    r = list ? gput_catalogue_find(c, &w->needs, &w->filters, list, most, &total, &err) : -ENOMEM;
    if (r < 0)
        say("%s: %s", w->label, strerror(ENOMEM));
    else
        status = print_found(w, c, list, (size_t)r, total);
    free(list);
    gput_catalogue_close(c);
    return status;
}

static int run_update(const struct wishes *w)
{
    struct gput_error err;
    char *path = NULL;

    if (!w->from) {
        say("%s: option '--from' is missing", w->label);
        return EXIT_USAGE;
    }
    if (gput_catalogue_update(w->from, &path, &err) < 0) {
        say("%s: %s", w->label, err.text);
        return EXIT_FAILED;
    }
    printf("%s\n", path);
    free(path);
    return 0;
}

int command_catalogue(const struct sub_command *command, int argc, char **argv)
{
    struct wishes w = { .filters = { .size = sizeof(w.filters),
                                     .flags = GPUT_SERVERS_BURSTABLE | GPUT_SERVERS_UNPRICED |
                                              GPUT_SERVERS_EVERY_REGION },
                        .limit = 20 };

    if (argc < 2 || (strcmp(argv[1], "show") != 0 && strcmp(argv[1], "update") != 0)) {
        say("catalogue: %s%s%s one of: show, update", argc < 2 ? "it needs" : "'",
            argc < 2 ? "" : argv[1], argc < 2 ? "" : "' is not");
        return EXIT_USAGE;
    }
    w.is_update = strcmp(argv[1], "update") == 0;
    w.label = w.is_update ? "catalogue update" : "catalogue show";
    if (sub_options_alone(command, w.label, argc - 1, argv + 1, take, &w) < 0)
        return EXIT_USAGE;
    return w.is_update ? run_update(&w) : run_show(&w);
}
