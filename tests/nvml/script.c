/* script.c - reads the stand-in's script, see script.h. */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_WORDS 8
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *const keys[] = {
    "total",    "reserved",  "used",    "util",      "power",    "temp",      "clock",
    "memclock", "throttle",  "energy",  "handle",    "uuid",     "pci",       "list",
    "compute",  "graphics",  "mps",     "mig_mode",  "memutil",  "gpm",       "engine",
    "sm",       "occupancy", "tensor",  "tensor64",  "tensor16", "tensorint", "dram",
    "fp64",     "fp32",      "fp16",    "pcietx",    "pcierx",   "nvlinkrx",  "nvlinktx",
    "powercap", "thermal",   "pcieraw", "ecc",       "eccbad",   "remapped",  "xid",
    "limit",    "maxclock",  "pciegen", "pciewidth",
};

static _Noreturn void wrong(const char *line)
{
    fprintf(stderr, "stand-in for NVML: wrong line in the script: %s\n", line);
    exit(99);
}

static int key_index(const char *key)
{
    for (size_t i = 0; i < COUNT(keys); i++)
        if (!strcmp(keys[i], key))
            return (int)i;
    return -1;
}

static struct number number_of(const char *word)
{
    struct number n = { 0 };
    char *end;

    if (!strcmp(word, "na")) {
        n.is_na = true;
        n.v = UINT64_MAX;
        return n;
    }
    if (*word == '!')
        n.code = (int)strtol(word + 1, &end, 10);
    else
        n.v = strtoull(word, &end, 0);
    if (*end)
        wrong(word);
    return n;
}

static struct when when_of(const char *word)
{
    struct when w = { 0 };
    char *end;
    double v = strtod(word, &end);

    if (!strcmp(end, "s"))
        w.seconds = v;
    else if (!*end)
        w.call = (unsigned)v;
    else
        wrong(word);
    return w;
}

static void take_process(struct gput__nvml_device *d, char **words, unsigned n)
{
    static const char *const lists[] = { "compute", "graphics", "mps" };
    struct process p = { .to = { .seconds = 1e9, .call = 1u << 30 } };

    if (n < 4 || d->n_processes == COUNT(d->processes))
        wrong("process");
    for (p.list = 0; p.list < 3 && strcmp(words[1], lists[p.list]) != 0;)
        p.list++;
    if (p.list == 3)
        wrong(words[1]);
    p.pid = words[2];
    p.memory = number_of(words[3]);
    if (n > 4)
        p.from = when_of(words[4]);
    if (n > 5)
        p.to = when_of(words[5]);
    d->processes[d->n_processes++] = p;
}

static void take_value(struct gput__nvml_device *d, char **words, unsigned n)
{
    struct value *v = &d->values[d->n_values];

    if (n < 2 || n > 3 || d->n_values == COUNT(d->values) || key_index(words[0]) < 0)
        wrong(words[0]);
    *v = (struct value){ .key = words[0], .number = number_of(words[1]) };
    if (n == 3)
        v->from = when_of(words[2]);
    d->n_values++;
}

static void take_entry(struct gput__nvml_device *d, char **words, unsigned n)
{
    bool is_user = !strcmp(words[0], "user");
    struct entry e = { 0 };

    if (n != (is_user ? 4u : 3u))
        wrong(words[0]);
    if (is_user)
        e.pid = words[1];
    e.time_us = number_of(words[n - 2]).v;
    e.number = number_of(words[n - 1]);
    if (is_user ? d->n_users == COUNT(d->users) : d->n_samples == COUNT(d->samples))
        wrong("too many entries");
    if (is_user)
        d->users[d->n_users++] = e;
    else
        d->samples[d->n_samples++] = e;
}

static struct rule *add_rule(struct script *s, const char *function)
{
    if (s->n_rules == COUNT(s->rules))
        wrong("too many rules");
    s->rules[s->n_rules] = (struct rule){ .function = function, .from = 1, .to = ~0u };
    return &s->rules[s->n_rules++];
}

static void take_rule(struct script *s, char **words, unsigned n)
{
    struct rule *r;
    unsigned v;

    if (n < 3)
        wrong(words[0]);
    r = add_rule(s, words[1]);
    v = (unsigned)number_of(words[2]).v;
    if (!strcmp(words[0], "fail"))
        r->code = (int)v;
    else
        r->ms = v;
    if (n > 3)
        r->from = (unsigned)number_of(words[3]).v;
    if (n > 4)
        r->to = (unsigned)number_of(words[4]).v;
}

static struct gput__nvml_device *add_device(struct script *s, const char *uuid, const char *name)
{
    if (s->n_devices == COUNT(s->devices))
        wrong("too many devices");
    s->devices[s->n_devices] =
        (struct gput__nvml_device){ .uuid = uuid, .name = name, .sample_type = GPUT__NVML_UINT };
    return &s->devices[s->n_devices++];
}

/* The whole GPU that an instance now being read belongs to. */
static struct gput__nvml_device *whole(struct script *s)
{
    for (unsigned i = s->n_devices; i-- > 0;)
        if (!s->devices[i].is_mig)
            return &s->devices[i];
    wrong("an instance of no GPU");
}

