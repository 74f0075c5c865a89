/* fuzz_analysis.c - records and marks that belong together, or not: their analysis, and its JSON read
 * again for comparison.
 *
 * A line "@@" stands between the tracking file and the sub-tracking file. */
#include <math.h>
#include <unistd.h>

#include "fuzz.h"
#include "memory_file.h"
#include "store/marks/results_file.h"

static void write_file(char *path, const char *text)
{
    int fd = mkstemps(path, 4);

    fuzz_must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static void check_blocks(const struct gput_analysis *a)
{
    size_t n = 0;
    const struct gput_block *blocks = gput_analysis_blocks(a, &n);

    for (size_t i = 0; i < n; i++) {
        const struct gput_block *b = &blocks[i];

        fuzz_must(i == 0 || strcmp(blocks[i - 1].name, b->name) < 0);
        fuzz_must(b->num_non_empty_calls <= b->num_calls && b->num_exact_calls <= b->num_calls);
        fuzz_must(b->num_calls == 0 || (b->compute_time.min <= b->compute_time.max));
        fuzz_must(!(b->wall_time < 0));
    }
}

/* What we write we read. */
static void read_again(const char *json)
{
    struct gput_error err = { .field = "" };
    struct gput__result res;
    struct fuzz_memory_file file = fuzz_memory_file((const uint8_t *)json, strlen(json));
    struct gput_json *v = NULL;
    int r = gput__result_read(&res, file.path, GPUT_MEAN, &err);

    fuzz_must(gput_json_read(file.path, &v, NULL) == 0 && (r == 0 || err.text[0]));
    gput_json_free(v);
    gput__result_free(&res);
    close(file.fd);
}

static void try(const char *records, const char *marks)
{
    struct gput_error err = { .field = "" };
    struct gput_analysis *a = NULL;
    char *text = NULL;

    if (gput_sub_analyze(records, marks, NULL, &a, &err) < 0) {
        fuzz_must(!a && err.text[0]);
        return;
    }
    check_blocks(a);
    fuzz_must(gput_analysis_format(a, GPUT_TEXT, 1, &text) == 0);
    free(text);
    fuzz_must(gput_analysis_format(a, GPUT_JSON, 1, &text) == 0);
    read_again(text);
    free(text);
    gput_analysis_close(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char records[] = "/dev/shm/gput-fuzz.XXXXXX.csv", marks[] = "/dev/shm/gput-fuzz.XXXXXX.csv";
    char *text = fuzz_text(data, size), *second = strstr(text, "@@\n");

    if (second)
        *second = '\0';
    write_file(records, text);
    write_file(marks, second ? second + 3 : "");
    try(records, marks);
    if (!second)
        try(NULL, records);
    unlink(records);
    unlink(marks);
    free(text);
    return 0;
}
