/* option_set.c - one value: checked by the kind of its option, and kept. */
#include "options/option_set.h"

#include "gput.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double seconds_min = 0.001;

#define MIB_PER_GIB 1024

const char *const formats_text_json[] = { "text", "json", NULL };
#define NAME(id, name, resource) name,
const char *const gpu_brands[] = { GPUT_GPU_BRANDS(NAME) NULL };
#undef NAME

int option_by_name(const struct option_def *options, const char *name)
{
    for (int i = 0; name && options[i].name; i++)
        if (strcmp(options[i].name, name) == 0)
            return i;
    return -1;
}

int option_by_key(const struct option_def *options, const char *key)
{
    for (int i = 0; options[i].name; i++)
        if (options[i].key && strcmp(options[i].key, key) == 0)
            return i;
    return -1;
}

const char *option_word(const struct option_def *def, const char *word, char ret[LABEL_SIZE])
{
    if (word && word[0] == '-' && word[1] == '-')
        snprintf(ret, LABEL_SIZE, "%.*s", (int)strcspn(word, "="), word);
    else if (word || !def->name[1])
        snprintf(ret, LABEL_SIZE, "-%c", def->letter);
    else
        snprintf(ret, LABEL_SIZE, "--%s", def->name);
    return ret;
}

static const char *label_of(const struct given *given, int i, enum option_origin origin,
                            char ret[LABEL_SIZE])
{
    if (origin != FROM_CONFIG)
        return option_word(&given->options[i], given->word[i], ret);
    snprintf(ret, LABEL_SIZE, "%s: %s", given->config, given->options[i].key);
    return ret;
}

const char *option_label(const struct given *given, int i, char ret[LABEL_SIZE])
{
    return label_of(given, i, given->origin[i], ret);
}

const char *option_label_named(const struct given *given, const char *name, char ret[LABEL_SIZE])
{
    return option_label(given, option_by_name(given->options, name), ret);
}

/* --- what is allowed ------------------------------------------------------------------------ */

static double least_of(const struct option_def *def)
{
    return def->kind == KIND_SECONDS ? seconds_min : def->kind == KIND_PROCESS ? 1 : def->min;
}

static double most_of(const struct option_def *def)
{
    return def->max > 0                ? def->max
           : def->kind == KIND_COUNT   ? INT_MAX
           : def->kind == KIND_PROCESS ? INT_MAX
                                       : HUGE_VAL;
}

static int refuse_number(const struct option_def *def, const char *text, struct refusal *ret_why)
{
    if (def->kind == KIND_PROCESS)
        return refuse(ret_why, "'%s' is not the number of a process", text);
    if (def->kind == KIND_NUMBER)
        return refuse(ret_why, "'%s' is not a number from 0 on", text);
    if (def->kind == KIND_MEMORY)
        return refuse(ret_why,
                      "'%s' is not an amount of memory, such as 16, 16GiB or 512MiB (a bare "
                      "number is in GiB)",
                      text);
    return refuse(ret_why, "'%s' is not a %s from %g to %.0f", text,
                  def->kind == KIND_COUNT ? "whole number" : "number of seconds", least_of(def),
                  most_of(def));
}

/* What stands behind a plain decimal number: strtod alone allows blanks, hexadecimal, "nan" and "inf"
 * too.  NULL: there is none. */
static const char *number_at(const struct option_def *def, const char *text, double *ret)
{
    bool is_whole = def->kind == KIND_COUNT || def->kind == KIND_PROCESS;
    const char *allowed = is_whole                    ? "0123456789"
                          : def->kind == KIND_SECONDS ? "0123456789.eE+-"
                                                      : "0123456789.";
    size_t n = strspn(text, allowed);
    char *end;

    *ret = strtod(text, &end);
    return n > 0 && end == text + n && isfinite(*ret) ? end : NULL;
}

/* MiB in the unit of an amount; 0: there is no such unit. */
static double mib_in(const char *unit)
{
    static const struct {
        const char *name;
        double mib;
    } units[] = { { "", MIB_PER_GIB },
                  { "MiB", 1 },
                  { "GiB", MIB_PER_GIB },
                  { "TiB", (double)MIB_PER_GIB * MIB_PER_GIB } };

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].mib;
    return 0;
}

static int parse_number(const struct option_def *def, const char *text, double *ret,
                        struct refusal *ret_why)
{
    double value, unit = 1;
    const char *end = number_at(def, text, &value);

    if (end && def->kind == KIND_MEMORY)
        unit = mib_in(end);
    else if (end && *end)
        end = NULL;
    if (!end || unit <= 0 || !(value >= least_of(def) && value <= most_of(def)))
        return refuse_number(def, text, ret_why);
    *ret = value * unit;
    return 0;
}

static int parse_choice(const struct option_def *def, const char *text, int *ret,
                        struct refusal *ret_why)
{
    char list[300] = "";

    for (int i = 0; def->choices[i]; i++) {
        size_t used = strlen(list);

        *ret = i;
        if (strcmp(def->choices[i], text) == 0)
            return 0;
        snprintf(list + used, sizeof(list) - used, "%s%s", used ? ", " : "", def->choices[i]);
    }
    return refuse(ret_why, "'%s' is not one of: %s%s", text, list,
                  strcmp(text, "pickle") == 0
                      ? " (pickles can run code when they are read; -f json holds the same)"
                      : "");
}

/* --- setting -------------------------------------------------------------------------------- */

