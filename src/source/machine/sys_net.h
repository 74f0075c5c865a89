/* sys_net.h - /proc/net/dev and /sys/class/net: what went through the machine's network interfaces. */
#ifndef GPUT_SOURCE_SYS_NET_H
#define GPUT_SOURCE_SYS_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"

#define GPUT__NET_NAME 16 /* as long as the kernel's own are, the NUL included */

/* A line of /proc/net/dev. */
struct gput__sys_net {
    char name[GPUT__NET_NAME];
    uint64_t received, sent; /* bytes since the interface is there */
};

/* The next line that is one, and *text behind it; false: there is none any more. */
bool gput__sys_net_next(const char **text, struct gput__sys_net *ret);

/* What is known of an interface, bit by bit. */
enum gput__net_fact {
    GPUT__NET_IS_LOOPBACK = 1 << 0,
    GPUT__NET_HAS_HARDWARE = 1 << 1,
    GPUT__NET_LEADS_OUT = 1 << 2, /* into another network namespace: a container's end of a veth */
    GPUT__NET_HAS_ROUTE = 1 << 3, /* the default one */
};

/* All of these but the route. */
unsigned gput__sys_net_facts(const struct gput__root *sys, const char *name);
/* Whether the default route of /proc/net/route leads through it. */
bool gput__sys_net_has_route(const char *route_text, const char *name);

/* Which of n interfaces count, so that no byte counts twice: those with hardware, and those that a
 * default route leads through, but beside hardware only if they lead out of here.  If none is such,
 * all but loopback. */
void gput__sys_net_choose(const unsigned *facts, size_t n, bool *ret_counts);

#endif
