/* fuzz_sys_net.c - /proc/net/dev and /proc/net/route. */
#include "fuzz.h"
#include "source/machine/sys_net.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    const char *p = text;
    struct gput__sys_net net;
    size_t n = 0;

    while (gput__sys_net_next(&p, &net)) {
        n++;
        fuzz_must(strlen(net.name) > 0 && !strchr(net.name, ' ') && !strchr(net.name, '\n'));
        (void)gput__sys_net_has_route(text, net.name);
    }
    fuzz_must(*p == '\0' && n <= size / 18);
    if (gput__sys_net_has_route(text, "eth0"))
        fuzz_must(strstr(text, "eth0\t") != NULL);
    free(text);
    return 0;
}