static void take_device(struct script *s, const char *kind, char **words, unsigned n)
{
    bool is_gpu = !strcmp(kind, "gpu"), is_gap = !strcmp(kind, "gap");
    struct gput__nvml_device *d;

    if (n < (is_gap ? 1u : 3u))
        wrong(kind);
    if (!is_gpu)
        whole(s)->has_instances = true;
    d = add_device(s, is_gap ? "" : words[1], is_gap ? "" : words[2]);
    d->is_mig = !is_gpu;
    d->is_gap = is_gap;
}

static void take_line(struct script *s, char **words, unsigned n)
{
    struct gput__nvml_device *d = s->n_devices ? &s->devices[s->n_devices - 1] : NULL;
    const char *what = words[0];

    if (!strcmp(what, "gpu") || !strcmp(what, "mig") || !strcmp(what, "gap"))
        take_device(s, what, words, n);
    else if (!strcmp(what, "fail") || !strcmp(what, "delay"))
        take_rule(s, words, n);
    else if (!strcmp(what, "init") && n == 2)
        add_rule(s, "nvmlInit")->code = (int)number_of(words[1]).v;
    else if (!strcmp(what, "clear"))
        s->clears = true;
    else if (!d)
        wrong(what);
    else if (!strcmp(what, "process"))
        take_process(d, words, n);
    else if (!strcmp(what, "sample") || !strcmp(what, "user"))
        take_entry(d, words, n);
    else if (!strcmp(what, "ring") && n == 2)
        d->ring_ms = (unsigned)number_of(words[1]).v;
    else if (!strcmp(what, "type") && n == 2)
        d->sample_type = (int)number_of(words[1]).v;
    else
        take_value(d, words, n);
}

/* The name of a device, its third word, goes to the end of the line. */
static void split_line(struct script *s, char *line)
{
    bool is_named = !strncmp(line + strspn(line, " \t"), "gpu ", 4) ||
                    !strncmp(line + strspn(line, " \t"), "mig ", 4);
    char *words[MAX_WORDS], *save = NULL;
    unsigned n = 0;

    for (char *w = strtok_r(line, " \t", &save); w && n < MAX_WORDS;) {
        words[n++] = w;
        w = strtok_r(NULL, is_named && n == 2 ? "\n" : " \t", &save);
    }
    if (n > 0 && words[0][0] != '#')
        take_line(s, words, n);
}

static char *whole_file(const char *path)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    size_t cap = 1 << 18;
    char *text = malloc(cap);

    if (!file || !text)
        wrong("GPUT_NVML_SCRIPT names no file");
    text[fread(text, 1, cap - 1, file)] = '\0';
    fclose(file);
    return text;
}

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void script_read(struct script *s)
{
    char *save = NULL;

    memset(s, 0, sizeof(*s));
    s->start = now(CLOCK_MONOTONIC);
    s->start_real_us = (uint64_t)(now(CLOCK_REALTIME) * 1e6);
    s->text = whole_file(getenv("GPUT_NVML_SCRIPT"));
    for (char *line = strtok_r(s->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        split_line(s, line);
}

void script_free(struct script *s)
{
    free(s->text);
    s->text = NULL;
}

double script_seconds(const struct script *s)
{
    return now(CLOCK_MONOTONIC) - s->start;
}

unsigned script_call(struct gput__nvml_device *d, const char *key)
{
    return ++d->calls[key_index(key)];
}

bool script_has_come(const struct when *w, unsigned call, double seconds)
{
    return seconds >= w->seconds && call >= w->call;
}

const struct number *script_value(const struct gput__nvml_device *d, const char *key, unsigned call,
                                  double seconds)
{
    const struct number *found = NULL;

    for (unsigned i = 0; i < d->n_values; i++)
        if (!strcmp(d->values[i].key, key) && script_has_come(&d->values[i].from, call, seconds))
            found = &d->values[i].number;
    return found;
}

/* "nvmlInit" is any version of it. */
static bool names(const char *rule, const char *function)
{
    size_t n = strlen(rule);

    return !strncmp(rule, function, n) && (!function[n] || !strncmp(function + n, "_v", 2));
}

int script_rules(struct script *s, const char *function)
{
    int code = 0;

    for (unsigned i = 0; i < s->n_rules; i++) {
        struct rule *r = &s->rules[i];

        if (!names(r->function, function))
            continue;
        r->seen++;
        if (r->seen < r->from || r->seen > r->to)
            continue;
        if (r->ms)
            nanosleep(&(struct timespec){ r->ms / 1000, (long)(r->ms % 1000) * 1000000 }, NULL);
        if (r->code)
            code = r->code;
    }
    return code;
}

uint32_t script_pid(const char *text)
{
    char number[32] = "";
    FILE *file;

    if (*text == '$') {
        const char *v = getenv(text + 1);

        return v ? (uint32_t)strtoul(v, NULL, 10) : 0;
    }
    if (*text != '@')
        return (uint32_t)strtoul(text, NULL, 10);
    file = fopen(text + 1, "r");
    if (!file)
        return 0;
    if (!fgets(number, sizeof(number), file))
        number[0] = '\0';
    fclose(file);
    return (uint32_t)strtoul(number, NULL, 10);
}
