/* doctor.c - `gpu-tracker doctor`: what can be measured on this machine. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "text", "json", NULL };
#define NAME(id, name, resource) name,
static const char *const brands[] = { GPUT_GPU_BRANDS(NAME) NULL };
#undef NAME

enum { FORMAT, BRAND };

const struct sub_option doctor_options[] = {
    [FORMAT] = { "format", "<format>", "How it is written, 'text' by default.", formats, 'f',
                 false },
    [BRAND] = { "gb", "<gpu-brand>", "Look for GPUs of this brand only.", brands, 0, false },
    { .name = NULL },
};

struct wishes {
    enum gput_format format;
    struct gput_options options;
};

static int take(void *ctx, int option, const char *value)
{
    struct wishes *w = ctx;

    if (option == FORMAT)
        w->format = strcmp(value, "json") == 0 ? GPUT_JSON : GPUT_TEXT;
    else
        w->options.gpu_brand = value;
    return 0;
}

int command_doctor(const struct sub_command *command, int argc, char **argv)
{
    struct wishes w = { .format = GPUT_TEXT, .options = GPUT_OPTIONS_INIT };
    char *text = NULL;
    int r;

    if (sub_options_alone(command, "doctor", argc, argv, take, &w) < 0)
        return EXIT_USAGE;
    r = gput_doctor(&w.options, w.format, &text);
    if (r < 0) {
        say("doctor: %s", strerror(-r));
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}
