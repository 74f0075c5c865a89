/* fuzz_sys_disk.c - /proc/diskstats. */
#include "fuzz.h"
#include "source/machine/sys_disk.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), name[GPUT__DISK_NAME];
    const char *p = text;
    struct gput__sys_disk disk;
    size_t n = 0;

    while (gput__sys_disk_next(&p, &disk)) {
        n++;
        fuzz_must(strlen(disk.name) > 0 && disk.read % 512 == 0 && disk.written % 512 == 0);
        gput__sys_disk_of_path(disk.name, name);
        fuzz_must(strlen(name) > 0 && strlen(name) <= strlen(disk.name));
    }
    fuzz_must(*p == '\0' && n <= size / 20); /* a line has eleven words */
    free(text);
    return 0;
}
