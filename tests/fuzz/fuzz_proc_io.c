/* fuzz_proc_io.c - /proc/PID/io. */
#include "fuzz.h"
#include "source/proc/proc_io.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct gput__proc_io io = { 77, 78 };

    if (gput__proc_io_parse(text, &io) < 0)
        fuzz_must(io.read_bytes == 77 && io.write_bytes == 78);
    else
        fuzz_must(strstr(text, "read_bytes:") && strstr(text, "write_bytes:"));
    free(text);
    return 0;
}
