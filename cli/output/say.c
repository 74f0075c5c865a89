/* say.c - the lines on standard error, and the reason why something was refused. */
#include "output/say.h"

#include "gput.h"
#include "output/write.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int refuse(struct refusal *ret, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(ret->text, sizeof(ret->text), format, args);
    va_end(args);
    return -EINVAL;
}

static void say_line(const char *prefix, const char *format, va_list args)
{
    char *body = NULL, *line = NULL;
    int length;

    if (vasprintf(&body, format, args) < 0)
        return;
    length = asprintf(&line, "%s%s\n", prefix, gput_text_plain(body));
    free(body);
    if (length < 0)
        return;
    /* Nowhere is left to report a failure of standard error to. */
    (void)write_all(STDERR_FILENO, line, (size_t)length);
    free(line);
}

void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_line("gpu-tracker: ", format, args);
    va_end(args);
}

void say_bare(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_line("", format, args);
    va_end(args);
}

void say_warning(void *ctx, const char *line)
{
    (void)ctx;
    say("warning: %s", line);
}
