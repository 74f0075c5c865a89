/* fuzz_sub_options.c - the command line of a subcommand: its options and their values.
 *
 * The first byte of the input decides which one. */
#include "commands/commands.h"

#include "args.h"
#include "fuzz.h"

enum { MOST_COMMANDS = 32, SIZE = 8192 };

/* All that have options, at any depth. */
static size_t gather(const struct command *parent, const struct command **list, size_t n)
{
    for (const struct command *c = parent->subcommands; c && c->name; c++) {
        fuzz_must(n < MOST_COMMANDS);
        if (c->options)
            list[n++] = c;
        n = gather(c, list, n);
    }
    return n;
}

static void check_value(const struct given *given, int i)
{
    const struct option_def *def = &given->options[i];
    const void *at = (const char *)given + def->at;

    fuzz_must(given->origin[i] == FROM_LINE);
    switch (def->kind) {
    case KIND_FLAG:
        fuzz_must(*(const bool *)at);
        break;
    case KIND_COUNT:
        fuzz_must(*(const int *)at >= def->min);
        break;
    case KIND_PROCESS:
        fuzz_must(*(const int *)at > 0);
        break;
    case KIND_INDEX:
        fuzz_must(def->choices[*(const int *)at] != NULL);
        break;
    case KIND_SECONDS:
    case KIND_NUMBER:
    case KIND_MEMORY:
        fuzz_must(*(const double *)at >= 0 && *(const double *)at < 1e300 * 1e300);
        break;
    case KIND_OWN:
        break;
    default:
        fuzz_must(*(const char *const *)at != NULL);
    }
}

/* What a command keeps of its own is not known here: such values are text. */
static void copy_options(const struct option_def *options, struct option_def *ret)
{
    int n = 0;

    do {
        fuzz_must(n < MOST_OPTIONS);
        ret[n] = options[n];
        if (ret[n].kind == KIND_OWN && ret[n].is_file)
            ret[n].kind = KIND_ANY, ret[n].at = SIZE - sizeof(char *);
    } while (options[n++].name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static union {
        struct given given;
        char space[SIZE];
    } values;
    struct option_def options[MOST_OPTIONS];
    const struct command *list[MOST_COMMANDS];
    struct refusal why = { "" };
    struct command command;
    struct fuzz_args args;
    size_t n = gather(&gpu_tracker, list, 0);
    int word;

    if (size < 1)
        return 0;
    command = *list[data[0] % n];
    copy_options(command.options, options);
    command.options = options;
    args = fuzz_args(data + 1, size - 1);
    memset(&values, 0, sizeof(values));
    word = options_parse(&command, &values.given, args.argc, args.argv, &why);
    fuzz_must(word < 0 ? why.text[0] : word >= 1 && word <= args.argc);
    for (int i = 0; word >= 0 && options[i].name; i++)
        if (values.given.origin[i] != FROM_NOWHERE)
            check_value(&values.given, i);
    free(args.text);
    return 0;
}
