/* fuzz_cconfig.c - the file of --cconfig. */
#include "sub_track/config.h"

#include "fuzz.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_memory_file file = fuzz_memory_file(data, size);
    enum gput_statistic statistic = GPUT_MEAN;
    struct refusal why = { "" };
    struct sessions s = { 0 };

    fuzz_must(sub_track_config(file.path, &s, &statistic, &why) < 0 ? why.text[0] : !why.text[0]);
    fuzz_must(statistic == GPUT_MIN || statistic == GPUT_MAX || statistic == GPUT_MEAN ||
              statistic == GPUT_STD);
    for (size_t i = 0; i < s.n; i++) {
        fuzz_must(s.list[i].name && s.list[i].file);
        for (size_t k = 0; k < i; k++)
            fuzz_must(strcmp(s.list[i].name, s.list[k].name) != 0);
    }
    sessions_free(&s);
    close(file.fd);
    return 0;
}
