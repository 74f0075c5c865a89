/* print.h - printf for the library: the point of a number is a point, whatever the locale.
 *
 * A program that uses the library may have set a locale with a comma; what is printed here is read
 * by programs too. */
#ifndef GPUT_BASE_PRINT_H
#define GPUT_BASE_PRINT_H

#include <stdarg.h>
#include <stddef.h>

__attribute__((format(printf, 3, 4))) int gput__snprintf(char *ret, size_t size, const char *format,
                                                         ...);
__attribute__((format(printf, 3, 0))) int gput__vsnprintf(char *ret, size_t size,
                                                          const char *format, va_list args);

#endif
