/* test_unit.c - the units that users choose. */
#include "model/unit.h"

#include <string.h>

#include "tap.h"

static void sizes(void)
{
    static const struct gput__unit memory[] = {
        { "bytes", 1 },       { "kilobytes", 1e3 },  { "megabytes", 1e6 },
        { "gigabytes", 1e9 }, { "terabytes", 1e12 },
    };
    static const struct gput__unit times[] = {
        { "seconds", 1 },
        { "minutes", 60 },
        { "hours", 3600 },
        { "days", 24 * 3600 },
    };

    for (size_t i = 0; i < sizeof(memory) / sizeof(*memory); i++) {
        const struct gput__unit *u = gput__unit_of_memory(memory[i].name);

        OK(u && u->size == memory[i].size && !gput__unit_of_time(memory[i].name), "%s",
           memory[i].name);
    }
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        const struct gput__unit *u = gput__unit_of_time(times[i].name);

        OK(u && u->size == times[i].size && !gput__unit_of_memory(times[i].name), "%s",
           times[i].name);
    }
}

static void others(void)
{
    static const char *const names[] = {
        "", "byte", "Bytes", "bytes ", "gb", "gigabytesx", "hour"
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        OK(!gput__unit_of_memory(names[i]) && !gput__unit_of_time(names[i]), "not '%s'", names[i]);
}

static void refusals(void)
{
    char text[200], name[500], small[30];

    gput__unit_refuse_memory("gb", text, sizeof(text));
    OK(!strcmp(text, "'gb' is not one of: bytes, kilobytes, megabytes, gigabytes, terabytes"),
       "the name and all values");
    gput__unit_refuse_time("h", text, sizeof(text));
    OK(!strcmp(text, "'h' is not one of: seconds, minutes, hours, days"), "of time too");
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    gput__unit_refuse_memory(name, text, sizeof(text));
    OK(strstr(text, "terabytes") && strlen(text) < sizeof(text),
       "a long name leaves room for them");
    memset(small, '!', sizeof(small));
    gput__unit_refuse_memory("gb", small, sizeof(small) - 1);
    OK(!strcmp(small, "'gb' is not one of: bytes, k") && small[sizeof(small) - 1] == '!',
       "no byte beyond the room given");
}

int main(void)
{
    sizes();
    others();
    refusals();
    return DONE();
}
