/* test_unit.c - the units that users choose. */
#include "model/unit.h"

#include <string.h>

#include "tap.h"

typedef const struct gput__unit *find(const char *name);

static void both_names(const char *name, const char *brief, double size, find *of, find *not_of)
{
    const struct gput__unit *u = of(name);

    OK(u && u->size == size && !strcmp(u->name, name) && of(brief) == u && !not_of(name) &&
           !not_of(brief),
       "%s, %s", name, brief);
}

static void sizes(void)
{
    static const char *const memory[][2] = {
        { "bytes", "B" },      { "kilobytes", "kB" }, { "megabytes", "MB" },
        { "gigabytes", "GB" }, { "terabytes", "TB" },
    };
    static const char *const binary[][2] = {
        { "kibibytes", "KiB" },
        { "mebibytes", "MiB" },
        { "gibibytes", "GiB" },
        { "tebibytes", "TiB" },
    };
    double size = 1;

    for (size_t i = 0; i < 5; i++, size *= 1000)
        both_names(memory[i][0], memory[i][1], size, gput__unit_of_memory, gput__unit_of_time);
    size = 1024;
    for (size_t i = 0; i < 4; i++, size *= 1024)
        both_names(binary[i][0], binary[i][1], size, gput__unit_of_memory, gput__unit_of_time);
    both_names("seconds", "s", 1, gput__unit_of_time, gput__unit_of_memory);
    both_names("minutes", "min", 60, gput__unit_of_time, gput__unit_of_memory);
    both_names("hours", "h", 3600, gput__unit_of_time, gput__unit_of_memory);
    both_names("days", "d", 24 * 3600, gput__unit_of_time, gput__unit_of_memory);
}

static void others(void)
{
    static const char *const names[] = { "",           "byte", "Bytes", "bytes ", "gb",
                                         "gigabytesx", "hour", "auto",  "m",      "G" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        OK(!gput__unit_of_memory(names[i]) && !gput__unit_of_time(names[i]), "not '%s'", names[i]);
}

static void refusals(void)
{
    char text[GPUT__UNIT_REFUSAL], name[500], small[30];

    gput__unit_refuse_memory("gb", text, sizeof(text));
    OK(!strcmp(text,
               "'gb' is not one of: bytes (B), kilobytes (kB), megabytes (MB), gigabytes (GB), "
               "terabytes (TB), kibibytes (KiB), mebibytes (MiB), gibibytes (GiB), "
               "tebibytes (TiB)"),
       "the name and all values");
    gput__unit_refuse_time("m", text, sizeof(text));
    OK(!strcmp(text, "'m' is not one of: seconds (s), minutes (min), hours (h), days (d)"),
       "of time too");
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    gput__unit_refuse_memory(name, text, sizeof(text));
    OK(strstr(text, "(TiB)") && strlen(text) < sizeof(text), "a long name leaves room for them");
    memset(small, '!', sizeof(small));
    gput__unit_refuse_memory("gb", small, sizeof(small) - 1);
    OK(!strcmp(small, "'gb' is not one of: bytes (B") && small[sizeof(small) - 1] == '!',
       "no byte beyond the room given");
}

int main(void)
{
    sizes();
    others();
    refusals();
    return DONE();
}
