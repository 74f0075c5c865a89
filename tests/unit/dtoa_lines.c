/* dtoa_lines.c - raw doubles in, one line of text each out, for dtoa_vs_python.py.
 *
 * usage: dtoa_lines            as they are
 *        dtoa_lines round3     rounded to three decimals
 *        dtoa_lines point      prints the decimal point of the locale instead */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/text/dtoa.h"

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    char out[32];
    double v;

    setlocale(LC_ALL, "");
    if (strcmp(mode, "point") == 0)
        return puts(localeconv()->decimal_point) < 0;
    while (fread(&v, sizeof(v), 1, stdin) == 1) {
        if (strcmp(mode, "round3") == 0)
            gput__dtoa_round3(v, out);
        else
            gput__dtoa(v, out);
        puts(out);
    }
    return 0;
}
