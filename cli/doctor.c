/* doctor.c - `gpu-tracker doctor`: what can be measured on this machine. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int format_of(const char *name, enum gput_format *ret)
{
    if (strcmp(name, "text") != 0 && strcmp(name, "json") != 0)
        return -1;
    *ret = strcmp(name, "json") == 0 ? GPUT_JSON : GPUT_TEXT;
    return 0;
}

/* "--format=json", "--format json", "-f json" */
static int parse(int argc, char **argv, enum gput_format *ret)
{
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;

        if (strncmp(argv[i], "--format=", 9) == 0)
            value = argv[i] + 9;
        else if ((strcmp(argv[i], "--format") == 0 || strcmp(argv[i], "-f") == 0) && i + 1 < argc)
            value = argv[++i];
        if (!value) {
            say("doctor: '%s' is not an option of it; there is --format=text|json", argv[i]);
            return -1;
        }
        if (format_of(value, ret) < 0) {
            say("doctor: --format: '%s' is not one of: text, json", value);
            return -1;
        }
    }
    return 0;
}

int command_doctor(int argc, char **argv)
{
    enum gput_format format = GPUT_TEXT;
    char *text = NULL;
    int r;

    if (parse(argc, argv, &format) < 0)
        return EXIT_USAGE;
    r = gput_doctor(NULL, format, &text);
    if (r < 0) {
        say("doctor: %s", strerror(-r));
        return EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}
