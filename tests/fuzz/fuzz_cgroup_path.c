/* fuzz_cgroup_path.c - /proc/PID/cgroup. */
#include "fuzz.h"
#include "source/cgroup/cgroup.h"
#include "text.h"

static void try(const char *text, size_t size, const char *controller)
{
    size_t len = SIZE_MAX;
    const char *path = gput__cgroup_path(text, controller, &len);

    if (!path) {
        fuzz_must(len == SIZE_MAX);
        return;
    }
    fuzz_must(path > text && path <= text + size && len <= (size_t)(text + size - path));
    fuzz_must(path[-1] == ':' && !memchr(path, '\n', len));
    fuzz_must(path[len] == '\n' || path[len] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    try(text, size, "");
    try(text, size, "memory");
    try(text, size, "cpu");
    free(text);
    return 0;
}
