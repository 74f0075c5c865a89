/* print.c - printf for the library: the point of a number is a point, whatever the locale. */
#include "base/text/print.h"

#include <locale.h>
#include <stdio.h>

int gput__vsnprintf(char *ret, size_t size, const char *format, va_list args)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* not allocated: glibc has it */
    locale_t before = uselocale(plain);                        /* of this thread alone */
    int n = vsnprintf(ret, size, format, args);

    uselocale(before);
    if (plain)
        freelocale(plain);
    return n;
}

int gput__snprintf(char *ret, size_t size, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = gput__vsnprintf(ret, size, format, args);
    va_end(args);
    return n;
}
