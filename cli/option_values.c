/* option_values.c - checks a value by the kind of its option and stores it. */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double seconds_min = 0.001;

void option_label(const struct options *o, enum option_id id, enum option_origin origin, char *ret,
                  size_t size)
{
    if (origin == FROM_CONFIG)
        snprintf(ret, size, "%s: %s", o->tconfig, option_def(id)->key);
    else
        snprintf(ret, size, "--%s", option_def(id)->name);
}

static void *field(struct options *o, enum option_id id)
{
    return (char *)o + option_def(id)->at;
}

/* Whether a value from `origin` counts: the command line wins over the config file. */
static bool claim(struct options *o, enum option_id id, enum option_origin origin)
{
    if (origin < o->origin[id])
        return false;
    o->origin[id] = origin;
    return true;
}

static int refuse_number(const struct options *o, enum option_id id, enum option_origin origin,
                         const char *text, struct refusal *ret_why)
{
    char label[300];

    option_label(o, id, origin, label, sizeof(label));
    if (option_def(id)->kind == KIND_COUNT)
        return refuse(ret_why, "%s: '%s' is not a whole number from 1 to %d", label, text, INT_MAX);
    return refuse(ret_why, "%s: '%s' is not a number of seconds from %g to %.0f", label, text,
                  seconds_min, option_def(id)->max);
}

static bool in_range(const struct option_def *def, double value)
{
    if (def->kind == KIND_COUNT)
        return value >= 1 && value <= INT_MAX && value == (double)(int)value;
    return value >= seconds_min && value <= def->max; /* false for nan */
}

int option_set_number(struct options *o, enum option_id id, enum option_origin origin, double value,
                      struct refusal *ret_why)
{
    enum option_kind kind = option_def(id)->kind;

    if (!in_range(option_def(id), value)) {
        char text[40];

        snprintf(text, sizeof(text), "%.15g", value);
        return refuse_number(o, id, origin, text, ret_why);
    }
    if (!claim(o, id, origin))
        return 0;
    if (kind == KIND_COUNT)
        *(int *)field(o, id) = (int)value;
    else
        *(double *)field(o, id) = value;
    return 0;
}

void option_set_flag(struct options *o, enum option_id id, enum option_origin origin, bool value)
{
    if (claim(o, id, origin))
        *(bool *)field(o, id) = value;
}

/* Plain decimal numbers only: strtod alone takes blanks, hexadecimal, "nan" and "inf" too. */
static int set_number_text(struct options *o, enum option_id id, enum option_origin origin,
                           const char *text, struct refusal *ret_why)
{
    enum option_kind kind = option_def(id)->kind;
    const char *allowed = kind == KIND_COUNT ? "0123456789" : "0123456789.eE+-";
    char *end;
    double value;

    value = strtod(text, &end);
    if (!*text || text[strspn(text, allowed)] || *end || !in_range(option_def(id), value))
        return refuse_number(o, id, origin, text, ret_why);
    return option_set_number(o, id, origin, value, ret_why);
}

static int refuse_choice(const struct options *o, enum option_id id, enum option_origin origin,
                         const char *text, struct refusal *ret_why)
{
    char label[300], list[200] = "";
    const char *const *choice = option_def(id)->choices;

    for (; *choice; choice++) {
        strcat(list, *choice);
        if (choice[1])
            strcat(list, ", ");
    }
    option_label(o, id, origin, label, sizeof(label));
    if (id == OPT_FORMAT && strcmp(text, "pickle") == 0)
        return refuse(ret_why,
                      "%s: 'pickle' is not one of: %s (pickles can run code when they are "
                      "read; -f json holds the same)",
                      label, list);
    return refuse(ret_why, "%s: '%s' is not one of: %s", label, text, list);
}

static bool is_choice(const struct option_def *def, const char *text)
{
    for (const char *const *choice = def->choices; *choice; choice++)
        if (strcmp(*choice, text) == 0)
            return true;
    return false;
}

int option_set_text(struct options *o, enum option_id id, enum option_origin origin,
                    const char *text, struct refusal *ret_why)
{
    const struct option_def *def = option_def(id);
    char label[300];

    option_label(o, id, origin, label, sizeof(label));
    if (def->kind == KIND_SECONDS || def->kind == KIND_COUNT)
        return set_number_text(o, id, origin, text, ret_why);
    if (def->kind == KIND_CHOICE && !is_choice(def, text))
        return refuse_choice(o, id, origin, text, ret_why);
    if (!*text && def->kind != KIND_COMMAND)
        return refuse(ret_why, "%s: the value is empty", label);
    if (id == OPT_EXECUTE && o->execute)
        return refuse(ret_why, "%s is given twice: one command at a time", label);
    if (!claim(o, id, origin))
        return 0;
    if (origin == FROM_CONFIG) {
        text = strdup(text);
        if (!text)
            return refuse(ret_why, "%s: %s", label, strerror(ENOMEM));
    }
    *(const char **)field(o, id) = text;
    return 0;
}

enum gput_format option_format(const struct options *o)
{
    return o->format && strcmp(o->format, "json") == 0 ? GPUT_JSON : GPUT_TEXT;
}

void options_free(struct options *o)
{
    for (int i = 0; i < N_OPTIONS; i++) {
        enum option_id id = (enum option_id)i;
        enum option_kind kind = option_def(id)->kind;
        bool is_text = kind == KIND_LIST || kind == KIND_CHOICE || kind == KIND_FILE;

        if (o->origin[id] == FROM_CONFIG && is_text) {
            free(*(char **)field(o, id));
            *(char **)field(o, id) = NULL;
        }
    }
}
