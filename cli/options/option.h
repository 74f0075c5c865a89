/* option.h - the options of the command and of its subcommands.
 *
 * Each command has a table of options, and each row says where its value is kept.  Parsing, --help,
 * the completions and the keys of --tconfig are loops over the tables: a new option is one row and
 * one member of the struct of its command's values. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "output/say.h"

#include <stdbool.h>
#include <stddef.h>

/* With the type of the member that keeps the value. */
enum option_kind {
    KIND_FLAG,    /* bool */
    KIND_ANY,     /* const char *, also empty */
    KIND_TEXT,    /* const char * */
    KIND_COMMAND, /* const char *: a command line */
    KIND_LIST,    /* const char *, comma separated; in the config file a list of strings */
    KIND_LIMITS,  /* const char *, comma separated; in the config file an object too */
    KIND_FILE,    /* const char * */
    KIND_CHOICE,  /* const char *, one of `choices` */
    KIND_INDEX,   /* int or an enum: the place among `choices` */
    KIND_SECONDS, /* double, from 0.001 to `max` */
    KIND_COUNT,   /* int, from `min` to `max` */
    KIND_PROCESS, /* pid_t */
    KIND_NUMBER,  /* double, from 0 on */
    KIND_MEMORY,  /* double: MiB; a bare number is in GiB */
    KIND_MANY,    /* struct many: each time one more */
    KIND_OWN,     /* what `set` makes of it */
};

/* The values of an option that may be given several times, in their order. */
enum { MOST_VALUES = 64 };
struct many {
    const char *value[MOST_VALUES];
    bool is_copy[MOST_VALUES]; /* options_free() frees it */
    int n;
};
/* One on each line.  free() it.  NULL: there are none, or no memory. */
char *many_lines(const struct many *many);

struct option_def {
    const char *name;     /* without dashes, one letter: it has no long form; NULL ends a table */
    const char *argument; /* its name in --help; NULL for a flag */
    const char *help;     /* NULL: hidden */
    const char *group;    /* its title in --help, or NULL */
    const char *key;      /* as the library and the Tracker name it, or NULL */
    const char *const *choices;   /* ended by NULL */
    const char *fallback;         /* the choice that is used if none is given, for --help */
    const char *needs, *excludes; /* the option that must, or must not, be given with it */
    double min, max;              /* max 0: none */
    size_t at;                    /* the member in the struct of values */
    /* 0, or -EINVAL with a reason that does not name the option. */
    int (*set)(void *values, const char *text, struct refusal *ret_why);
    enum option_kind kind;
    char letter;      /* short form, or 0 */
    bool in_config;   /* --tconfig has `key` too */
    bool is_file;     /* of a KIND_OWN or KIND_ANY: completed as one */
    bool is_optional; /* of a KIND_ANY: its argument may be missing, which is "" */
    bool is_last;     /* what follows it is not read: --help */
};

extern const char *const formats_text_json[]; /* in the order of enum gput_format */
extern const char *const gpu_brands[];
#define AT(type, member) .at = offsetof(type, member)
#define FORMAT_OPTION(type, member, text)                                                          \
    {                                                                                              \
        "format", "<format>", .letter = 'f', .kind = KIND_INDEX, AT(type, member),                 \
                              .choices = formats_text_json, .help = text                           \
    }

enum option_origin { FROM_NOWHERE, FROM_DEFAULTS, FROM_CONFIG, FROM_LINE };

enum { MOST_OPTIONS = 64 };

/* What was given: the first member of each struct of values.  Zero: nothing. */
struct given {
    const struct command *command;
    const struct option_def *options;
    const char *config; /* the file of --tconfig */
    enum option_origin origin[MOST_OPTIONS];
    const char *word[MOST_OPTIONS]; /* of the command line, that named the option */
    bool after_dashes;              /* "--" ended the options */
};

struct command {
    const char *name; /* "report", "sub-track mark"; "": gpu-tracker itself */
    /* argv[0] is the last word of its name; returns the exit status: 0, 1 failed, 2 usage. */
    int (*run)(const struct command *command, int argc, char **argv);
    const char *usage;                 /* its arguments */
    const char *help;                  /* one sentence that fits a line; NULL: hidden */
    const char *about;                 /* for its own --help; NULL: `help` says it all */
    const struct option_def *options;  /* NULL: it reads its words itself and has no --help */
    const struct command *subcommands; /* ended by a NULL name; NULL: none */
    const char *const *words;          /* one of these follows the options; NULL: files */
    bool words_end_options;            /* the first word that is no option ends them */
    char words_are;                    /* letter of the option that such words belong to, or 0 */
};

/* Sets the members of `given`'s struct.  Returns the place in argv of the first word that is no option
 * (the words are moved behind the options unless words_end_options, and are none if words_are is set),
 * or -EINVAL. */
int options_parse(const struct command *command, struct given *given, int argc, char **argv,
                  struct refusal *ret_why);

/* The same for a subcommand: says what is wrong and returns -1. */
int command_parse(const struct command *command, struct given *values, int argc, char **argv);
/* The same for one that has no words but options: 0 or -1. */
int command_parse_alone(const struct command *command, struct given *values, int argc, char **argv);

/* Runs a subcommand, or prints its --help. */
int command_run(const struct command *command, int argc, char **argv);

/* The entry of that last word in a table; NULL: there is none. */
const struct command *command_find(const struct command *table, const char *word);
const char *command_word(const struct command *command); /* the last of its name */

/* What somebody may have meant: the name of the table that differs least, or NULL. */
const char *command_near(const struct command *table, const char *word);

/* Sets one option from outside the command line; what that gave stays.  Text is copied. */
int option_set_text(struct given *given, int i, const char *text, struct refusal *ret_why);
int option_set_number(struct given *given, int i, double value, struct refusal *ret_why);
void option_set_flag(struct given *given, int i, bool value);
/* Frees these texts. */
void options_free(struct given *given);

/* The option as the user wrote it, or "FILE: ram_unit" of the config file. */
enum { LABEL_SIZE = 300 };
const char *option_label(const struct given *given, int i, char ret[LABEL_SIZE]);
const char *option_label_named(const struct given *given, const char *name, char ret[LABEL_SIZE]);

/* The option of that name or, of the library's or the Tracker's, key; -1: none. */
int option_by_name(const struct option_def *options, const char *name);
int option_by_key(const struct option_def *options, const char *key);

#endif
