/* doctor.c - `gpu-tracker doctor`: what can be measured on this machine. */
#include "commands/commands.h"
#include "gput.h"
#include "options/defaults.h"
#include "output/exit_codes.h"
#include "output/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct doctor {
    struct given given;
    enum gput_format format;
    const char *brand;
};

const struct option_def doctor_options[] = {
    FORMAT_OPTION(struct doctor, format, "How it is written, 'text' by default."),
    { "gb", "<gpu-brand>", "Look for GPUs of this brand only.", .kind = KIND_CHOICE,
      AT(struct doctor, brand), .choices = gpu_brands },
    { .name = NULL },
};

int command_doctor(const struct command *command, int argc, char **argv)
{
    struct gput_options options = GPUT_OPTIONS_INIT;
    struct doctor d = { .format = GPUT_TEXT };
    char *text = NULL;
    int r;

    if (command_parse_alone(command, &d.given, argc, argv) < 0)
        return EXIT_USAGE;
    options.gpu_brand = d.brand;
    r = gput_doctor(&options, d.format, &text);
    if (r < 0) {
        say("doctor: %s", strerror(-r));
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    if (d.format == GPUT_TEXT)
        defaults_print(stdout);
    free(text);
    return 0;
}