/* Whether a value from `origin` counts: the command line wins over the config file. */
static bool claim(struct given *given, int i, enum option_origin origin)
{
    if (origin < given->origin[i])
        return false;
    given->origin[i] = origin;
    return true;
}

static void *member(struct given *given, int i)
{
    return (char *)given + given->options[i].at;
}

static int keep_text(struct given *given, int i, enum option_origin origin, const char *text,
                     struct refusal *ret_why)
{
    enum option_kind kind = given->options[i].kind;

    if (!*text && kind != KIND_ANY && kind != KIND_COMMAND)
        return refuse(ret_why, "the value is empty");
    if (kind == KIND_COMMAND && given->origin[i] == FROM_LINE)
        return refuse(ret_why, "it is given twice: one command at a time");
    if (!claim(given, i, origin))
        return 0;
    if (origin == FROM_CONFIG)
        text = strdup(text);
    if (!text)
        return refuse(ret_why, "%s", strerror(ENOMEM));
    *(const char **)member(given, i) = text;
    return 0;
}

static int add_value(struct given *given, int i, enum option_origin origin, const char *text,
                     struct refusal *ret_why)
{
    struct many *many = member(given, i);
    int at =
        origin == FROM_CONFIG ? 0 : many->n; /* of two that contradict each other the last counts */

    if (!*text)
        return refuse(ret_why, "the value is empty");
    if (many->n == MOST_VALUES)
        return refuse(ret_why, "it is given more than %d times", MOST_VALUES);
    if (origin == FROM_CONFIG)
        text = strdup(text);
    if (!text)
        return refuse(ret_why, "%s", strerror(ENOMEM));
    if (origin > given->origin[i])
        given->origin[i] = origin;
    memmove(many->value + at + 1, many->value + at, (size_t)(many->n - at) * sizeof(*many->value));
    memmove(many->is_copy + at + 1, many->is_copy + at, (size_t)(many->n - at));
    many->is_copy[at] = origin == FROM_CONFIG;
    many->value[at] = text;
    many->n++;
    return 0;
}

static void keep_number(struct given *given, int i, enum option_origin origin, double value)
{
    enum option_kind kind = given->options[i].kind;

    if (!claim(given, i, origin))
        return;
    if (kind == KIND_COUNT || kind == KIND_PROCESS || kind == KIND_INDEX)
        *(int *)member(given, i) = (int)value;
    else
        *(double *)member(given, i) = value;
}

static int set_value(struct given *given, int i, enum option_origin origin, const char *text,
                     struct refusal *ret_why)
{
    const struct option_def *def = &given->options[i];
    double value = 0;
    int choice = 0;

    switch (def->kind) {
    case KIND_FLAG:
        if (claim(given, i, origin))
            *(bool *)member(given, i) = true;
        return 0;
    case KIND_MANY:
        return add_value(given, i, origin, text, ret_why);
    case KIND_OWN:
        (void)claim(given, i, origin);
        return def->set(given, text, ret_why);
    case KIND_CHOICE:
    case KIND_INDEX:
        if (parse_choice(def, text, &choice, ret_why) < 0)
            return -EINVAL;
        if (def->kind == KIND_CHOICE)
            return keep_text(given, i, origin, text, ret_why);
        keep_number(given, i, origin, choice);
        return 0;
    case KIND_SECONDS:
    case KIND_COUNT:
    case KIND_PROCESS:
    case KIND_NUMBER:
    case KIND_MEMORY:
        if (parse_number(def, text, &value, ret_why) < 0)
            return -EINVAL;
        keep_number(given, i, origin, value);
        return 0;
    default:
        return keep_text(given, i, origin, text, ret_why);
    }
}

int option_set(struct given *given, int i, enum option_origin origin, const char *text,
               struct refusal *ret_why)
{
    struct refusal why;
    char label[LABEL_SIZE];

    if (set_value(given, i, origin, text, &why) == 0)
        return 0;
    return refuse(ret_why, "%s: %s", label_of(given, i, origin, label), why.text);
}

int option_set_text(struct given *given, int i, const char *text, struct refusal *ret_why)
{
    return option_set(given, i, FROM_CONFIG, text, ret_why);
}

int option_set_number(struct given *given, int i, double value, struct refusal *ret_why)
{
    char text[40];

    snprintf(text, sizeof(text), "%.15g", value);
    return option_set(given, i, FROM_CONFIG, text, ret_why);
}

void option_set_flag(struct given *given, int i, bool value)
{
    if (claim(given, i, FROM_CONFIG))
        *(bool *)member(given, i) = value;
}

char *many_lines(const struct many *many)
{
    char *text = NULL;

    for (int i = 0; i < many->n; i++) {
        char *before = text;

        if (asprintf(&text, "%s%s\n", before ? before : "", many->value[i]) < 0)
            text = NULL;
        free(before);
    }
    return text;
}

static void free_copies(struct many *many)
{
    for (int i = 0; i < many->n; i++)
        if (many->is_copy[i])
            free((char *)many->value[i]);
    many->n = 0;
}

void options_free(struct given *given)
{
    for (int i = 0; given->options && given->options[i].name; i++) {
        enum option_kind kind = given->options[i].kind;

        if (kind == KIND_MANY)
            free_copies(member(given, i));
        if (given->origin[i] == FROM_CONFIG && kind >= KIND_ANY && kind <= KIND_CHOICE) {
            free(*(char **)member(given, i));
            *(char **)member(given, i) = NULL;
        }
    }
}
