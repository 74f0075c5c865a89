/* sys_pressure.c - pressure stall information: for how long tasks could not go on for want of something. */
#include "source/stalls/sys_pressure.h"

#include <errno.h>
#include <string.h>

#include "base/text/scan.h"

/* The number behind "total=" on the line that begins with the word. */
static int total_of(const char *text, const char *word, uint64_t *ret)
{
    static const char key[] = " total=";
    size_t n = strlen(word);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        const char *end, *at;

        line += *line == '\n';
        if (strncmp(line, word, n) || line[n] != ' ')
            continue;
        end = strchrnul(line, '\n');
        at = strstr(line, key);
        if (!at || at >= end)
            return -EBADMSG;
        at += strlen(key);
        /* gput__scan_u64() takes blanks, and a number may be cut short where the text ends. */
        return *at >= '0' && *at <= '9' && *end ? gput__scan_u64(&at, ret) : -EBADMSG;
    }
    return -ENODATA;
}

int gput__sys_pressure_parse(const char *text, struct gput__sys_pressure *ret)
{
    struct gput__sys_pressure p = { 0 };

    if (total_of(text, "some", &p.some_us) < 0)
        return -EBADMSG;
    p.has_full = total_of(text, "full", &p.full_us) == 0;
    *ret = p;
    return 0;
}
