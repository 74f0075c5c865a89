/* test_cli_options.c - the command line. */
#include "options/options.h"

#include <errno.h>
#include <string.h>

#include "tap.h"

enum { MAX_WORDS = 16 };

static const struct command run_command = { .name = "",
                                            .options = run_options,
                                            .words_end_options = true };

/* A line of words with blanks between, parsed; the words live on in a static buffer. */
static int parse(const char *line, struct options *ret, struct refusal *ret_why)
{
    static char text[500], *argv[MAX_WORDS];
    int argc = 0, n;

    snprintf(text, sizeof(text), "gpu-tracker %s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    *ret = (struct options){ .tconfig = NULL };
    n = options_parse(&run_command, &ret->given, argc, argv, ret_why);
    if (n < 0)
        return n;
    ret->words = argv + n;
    ret->n_words = argc - n;
    return 0;
}

static void refused(const char *line, const char *part)
{
    struct options o;
    struct refusal why = { "" };
    int r = parse(line, &o, &why);

    OK(r == -EINVAL && strstr(why.text, part) && !strchr(why.text, '\n'), "%s: %s", line, why.text);
}

static void forms_of_an_option(void)
{
    struct options o;
    struct refusal why;

    OK(parse("-e ls -o out --st=0.5 --nec 4 --ru=bytes --full", &o, &why) == 0, "a line parses");
    OK(strcmp(o.execute, "ls") == 0 && strcmp(o.output, "out") == 0, "text is taken");
    OK(o.sleep_time == 0.5 && o.n_expected_cores == 4 && o.full, "numbers and flags are");
    OK(o.given.origin[OPT_ST] == FROM_LINE && o.given.origin[OPT_TU] == FROM_NOWHERE,
       "it knows what was given");
    OK(o.n_words == 0 && !o.words[0], "nothing is left");
    OK(parse("--exec=ls -oout --wait --disable", &o, &why) == 0 && o.wait_descendants &&
           o.disable_logs && strcmp(o.execute, "ls") == 0 && strcmp(o.output, "out") == 0,
       "long options may be cut, short ones joined");
    OK(parse("--st 1 --st 2 ls", &o, &why) == 0 && o.sleep_time == 2, "the last one counts");
    OK(parse("--st 1e-3 --timeout .5 ls", &o, &why) == 0 && o.sleep_time == 0.001 &&
           o.timeout == 0.5,
       "numbers in all their forms");
    OK(o.format == GPUT_TEXT, "text by default");
    OK(parse("-fjson ls", &o, &why) == 0 && o.format == GPUT_JSON, "JSON on request");
}

static void where_options_end(void)
{
    struct options o;
    struct refusal why;

    OK(parse("--full ls -l --ru=x", &o, &why) == 0 && o.n_words == 3 && !o.given.after_dashes &&
           strcmp(o.words[1], "-l") == 0,
       "at the first word that is none");
    OK(parse("-- ls -l", &o, &why) == 0 && o.n_words == 2 && o.given.after_dashes, "at --");
    OK(parse("--full -- completions", &o, &why) == 0 && o.given.after_dashes,
       "at -- after options");
    OK(parse("-o -- ls", &o, &why) == -EINVAL && strstr(why.text, "'-o' needs an argument: <file>"),
       "-- is no argument: it was forgotten");
    OK(parse("--output=-- ls", &o, &why) == 0 && !o.given.after_dashes &&
           strcmp(o.output, "--") == 0,
       "unless somebody insists");
    OK(parse("ls -- x", &o, &why) == 0 && o.n_words == 3 && !o.given.after_dashes,
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
    refused("--t", "ambiguous: --timeout, --tag, --tu, --tf, --tf-columns, --tconfig");
    refused("-o", "'-o' needs an argument");
    refused("--out", "'--out' needs an argument");
    refused("--st", "'--st' needs an argument");
    refused("--full=1", "'--full' takes no argument");
    refused("-e a -e b", "-e: it is given twice");
    refused("--ru=foo",
            "--ru: 'foo' is not one of: auto, B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, bytes");
    refused("--gru=gb", "--gru: 'gb' is not one of: auto, B");
    refused("--tu=m", "--tu: 'm' is not one of: auto, s, min, h, d, seconds, minutes, hours, days");
    refused("--gb=x", "--gb: 'x' is not one of: nvidia, amd, intel");
    refused("--tf-columns=some", "--tf-columns: 'some' is not one of: default, all");
    refused("-f xml", "-f: 'xml' is not one of: text, json");
    refused("-fxml", "-f: 'xml'");
    refused("--form xml", "--form: 'xml'");
    refused("--format=xml", "--format: 'xml'");
    refused("-f pickle", "json holds the same");
    refused("-f JSON", "-f: 'JSON'");
    refused("--output=", "--output: the value is empty");
}

static void misspelt(void)
{
    refused("--ouptut=x", "unknown option '--ouptut'; did you mean '--output'?");
    refused("--fromat=x", "did you mean '--format'?");
    refused("--formatt=x", "did you mean '--format'?");
    refused("--overwrit-e", "did you mean '--overwrite'?");
    refused("--xyzzy", "unknown option '--xyzzy' (see gpu-tracker --help)");
    refused("--no-wotch", "unknown option '--no-wotch' (see");
    refused("--zz", "unknown option '--zz' (see");
}

/* Of a subcommand: its own kinds of values, and options that go together or do not. */
struct values {
    struct given given;
    bool is_server, is_text;
    int limit, width;
    double memory, price;
    pid_t pid;
};

static const struct option_def options[] = {
    { "server", NULL, "", AT(struct values, is_server), .excludes = "text" },
    { "text", NULL, "", AT(struct values, is_text) },
    { "limit", "<n>", "", .kind = KIND_COUNT, AT(struct values, limit), .needs = "server" },
    { "width", "<n>", "", .letter = 'w', .kind = KIND_COUNT, .min = 40, .max = 1000,
      AT(struct values, width) },
    { "memory", "<n>", "", .kind = KIND_MEMORY, AT(struct values, memory) },
    { "price", "<n>", "", .kind = KIND_NUMBER, AT(struct values, price) },
    { "pid", "<n>", "", .kind = KIND_PROCESS, AT(struct values, pid) },
    { .name = NULL },
};

static int parse_values(struct values *v, struct refusal *why, const char *a, const char *b)
{
    static const struct command command = { .name = "some command", .options = options };
    char *argv[] = { (char *)"command", (char *)a, (char *)b, NULL };

    *v = (struct values){ .limit = 7 };
    why->text[0] = '\0';
    return options_parse(&command, &v->given, b ? 3 : 2, argv, why);
}

static void of_a_subcommand(void)
{
    static const char *const wrong[][3] = {
        { "--limit=3", NULL, "--limit goes with --server" },
        { "--text", "--server", "--text and --server do not go together" },
        { "-w39", NULL, "-w: '39' is not a whole number from 40 to 1000" },
        { "--width", "1001", "--width: '1001' is not a whole number from 40 to 1000" },
        { "--memory=16XiB", NULL, "--memory: '16XiB' is not an amount of memory" },
        { "--memory=", NULL, "--memory: '' is not an amount of memory" },
        { "--price=-1", NULL, "--price: '-1' is not a number from 0 on" },
        { "--pid=x", NULL, "--pid: 'x' is not the number of a process" },
        { "--servre", NULL, "did you mean '--server'? (see gpu-tracker some command --help)" },
    };
    struct refusal why;
    struct values v;

    OK(parse_values(&v, &why, "word", "--memory=512MiB") == 2 && v.memory == 512 && v.limit == 7,
       "words stand behind the options; what was not given stays");
    OK(parse_values(&v, &why, "--memory=16", "--price=.5") == 3 && v.memory == 16384 &&
           v.price == 0.5,
       "amounts");
    OK(parse_values(&v, &why, "--server", "--limit=0") == 3 && v.is_server && v.limit == 0,
       "a pair that goes together");
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        OK(parse_values(&v, &why, wrong[i][0], wrong[i][1]) == -EINVAL &&
               strstr(why.text, wrong[i][2]),
           "%s: %s", wrong[i][0], why.text);
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
        const struct option_def *def = &run_options[i];

        faults += !def->name || (def->kind == KIND_FLAG) != !def->argument;
        faults += (def->kind == KIND_CHOICE || def->kind == KIND_INDEX) != (def->choices != NULL);
        faults += def->in_config && !def->key;
        faults += (def->kind == KIND_SECONDS) != (def->max > 0);
        faults += def->key && option_by_key(run_options, def->key) != i;
    }
    OK(faults == 0, "each line of the table is complete");
    OK(option_by_key(run_options, "ram_unit") == OPT_RU && option_by_key(run_options, "") == -1,
       "options are found by key");
}

int main(void)
{
    forms_of_an_option();
    where_options_end();
    faults_are_told();
    misspelt();
    of_a_subcommand();
    numbers_are_strict();
    the_table_is_whole();
    return DONE();
}
