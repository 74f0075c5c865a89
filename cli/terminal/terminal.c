/* terminal.c - what the terminal on standard output can show. */
#include "terminal/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_width(int fallback)
{
    const char *columns = getenv("COLUMNS");
    struct winsize window;
    long n;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
        return window.ws_col - 1;
    n = columns ? strtol(columns, NULL, 10) : 0;
    return n > 0 && n <= 10000 ? (int)n : fallback;
}

int terminal_height(void)
{
    struct winsize window;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 ? window.ws_row : 0;
}

/* Small systems and containers do not have the locale that who logs in brings along: its name tells. */
static bool is_named_utf8(void)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
        const char *name = getenv(variables[i]);

        if (name && *name)
            return strcasestr(name, ".utf-8") || strcasestr(name, ".utf8");
    }
    return false;
}

bool terminal_has_utf8(void)
{
    locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool is;

    if (!user)
        return is_named_utf8();
    is = strcmp(nl_langinfo_l(CODESET, user), "UTF-8") == 0;
    freelocale(user);
    return is;
}

bool terminal_has_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}
