/* fuzz_sub_options.c - the command line of a subcommand: its options and their amounts.
 *
 * The first byte of the input decides which one. */
#include "commands.h"
#include "plot.h"
#include "recommend_server.h"
#include "server_options.h"
#include "sub_track.h"

#include "args.h"
#include "fuzz.h"

/* Stands beside main(), which is not here. */
const struct sub_command subcommands[] = { { .name = NULL } };

/* Takes the place of say(): what is said is not read here. */
void __wrap_say(const char *format, ...);
void __wrap_say(const char *format, ...)
{
    fuzz_must(format[0]);
}

struct taken {
    const struct sub_option *options;
    struct server_wishes wishes;
};

static void try_amounts(const char *value)
{
    double number = -1, memory = -1;
    int count = -1, width = 0;

    fuzz_must(server_number("fuzz", "number", value, &number) < 0 ? number < 0 : number >= 0);
    fuzz_must(server_count("fuzz", "count", value, &count) < 0 ? count < 0 : count >= 0);
    fuzz_must(server_memory("fuzz", "memory", value, &memory) < 0 ? memory < 0 : memory >= 0);
    fuzz_must(plot_parse_width(value, &width) < 0
                  ? width == 0
                  : width >= PLOT_NARROWEST && width <= PLOT_WIDEST);
}

static int take(void *ctx, int option, const char *value)
{
    struct taken *t = ctx;
    const struct sub_option *o = &t->options[option];

    fuzz_must(o->name && (o->argument != NULL) == (value != NULL));
    if (value)
        try_amounts(value);
    if (t->options == recommend_options && (value || !strcmp(o->name, "server")))
        return recommend_server_take(&t->wishes, o->name, value);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct sub_option *const tables[] = {
        catalogue_options,   discover_options,    doctor_options,   process_options,
        recommend_options,   report_options,      system_options,   sub_analyze_options,
        sub_combine_options, sub_compare_options, sub_mark_options, sub_run_options,
    };
    struct taken taken = { .wishes = SERVER_WISHES_INIT };
    struct sub_command command = { .name = "fuzz" };
    struct fuzz_args args;
    int word;

    if (size < 1)
        return 0;
    command.options = taken.options = tables[data[0] % (sizeof(tables) / sizeof(*tables))];
    command.words_end_options = data[0] & 0x80;
    args = fuzz_args(data + 1, size - 1);
    word = sub_options_parse(&command, "fuzz", args.argc, args.argv, take, &taken);
    fuzz_must(word == -1 || (word >= 1 && word <= args.argc));
    free(args.text);
    return 0;
}
