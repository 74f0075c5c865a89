/* fuzz_job.c - the processes of a job made of files: who belongs to it, and what they hold.
 *
 * Two moments: the files behind a line "@@" are put in the place of the first ones. */
#include "folder.h"
#include "fuzz.h"
#include "sample/sampler.h"

#define S INT64_C(1000000000)
#define TRACKER 99
#define MAIN 100

static void check(const struct gput__sample *s)
{
    for (enum gput__metric i = 0; i < GPUT__N_METRICS; i++)
        fuzz_must(!gput__sample_has(s, i) || s->value[i] >= 0);
    fuzz_must(!gput__sample_has(s, GPUT__N_PROCESSES) || s->value[GPUT__N_PROCESSES] < 10000);
}

static void watch(const char *path, int folder, const char *second)
{
    struct gput__sample sample = { 0 };
    struct gput__sampler s;

    if (gput__sampler_open(&s, path, path) == 0) {
        s.wants_job = true;
        if (gput__sampler_begin(&s, MAIN, TRACKER, false, S) == 0) {
            gput__sampler_poll(&s, 2 * S, &sample);
            check(&sample);
            if (second)
                fuzz_folder_replace(folder, second);
            gput__sampler_record(&s, 3 * S, 3 * S, &sample);
            check(&sample);
            gput__sampler_last_scan(&s, 4 * S, &sample);
            check(&sample);
        }
        gput__sampler_close(&s);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *second = strstr(text, "\n@@\n");
    struct fuzz_folder f;

    if (second) {
        *second = '\0';
        second += 4;
    }
    fuzz_folder_begin(&f, text);
    watch(f.path, f.root.fd, second);
    fuzz_folder_end(&f);
    free(text);
    return 0;
}
