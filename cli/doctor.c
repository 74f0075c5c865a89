/* doctor.c - `gpu-tracker doctor`: what can be measured on this machine. */
#include "commands.h"
#include "exit_codes.h"
#include "gput.h"
#include "say.h"

#include <errno.h>
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

/* "--name=value", "--name value" or "-n value"; NULL: another option. */
static const char *value_of(const char *name, char letter, int argc, char **argv, int *i)
{
    size_t n = strlen(name);
    const char *word = argv[*i];

    if (strncmp(word, name, n) == 0 && word[n] == '=')
        return word + n + 1;
    if ((strcmp(word, name) == 0 || (letter && word[0] == '-' && word[1] == letter && !word[2])) &&
        *i + 1 < argc)
        return argv[++*i];
    return NULL;
}

static int parse(int argc, char **argv, enum gput_format *ret_format, const char **ret_brand)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        const char *format = value_of("--format", 'f', argc, argv, &i);
        const char *brand = format ? NULL : value_of("--gb", 0, argc, argv, &i);

        if (!format && !brand) {
            say("doctor: '%s' is not an option of it; there are --format=text|json and "
                "--gb=nvidia|amd|intel",
                word);
            return -1;
        }
        if (format && format_of(format, ret_format) < 0) {
            say("doctor: --format: '%s' is not one of: text, json", format);
            return -1;
        }
        *ret_brand = brand ? brand : *ret_brand;
    }
    return 0;
}

int command_doctor(int argc, char **argv)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    enum gput_format format = GPUT_TEXT;
    char *text = NULL;
    int r;

    if (argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        puts("gpu-tracker doctor [--format=text|json] [--gb=nvidia|amd|intel]\n"
             "Tells what can be measured on this machine, what cannot, and what would change it.");
        return 0;
    }
    if (parse(argc, argv, &format, &o.gpu_brand) < 0)
        return EXIT_USAGE;
    r = gput_doctor(&o, format, &text);
    if (r < 0) {
        say("doctor: %s", r == -EINVAL ? "--gb is one of: nvidia, amd, intel" : strerror(-r));
        return r == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}
