/* catalogue_row.c - one line of a catalogue of servers: its fields, and what they must be. */
#include "servers/catalogue_row.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text/atod.h"
#include "base/text/print.h"
#include "base/text/text.h"
#include "model/gpus.h"
#include "store/files/table.h"

/* More than any server has: a column in the place of another is noticed. */
#define MOST_VCPUS 10000.0
#define MOST_MIB (1024.0 * 1024 * 1024)
#define MOST_USD 100000.0

struct number {
    enum gput__catalogue_field field;
    const char *name, *wanted;
    double least, most;
    bool is_whole;
};

/* An empty usd_hour is NAN. */
static const struct number numbers[] = {
    { GPUT__VCPUS, "vcpus", "a whole number from 1 on", 1, MOST_VCPUS, true },
    { GPUT__MEM_MIB, "mem_mib", "a whole number of MiB from 1 on", 1, MOST_MIB, true },
    { GPUT__GPUS, "gpus", "a number from 0 on", 0, GPUT__MOST_SERVER_GPUS, false },
    { GPUT__VRAM_MIB, "vram_mib", "a whole number of MiB", 0, MOST_MIB, true },
    { GPUT__USD_HOUR, "usd_hour", "a price above 0, or empty where it is not known", 1e-6, MOST_USD,
      false },
};

/* Takes the quotes from the field that begins at `p`.  Behind the closing one, or NULL: there is
 * none. */
static char *unquote(char *p)
{
    char *to = p;

    for (char *from = p + 1; *from; from++) {
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            return from;
        }
        *to++ = *from;
    }
    return NULL;
}

int gput__catalogue_split(char *line, char **ret_fields, int max)
{
    for (int n = 0;;) {
        char *end;

        if (n == max)
            return max + 1;
        ret_fields[n++] = line;
        end = *line == '"' ? unquote(line) : line + strcspn(line, ",");
        if (!end || (*end && *end != ','))
            return -EBADMSG;
        if (!*end)
            return n;
        *end = '\0';
        line = end + 1;
    }
}

__attribute__((format(printf, 3, 4))) static int refuse(char *ret_why, size_t size,
                                                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    gput__vsnprintf(ret_why, size, format, args);
    va_end(args);
    return -EBADMSG;
}

/* A whole field; NAN where it is empty. */
static bool is_number(const char *text, const struct number *n, double *ret)
{
    double value = NAN;
    const char *end = *text ? gput__atod(text, &value) : text;

    if (!end || *end || (*text && !(value >= n->least && value <= n->most)) ||
        (n->is_whole && value != floor(value)))
        return false;
    *ret = value;
    return true;
}

static int parse_numbers(char *const *fields, double *ret, char *ret_why, size_t size)
{
    char shown[40];

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        const struct number *n = &numbers[i];
        const char *text = fields[n->field];

        if (!is_number(text, n, &ret[n->field]) || (!*text && n->field != GPUT__USD_HOUR))
            return refuse(ret_why, size, "%s: '%s' is not %s", n->name,
                          gput__text_shown(text, strlen(text), shown, sizeof(shown)), n->wanted);
    }
    return 0;
}

static bool is_date(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    size_t i = 0;

    for (; form[i]; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return text[i] == '\0' && strncmp(text + 5, "00", 2) > 0 && strncmp(text + 5, "12", 2) <= 0 &&
           strncmp(text + 8, "00", 2) > 0 && strncmp(text + 8, "31", 2) <= 0;
}

int gput__catalogue_row(char *const *f, struct gput_server_offer *ret, char *ret_why, size_t size)
{
    static const int texts[] = { GPUT__VENDOR, GPUT__TYPE, GPUT__REGION, GPUT__GPU_MODEL,
                                 GPUT__SOURCE };
    double values[GPUT__N_CATALOGUE_FIELDS] = { 0 };

    for (int i = 0; i < GPUT__N_CATALOGUE_FIELDS; i++)
        if (!gput__text_is_plain(f[i]))
            return refuse(ret_why, size, "field %d has characters in it that cannot be shown",
                          i + 1);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (gput__text_is_formula(f[texts[i]], strlen(f[texts[i]])))
            return refuse(ret_why, size, "field %d begins like a formula", texts[i] + 1);
    if (parse_numbers(f, values, ret_why, size) < 0)
        return -EBADMSG;
    if (!*f[GPUT__VENDOR] || !*f[GPUT__TYPE] || !*f[GPUT__SOURCE])
        return refuse(ret_why, size, "vendor, type and source must not be empty");
    if ((values[GPUT__GPUS] > 0) != (values[GPUT__VRAM_MIB] > 0) ||
        (values[GPUT__GPUS] > 0) != (*f[GPUT__GPU_MODEL] != '\0'))
        return refuse(ret_why, size, "gpus, gpu_model and vram_mib: all three or none");
    if (*f[GPUT__USD_HOUR] && (!*f[GPUT__REGION] || !is_date(f[GPUT__AS_OF])))
        return refuse(ret_why, size, "a price needs its region and its day as YYYY-MM-DD in as_of");
    *ret = (struct gput_server_offer){
        .vendor = f[GPUT__VENDOR],
        .type = f[GPUT__TYPE],
        .region = f[GPUT__REGION],
        .vcpus = (int)values[GPUT__VCPUS],
        .memory_mib = values[GPUT__MEM_MIB],
        .gpus = values[GPUT__GPUS],
        .gpu_model = f[GPUT__GPU_MODEL],
        .vram_mib = values[GPUT__VRAM_MIB],
        .usd_hour = values[GPUT__USD_HOUR],
        .source = f[GPUT__SOURCE],
        .as_of = f[GPUT__AS_OF],
    };
    return 0;
}
