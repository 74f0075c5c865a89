/* test_sys_net.c - bytes of network interfaces, and which of them count. */
#include "source/machine/sys_net.h"

#include <string.h>

#include "fixture.h"
#include "shown.h"
#include "tap.h"

static void lines(void)
{
    static const char text[] =
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs "
        "drop fifo colls carrier compressed\n"
        "    lo:    9727      87    0    0    0     0          0         0     9728      87    0  "
        "  0    0     0       0          0\n"
        "  eth0:4045194526  141892    0    0    0     0          0         0  8904679  120879    0 "
        "   0    0     0       0          0\n"
        "eth0:1: 5 0 0 0 0 0 0 0 6 0 0 0 0 0 0 0\n";
    const char *p = text;
    struct gput__sys_net n;

    OK(gput__sys_net_next(&p, &n) && !strcmp(n.name, "lo") && n.received == 9727 && n.sent == 9728,
       "the heads are skipped");
    OK(gput__sys_net_next(&p, &n) && !strcmp(n.name, "eth0") && n.received == 4045194526 &&
           n.sent == 8904679,
       "old kernels leave no blank behind the colon");
    OK(gput__sys_net_next(&p, &n) && !strcmp(n.name, "eth0:1") && n.received == 5 && n.sent == 6,
       "an alias has a colon in its name");
    OK(!gput__sys_net_next(&p, &n), "and then there is no more");
}

static void no_line(const char *text)
{
    struct gput__sys_net n = { .received = 77 };
    const char *p = text;

    OK(!gput__sys_net_next(&p, &n) && n.received == 77 && *p == '\0', "<%s> is no interface",
       shown(text));
}

static const char routes[] =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    "eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
    "eth1\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
    "eth2\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n"
    "eth3\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0\n"
    "eth4\t00000000\t00000000\t0002\t0\t0\t0\t00000000\t0\t0\t0\n";

static void default_routes(void)
{
    OK(gput__sys_net_has_route(routes, "eth0"), "the default route");
    OK(!gput__sys_net_has_route(routes, "eth1"), "a route to some network is none");
    OK(!gput__sys_net_has_route(routes, "eth2"), "one that refuses is none");
    OK(!gput__sys_net_has_route(routes, "eth3"), "one to half of all addresses is none");
    OK(!gput__sys_net_has_route(routes, "eth4"), "one that is down is none");
    OK(!gput__sys_net_has_route(routes, "eth"), "a name is a whole word");
    OK(!gput__sys_net_has_route("", "eth0") && !gput__sys_net_has_route("eth0\t0000", "eth0") &&
           !gput__sys_net_has_route("eth0\t00000000\t0\t0003", "eth0"),
       "nor is a text that is cut");
}

static void write_interface(const struct fixture *f, const char *name, const char *type,
                            const char *index, const char *link)
{
    char path[64];

    snprintf(path, sizeof(path), "class/net/%s/type", name);
    fixture_write(f, path, type);
    snprintf(path, sizeof(path), "class/net/%s/ifindex", name);
    fixture_write(f, path, index);
    snprintf(path, sizeof(path), "class/net/%s/iflink", name);
    fixture_write(f, path, link);
}

static void facts(void)
{
    struct fixture f;

    fixture_begin(&f);
    write_interface(&f, "lo", "772\n", "1\n", "1\n");
    write_interface(&f, "other", "772\n", "9\n", "9\n");
    write_interface(&f, "eth0", "1\n", "2\n", "2\n");
    fixture_write(&f, "class/net/eth0/device/vendor", "0x1af4\n");
    write_interface(&f, "veth", "1\n", "3\n", "12\n");
    write_interface(&f, "eth0.7", "1\n", "4\n", "2\n");
    fixture_write(&f, "class/net/eth0.7/lower_eth0/type", "1\n");
    write_interface(&f, "tun0", "65534\n", "5\n", "5\n");
    write_interface(&f, "gre0", "778\n", "6\n", "0\n");
    OK(gput__sys_net_facts(&f.root, "lo") == GPUT__NET_IS_LOOPBACK &&
           gput__sys_net_facts(&f.root, "other") == GPUT__NET_IS_LOOPBACK,
       "loopback, by its type");
    OK(gput__sys_net_facts(&f.root, "eth0") == GPUT__NET_HAS_HARDWARE, "a card");
    OK(gput__sys_net_facts(&f.root, "veth") == GPUT__NET_LEADS_OUT, "a container's end of a cable");
    OK(gput__sys_net_facts(&f.root, "eth0.7") == 0, "a VLAN stands on a card that is here");
    OK(gput__sys_net_facts(&f.root, "tun0") == 0 && gput__sys_net_facts(&f.root, "gre0") == 0,
       "a tunnel is linked to nobody");
    OK(gput__sys_net_facts(&f.root, "gone") == 0,
       "nothing is known of one that /sys does not have");
    OK(gput__sys_net_facts(&GPUT__ROOT_NONE, "lo") == GPUT__NET_IS_LOOPBACK,
       "without /sys loopback is known by its name");
    fixture_end(&f);
}

/* One letter for each interface: l loopback, h hardware, o leads out, r has the default route, b
 * leads out and has it, - none of these; and the same with those that count in capitals. */
static void chosen(const char *interfaces, const char *want, const char *what)
{
    unsigned list[16] = { 0 };
    bool counts[16];
    char got[17] = "";
    size_t n = strlen(interfaces);

    for (size_t i = 0; i < n; i++)
        list[i] = interfaces[i] == 'l'   ? GPUT__NET_IS_LOOPBACK
                  : interfaces[i] == 'h' ? GPUT__NET_HAS_HARDWARE
                  : interfaces[i] == 'o' ? GPUT__NET_LEADS_OUT
                  : interfaces[i] == 'r' ? GPUT__NET_HAS_ROUTE
                  : interfaces[i] == 'b' ? GPUT__NET_LEADS_OUT | GPUT__NET_HAS_ROUTE
                                         : 0;
    gput__sys_net_choose(list, n, counts);
    for (size_t i = 0; i < n; i++)
        got[i] = counts[i] ? '*' : interfaces[i];
    OK(!strcmp(got, want), "%s: %s", what, got);
}

int main(void)
{
    lines();
    no_line("");
    no_line("eth0 1 2 3 4 5 6 7 8 9\n");
    no_line("eth0: 1 2 3 4 5 6 7 8\n9\n");
    no_line("eth0: x 2 3 4 5 6 7 8 9\n");
    no_line(": 1 2 3 4 5 6 7 8 9\n");
    no_line("a b: 1 2 3 4 5 6 7 8 9\n");
    no_line("a-name-too-long-for-it: 1 2 3 4 5 6 7 8 9\n");
    default_routes();
    facts();
    chosen("lhh", "l**", "a machine with two cards");
    chosen("lh-oo-", "l*-oo-", "with containers and bridges beside: their bytes pass the card");
    chosen("lhr", "l*r", "a tunnel with the default route sends through the card");
    chosen("lb", "l*", "a container");
    chosen("lbo-", "l*o-", "a container in which others run");
    chosen("lbh", "l**", "a container that was given a card besides");
    chosen("lr", "l*", "a container behind a program (slirp, pasta)");
    chosen("l--", "l**", "no way out is known: all but loopback");
    chosen("l", "l", "nothing but loopback");
    chosen("", "", "nothing at all");
    return DONE();
}
