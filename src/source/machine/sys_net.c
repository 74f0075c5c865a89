/* sys_net.c - /proc/net/dev and /sys/class/net: what went through the machine's network interfaces. */
#include "source/machine/sys_net.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text/scan.h"

/* The numbers of linux/if_arp.h and linux/route.h. */
#define TYPE_LOOPBACK 772
#define ROUTE_UP 0x1
#define ROUTE_REJECT 0x200

/* "  eth0: 1 2 3 ...", on old kernels without the blank.  The heads have no colon. */
static bool parse_line(const char *line, const char *end, struct gput__sys_net *ret)
{
    const char *colon = memrchr(line, ':', (size_t)(end - line)), *p;
    size_t len;

    if (!colon)
        return false;
    line += strspn(line, " \t");
    if (line >= colon)
        return false;
    len = (size_t)(colon - line);
    if (len >= sizeof(ret->name) || memchr(line, ' ', len))
        return false;
    p = colon + 1;
    if (gput__scan_u64(&p, &ret->received) < 0 || gput__scan_skip(&p, 7) < 0 ||
        gput__scan_u64(&p, &ret->sent) < 0)
        return false;
    memcpy(ret->name, line, len);
    ret->name[len] = '\0';
    return true;
}

bool gput__sys_net_next(const char **text, struct gput__sys_net *ret)
{
    struct gput__sys_net net;

    while (**text) {
        const char *line = *text, *end = strchrnul(line, '\n');

        *text = *end ? end + 1 : end;
        if (parse_line(line, end, &net)) {
            *ret = net;
            return true;
        }
    }
    return false;
}

/* --- which of them count -------------------------------------------------------------------- */

static bool read_number(int folder, const char *name, uint64_t *ret)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    char text[32];
    const char *p = text;
    ssize_t n;

    if (fd < 0)
        return false;
    n = gput__fd_read(fd, text, sizeof(text));
    close(fd);
    return n > 0 && gput__scan_u64(&p, ret) == 0;
}

/* The other end of a veth, or what a macvlan stands on, has a number of its own; who has none is
 * linked to itself.  A VLAN, a bond or a bridge has a link lower_NAME to each interface below it. */
static bool leads_out(int folder)
{
    uint64_t own, other;

    return read_number(folder, "ifindex", &own) && read_number(folder, "iflink", &other) &&
           other != 0 && other != own && !gput__folder_has(folder, ".", "lower_");
}

unsigned gput__sys_net_facts(const struct gput__root *sys, const char *name)
{
    unsigned facts = strcmp(name, "lo") ? 0 : GPUT__NET_IS_LOOPBACK;
    char path[16 + GPUT__NET_NAME];
    uint64_t type;
    int folder;

    snprintf(path, sizeof(path), "class/net/%s", name);
    folder = gput__root_open_file(sys, path);
    if (folder < 0) /* /sys may be of another namespace, or not be there */
        return facts;
    if (read_number(folder, "type", &type) && type == TYPE_LOOPBACK)
        facts |= GPUT__NET_IS_LOOPBACK;
    if (faccessat(folder, "device", F_OK, 0) == 0)
        facts |= GPUT__NET_HAS_HARDWARE;
    else if (leads_out(folder))
        facts |= GPUT__NET_LEADS_OUT;
    close(folder);
    return facts;
}

/* Iface, destination, gateway, flags, reference count, use, metric, mask ... */
static bool is_default_route(const char *p)
{
    uint64_t destination, flags, mask;
    bool known;

    p += strspn(p, " \t");
    if (gput__scan_hex_until(&p, '\t', &destination) < 0 || destination != 0 ||
        gput__scan_skip(&p, 1) < 0)
        return false;
    p += strspn(p, " \t");
    known = gput__scan_hex_until(&p, '\t', &flags) == 0 && gput__scan_skip(&p, 3) == 0;
    if (!known || !(flags & ROUTE_UP) || (flags & ROUTE_REJECT))
        return false;
    p += strspn(p, " \t");
    return gput__scan_hex_until(&p, '\t', &mask) == 0 && mask == 0;
}

bool gput__sys_net_has_route(const char *route_text, const char *name)
{
    size_t n = strlen(name);

    for (const char *line = route_text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, name, n) && line[n] == '\t' && is_default_route(line + n))
            return true;
    }
    return false;
}

static bool is_a_way_out(unsigned facts, unsigned all)
{
    if (facts & GPUT__NET_IS_LOOPBACK)
        return false;
    if (facts & GPUT__NET_HAS_HARDWARE)
        return true;
    return (facts & GPUT__NET_HAS_ROUTE) &&
           (!(all & GPUT__NET_HAS_HARDWARE) || (facts & GPUT__NET_LEADS_OUT));
}

void gput__sys_net_choose(const unsigned *facts, size_t n, bool *ret_counts)
{
    unsigned all = 0;
    bool any = false;

    for (size_t i = 0; i < n; i++)
        all |= facts[i];
    for (size_t i = 0; i < n; i++) {
        ret_counts[i] = is_a_way_out(facts[i], all);
        any |= ret_counts[i];
    }
    for (size_t i = 0; i < n && !any; i++)
        ret_counts[i] = !(facts[i] & GPUT__NET_IS_LOOPBACK);
}
