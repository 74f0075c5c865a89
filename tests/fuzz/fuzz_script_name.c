/* fuzz_script_name.c - /proc/PID/cmdline, of which a script's name may be shown. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sample/commands/script.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const comms[] = {
        "python3", "java", "sh", "bash", "R", "perl", "node", "cc"
    };
    char *line = malloc(size + 1), name[48];

    fuzz_must(line != NULL);
    memcpy(line, data, size);
    for (size_t i = 0; i < sizeof(comms) / sizeof(*comms); i++) {
        size_t n = strlen(comms[i]);

        memset(name, 'x', sizeof(name));
        if (!gput__script_name(comms[i], line, size, name, sizeof(name)))
            continue;
        fuzz_must(memchr(name, '\0', sizeof(name)) && strncmp(name, comms[i], n) == 0);
        fuzz_must(name[n] == ' ' && name[n + 1] && !strpbrk(name + n + 1, " /:=@?&\"'$\n"));
    }
    free(line);
    return 0;
}
