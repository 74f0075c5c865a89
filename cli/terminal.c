/* terminal.c - what the terminal on standard output can show. */
#include "terminal.h"

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

bool terminal_has_utf8(void)
{
    locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool is = user && strcmp(nl_langinfo_l(CODESET, user), "UTF-8") == 0;

    if (user)
        freelocale(user);
    return is;
}

bool terminal_has_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}
