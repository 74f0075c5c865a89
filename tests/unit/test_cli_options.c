/* test_cli_options.c - the command line. */
#include "options.h"

#include <errno.h>
#include <string.h>

#include "tap.h"

enum { MAX_WORDS = 16 };

/* A line of words with blanks between, parsed; the words live on in a static buffer. */
static int parse(const char *line, struct options *ret, struct refusal *ret_why)
{
    static char text[500], *argv[MAX_WORDS];
    int argc = 0;

    snprintf(text, sizeof(text), "gpu-tracker %s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    return options_parse(ret, argc, argv, ret_why);
}

static void refused(const char *line, const char *part)
{
    struct options o = { .n_words = 99 };
    struct refusal why = { "" };
    int r = parse(line, &o, &why);

    OK(r == -EINVAL && strstr(why.text, part) && !strchr(why.text, '\n') && o.n_words == 99,
       "%s: %s", line, why.text);
}

static void forms_of_an_option(void)
{
    struct options o;
    struct refusal why;

    OK(parse("-e ls -o out --st=0.5 --nec 4 --ru=bytes --full", &o, &why) == 0, "a line parses");
    OK(strcmp(o.execute, "ls") == 0 && strcmp(o.output, "out") == 0, "text is taken");
    OK(o.sleep_time == 0.5 && o.n_expected_cores == 4 && o.full, "numbers and flags are");
    OK(o.origin[OPT_ST] == FROM_LINE && o.origin[OPT_TU] == FROM_NOWHERE,
       "it knows what was given");
    OK(o.n_words == 0 && !o.words[0], "nothing is left");
    OK(parse("--exec=ls -oout --wait --disable", &o, &why) == 0 && o.wait_descendants &&
           o.disable_logs && strcmp(o.execute, "ls") == 0 && strcmp(o.output, "out") == 0,
       "long options may be cut, short ones joined");
    OK(parse("--st 1 --st 2 ls", &o, &why) == 0 && o.sleep_time == 2, "the last one counts");
    OK(parse("--st 1e-3 --timeout .5 ls", &o, &why) == 0 && o.sleep_time == 0.001 &&
           o.timeout == 0.5,
       "numbers in all their forms");
    OK(option_format(&o) == GPUT_TEXT, "text by default");
    OK(parse("-fjson ls", &o, &why) == 0 && option_format(&o) == GPUT_JSON, "JSON on request");
}

static void where_options_end(void)
{
    struct options o;
    struct refusal why;

    OK(parse("--full ls -l --ru=x", &o, &why) == 0 && o.n_words == 3 && !o.after_dashes &&
           strcmp(o.words[1], "-l") == 0,
       "at the first word that is none");
    OK(parse("-- ls -l", &o, &why) == 0 && o.n_words == 2 && o.after_dashes, "at --");
    OK(parse("--full -- completions", &o, &why) == 0 && o.after_dashes, "at -- after options");
    OK(parse("-o -- ls", &o, &why) == -EINVAL && strstr(why.text, "'--output' needs an argument"),
       "-- is no argument: it was forgotten");
    OK(parse("--output=-- ls", &o, &why) == 0 && !o.after_dashes && strcmp(o.output, "--") == 0,
       "unless somebody insists");
    OK(parse("ls -- x", &o, &why) == 0 && o.n_words == 3 && !o.after_dashes,
       "a later -- is the command's");
    OK(parse("- x", &o, &why) == 0 && o.n_words == 2, "- is a word");
    OK(parse("-h --foo", &o, &why) == 0 && o.help, "-h wins over what follows");
    OK(parse("--version -x", &o, &why) == 0 && o.version, "so does --version");
}

static void faults_are_told(void)
{
    refused("--foo", "unknown option '--foo'");
    refused("--foo=3", "unknown option '--foo'");
    refused("-x", "unknown option '-x'");
    refused("--t", "ambiguous: --timeout, --tu, --tf, --tf-columns, --tconfig");
    refused("-o", "'--output' needs an argument");
    refused("--st", "'--st' needs an argument");
    refused("--full=1", "'--full' takes no argument");
    refused("-e a -e b", "--execute is given twice");
    refused("--ru=foo", "--ru: 'foo' is not one of: bytes, kilobytes, megabytes, gigabytes, terab");
    refused("--gru=GB", "--gru: 'GB' is not one of: bytes");
    refused("--tu=s", "--tu: 's' is not one of: seconds, minutes, hours, days");
    refused("--gb=x", "--gb: 'x' is not one of: nvidia, amd, intel");
    refused("--tf-columns=some", "--tf-columns: 'some' is not one of: default, all");
    refused("-f xml", "--format: 'xml' is not one of: text, json");
    refused("-f pickle", "json holds the same");
    refused("-f JSON", "--format: 'JSON'");
    refused("--output=", "--output: the value is empty");
}

static void numbers_are_strict(void)
{
    static const char *const seconds[] = { "",    "0",   "-1",    "nan", "inf", "abc",    "1x",
                                           "0x1", "1,5", "1e999", "1e",  "-",   "0.0009", "1e10" };
    static const char *const counts[] = { "", "0", "-1", "+1", "abc", "1.0", "1e3", "2147483648" };
    char line[60], part[60];

    for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
        snprintf(line, sizeof(line), "--st=%s", seconds[i]);
        snprintf(part, sizeof(part), "--st: '%s' is not a number of seconds", seconds[i]);
        refused(line, part);
    }
    refused("--timeout=0", "--timeout: '0'");
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        snprintf(line, sizeof(line), "--nec=%s", counts[i]);
        snprintf(part, sizeof(part), "--nec: '%s' is not a whole number", counts[i]);
        refused(line, part);
    }
    refused("--pid=0", "--pid: '0'");
}

static void the_table_is_whole(void)
{
    int faults = 0;

    for (int i = 0; i < N_OPTIONS; i++) {
        const struct option_def *def = option_def((enum option_id)i);

        faults += !def->name || (def->kind == KIND_FLAG) != !def->argument;
        faults += (def->kind == KIND_CHOICE) != (def->choices != NULL);
        faults += def->in_config && !def->key;
        faults += (def->kind == KIND_SECONDS) != (def->max > 0);
        faults += def->key && option_by_key(def->key) != i;
    }
    OK(faults == 0, "each line of the table is complete");
    OK(option_by_key("ram_unit") == OPT_RU && option_by_key("") == -1, "options are found by key");
}

int main(void)
{
    forms_of_an_option();
    where_options_end();
    faults_are_told();
    numbers_are_strict();
    the_table_is_whole();
    return DONE();
}
