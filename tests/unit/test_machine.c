/* test_machine.c - the whole machine over two moments, against figures worked out by hand.
 *
 * usage: test_machine FOLDER      with the machines of tests/fixtures/machine */
#include "sample/machine/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "sample/sampler.h"
#include "tap.h"

/* --- a machine made of files ---------------------------------------------------------------- */

static char *spaces;     /* what statvfs answers now */
static unsigned n_wrong; /* questions that nobody should put */

static int tell(const char *path, struct statvfs *ret)
{
    for (char *line = spaces; line && *line; line = strchrnul(line, '\n')) {
        unsigned long long size, blocks, nfree, avail;
        int at = 0;
        size_t n;

        line += *line == '\n';
        if (sscanf(line, "%llu %llu %llu %llu %n", &size, &blocks, &nfree, &avail, &at) != 4)
            break;
        n = strlen(path);
        if (strncmp(line + at, path, n) || line[(size_t)at + n] != '\n')
            continue;
        *ret = (struct statvfs){
            .f_frsize = size, .f_blocks = blocks, .f_bfree = nfree, .f_bavail = avail
        };
        return 0;
    }
    n_wrong++;
    errno = ENOENT;
    return -1;
}

struct dump {
    const char *folder, *name;
    struct gput__root proc, sys;
};

static void enter(struct dump *d, int moment)
{
    static char text[4096];
    struct gput__root top;
    char path[500];

    gput__root_close(&d->proc);
    gput__root_close(&d->sys);
    snprintf(path, sizeof(path), "%s/%s/%d/proc", d->folder, d->name, moment);
    fixture_need(gput__root_open(path, NULL, &d->proc) == 0, path);
    snprintf(path, sizeof(path), "%s/%s/%d/sys", d->folder, d->name, moment);
    fixture_need(gput__root_open(path, NULL, &d->sys) == 0, path);
    snprintf(path, sizeof(path), "%s/%s/%d", d->folder, d->name, moment);
    fixture_need(gput__root_open(path, NULL, &top) == 0, path);
    fixture_need(gput__root_read(&top, "statvfs", text, sizeof(text)) > 0, "statvfs");
    gput__root_close(&top);
    spaces = text;
}

static bool is(const struct gput__sample *s, enum gput__metric m, double value)
{
    if (gput__sample_has(s, m) && s->value[m] == value)
        return true;
    printf("# %s: %.17g, not %.17g%s\n", gput__metrics[m].name, s->value[m], value,
           gput__sample_has(s, m) ? "" : " (not known)");
    return false;
}

static bool gained(const struct gput__sample *a, const struct gput__sample *b, enum gput__metric m,
                   double value)
{
    double gain = gput__sample_gain(a, b, m);

    if (gain > value - 1e-9 && gain < value + 1e-9)
        return true;
    printf("# %s: %.17g more, not %.17g\n", gput__metrics[m].name, gain, value);
    return false;
}

/* --- a server ------------------------------------------------------------------------------- */

static void levels_of_server(const struct gput__sample *s)
{
    OK(is(&s[0], GPUT__SYSTEM_N_PROCESSES, 3) && is(&s[1], GPUT__SYSTEM_N_PROCESSES, 4),
       "server: processes");
    OK(is(&s[1], GPUT__SYSTEM_RAM, 8000000 * 1024.0) &&
           is(&s[1], GPUT__SYSTEM_FREE_RAM, 900000 * 1024.0) &&
           is(&s[1], GPUT__SYSTEM_BUFFERS_RAM, 200000 * 1024.0) &&
           is(&s[1], GPUT__SYSTEM_CACHED_RAM, 7350000 * 1024.0) &&
           is(&s[1], GPUT__SYSTEM_ACTIVE_RAM, 4000000 * 1024.0) &&
           is(&s[1], GPUT__SYSTEM_INACTIVE_RAM, 3000000 * 1024.0),
       "server: memory");
    /* / 4096000 (used 2457600, free 1433600), /boot/efi 1024000 (256000, 768000), /data 20480000
     * (8192000, 12288000), btrfs 8192000 (2048000, 5734400), the pool 3100 KiB used and 8000 KiB
     * free, the upper /mnt/over 409600 (204800, 163840), "/mnt/with blank" 10240 (0, 10240) */
    OK(is(&s[0], GPUT__DISK_SPACE_TOTAL, 45578240) && is(&s[0], GPUT__DISK_SPACE_USED, 16332800) &&
           is(&s[0], GPUT__DISK_SPACE_FREE, 28590080),
       "server: disk space");
    OK(is(&s[1], GPUT__DISK_SPACE_TOTAL, 45578240) &&
           is(&s[1], GPUT__DISK_SPACE_USED, 16332800 + 100 * 4096) &&
           is(&s[1], GPUT__DISK_SPACE_FREE, 28590080 - 100 * 4096),
       "server: disk space later");
    OK(n_wrong == 0, "server: no other mount was asked, the network's least of all");
}

static void counters_of_server(const struct gput__sample *s)
{
    OK(gained(&s[0], &s[1], GPUT__SYSTEM_CPU, 2.10) &&
           gained(&s[0], &s[1], GPUT__SYSTEM_USER_CPU, 1.60) &&
           gained(&s[0], &s[1], GPUT__SYSTEM_KERNEL_CPU, 0.40),
       "server: CPU time; that of guests is in user");
    OK(is(&s[0], GPUT__DISK_READ, 0) && is(&s[0], GPUT__NET_SENT, 0),
       "server: counters begin at nothing");
    /* nvme0n1 500, sda 2000, sdb 100, sdc 100, sr0 8, nvme1n1 10, a path of nvme2n1 10 */
    OK(gained(&s[0], &s[1], GPUT__DISK_READ, 2728 * 512.0), "server: read");
    /* 4000, 100, 100, 100, 0, 20, 10 */
    OK(gained(&s[0], &s[1], GPUT__DISK_WRITE, 4330 * 512.0), "server: written");
    /* eth0 500000, eth1 30000 since it began anew, eth2 7; and 50000, 10000, 3 */
    OK(gained(&s[0], &s[1], GPUT__NET_RECEIVED, 530007) &&
           gained(&s[0], &s[1], GPUT__NET_SENT, 60003),
       "server: received and sent");
}

static void details_of_server(struct gput__machine *m)
{
    static const char disks[] = "nvme0n1 sda sdb sdc sr0 nvme1n1 nvme2n1 nvme2c0n1 ";
    static const char volumes[] = "/ /boot/efi /data /home tank /mnt/over /mnt/with blank ";
    struct gput__machine_details d;
    char names[2][200] = { "", "" };
    uint64_t total = 0;

    if (!OK(gput__machine_describe(m, 0, &d) == 0, "server: described"))
        return;
    for (size_t i = 0; i < d.n_disks; i++)
        strcat(strcat(names[0], d.disks[i].name), " ");
    for (size_t i = 0; i < d.n_volumes; i++) {
        strcat(strcat(names[1], d.volumes[i].name), " ");
        total += d.volumes[i].space.total;
    }
    OK(!strcmp(names[0], disks), "server: its disks are %s", names[0]);
    OK(d.n_disks > 1 && d.disks[1].read == 3000 * 512 && d.disks[1].written == 5100 * 512,
       "server: a disk tells what it did since it is there");
    OK(!strcmp(names[1], volumes), "server: its volumes are %s", names[1]);
    OK(total == 45578240 && d.n_volumes > 4 && d.volumes[4].is_pool &&
           d.volumes[4].space.used == 3100 * 1024 && d.volumes[4].space.free == 8000 * 1024,
       "server: together they are all there is, and the pool is one");
    gput__machine_details_free(&d);
}

static void server(const char *folder)
{
    struct dump d = { folder, "server", GPUT__ROOT_NONE, GPUT__ROOT_NONE };
    struct gput__sample s[2] = { 0 };
    struct gput__machine m;

    n_wrong = 0;
    gput__machine_open(&m, &d.proc, &d.sys, tell);
    for (int i = 0; i < 2; i++) {
        enter(&d, i);
        gput__machine_read(&m, &s[i]);
    }
    levels_of_server(s);
    counters_of_server(s);
    OK(!m.disks.unsteady && m.nets.unsteady && !gput__machine_left_out(&m),
       "server: the disks were steady, an interface was not, nothing is left out");
    details_of_server(&m);
    gput__machine_close(&m);
    gput__root_close(&d.proc);
    gput__root_close(&d.sys);
}

/* --- others --------------------------------------------------------------------------------- */

static void container(const char *folder)
{
    struct dump d = { folder, "container", GPUT__ROOT_NONE, GPUT__ROOT_NONE };
    struct gput__machine_details details;
    struct gput__sample s[2] = { 0 };
    struct gput__machine m;

    n_wrong = 0;
    gput__machine_open(&m, &d.proc, &d.sys, tell);
    for (int i = 0; i < 2; i++) {
        enter(&d, i);
        gput__machine_read(&m, &s[i]);
    }
    OK(gained(&s[0], &s[1], GPUT__DISK_READ, 512) && gained(&s[0], &s[1], GPUT__DISK_WRITE, 0),
       "container: the disks are the host's");
    OK(gained(&s[0], &s[1], GPUT__NET_RECEIVED, 700) && gained(&s[0], &s[1], GPUT__NET_SENT, 80),
       "container: what went through the interface that leads out");
    OK(is(&s[1], GPUT__DISK_SPACE_TOTAL, 102000 * 4096.0) &&
           is(&s[1], GPUT__DISK_SPACE_USED, 61500 * 4096.0) &&
           is(&s[1], GPUT__DISK_SPACE_FREE, 35500 * 4096.0) && n_wrong == 0,
       "container: its overlay is on a disk that is bound into it, and counts once");
    OK(gput__machine_describe(&m, 0, &details) == 0 && details.n_volumes == 2 &&
           !strcmp(details.volumes[0].name, "/") && !strcmp(details.volumes[1].name, "/data"),
       "container: that disk is called /");
    gput__machine_details_free(&details);
    gput__machine_close(&m);
    gput__root_close(&d.proc);
    gput__root_close(&d.sys);
}

static void nothing_to_read(void)
{
    struct gput__machine_details details;
    struct gput__metric_set only_processes = { { 0 } };
    struct gput__sample s = { 0 };
    struct gput__machine m;
    struct fixture f;

    fixture_begin(&f);
    gput__machine_open(&m, &f.root, &f.root, tell);
    gput__machine_read(&m, &s);
    gput__metric_set_add(&only_processes, GPUT__SYSTEM_N_PROCESSES);
    OK(!memcmp(&s.known, &only_processes, sizeof(s.known)) &&
           s.value[GPUT__SYSTEM_N_PROCESSES] == 0,
       "an empty folder: unknown is not zero");
    fixture_write(&f, "diskstats", "8 0 sda 1 0 7 0 2 0 8 0 0 0 0\n");
    gput__machine_read(&m, &s);
    OK(!gput__sample_has(&s, GPUT__DISK_READ) && !m.knows_disks,
       "without /sys/block nobody knows which of them are disks");
    OK(gput__machine_describe(&m, 0, &details) == 0 && details.n_disks == 0 &&
           details.n_volumes == 0,
       "nothing to describe");
    gput__machine_details_free(&details);
    gput__machine_close(&m);
    fixture_end(&f);
}

/* A disk is plugged in, is used and is taken away again, while another stays. */
static void disk_comes_and_goes(void)
{
    static const char *const moments[] = {
        "8 0 sda 1 0 100 0 2 0 100 0 0 0 0\n",
        "8 0 sda 1 0 101 0 2 0 100 0 0 0 0\n8 16 sdb 1 0 9000 0 2 0 9000 0 0 0 0\n",
        "8 0 sda 1 0 102 0 2 0 100 0 0 0 0\n8 16 sdb 1 0 9010 0 2 0 9020 0 0 0 0\n",
        "8 0 sda 1 0 103 0 2 0 100 0 0 0 0\n",
        "8 0 sda 1 0 104 0 2 0 101 0 0 0 0\n",
    };
    static const double read[] = { 0, 1, 12, 13, 14 }, written[] = { 0, 0, 20, 20, 21 };
    struct gput__sample s = { 0 };
    struct gput__machine m;
    struct fixture f;
    int right = 0;

    fixture_begin(&f);
    fixture_write(&f, "block/sda/size", "1\n");
    fixture_write(&f, "block/sdb/size", "1\n");
    gput__machine_open(&m, &f.root, &f.root, tell);
    for (size_t i = 0; i < 5; i++) {
        fixture_write(&f, "diskstats", moments[i]);
        gput__machine_read(&m, &s);
        right +=
            is(&s, GPUT__DISK_READ, read[i] * 512) && is(&s, GPUT__DISK_WRITE, written[i] * 512);
    }
    OK(right == 5, "a disk that comes counts from its first sight, and what it did stays");
    OK(m.disks.unsteady, "and this is known");
    gput__machine_close(&m);
    fixture_end(&f);
}

/* Longer than any buffer, as on a machine with many disks. */
static void many_disks(void)
{
    struct gput__buf text = GPUT__BUF_INIT;
    struct gput__sample s = { 0 };
    struct gput__machine m;
    struct fixture f;
    char path[64];

    fixture_begin(&f);
    gput__machine_open(&m, &f.root, &f.root, tell);
    for (unsigned round = 0; round < 2; round++) {
        gput__buf_clear(&text);
        for (unsigned i = 0; i < 500; i++) {
            snprintf(path, sizeof(path), "block/xvd%u/size", i);
            if (round == 0)
                fixture_write(&f, path, "1\n");
            gput__buf_printf(&text, "202 %u xvd%u 1 0 %u 0 2 0 100 0 0 0 0 0 0 0 0 0 0\n", i, i,
                             100 + round);
        }
        fixture_write(&f, "diskstats", gput__buf_text(&text));
        gput__machine_read(&m, &s);
    }
    OK(is(&s, GPUT__DISK_READ, 500 * 512), "500 disks are all read");
    gput__buf_free(&text);
    gput__machine_close(&m);
    fixture_end(&f);
}

/* --- this machine --------------------------------------------------------------------------- */

static void this_machine(void)
{
    struct gput__sampler s;
    struct gput__sample first = { 0 }, later = { 0 }, plain = { 0 };

    fixture_need(gput__sampler_open(&s, NULL, NULL) == 0, "sampler");
    gput__sampler_system(&s, &plain);
    OK(gput__sample_has(&plain, GPUT__SYSTEM_RAM) &&
           !gput__sample_has(&plain, GPUT__SYSTEM_N_PROCESSES) &&
           !gput__sample_has(&plain, GPUT__DISK_READ) &&
           !gput__sample_has(&plain, GPUT__NET_SENT) && s.machine.n_reads == 0,
       "who does not ask for the machine does not get it read");
    gput__sampler_want_machine(&s);
    gput__sampler_system(&s, &first);
    gput__machine_finish(&s.machine);
    for (int i = 0; i < 100; i++)
        gput__sampler_system(&s, &later);
    OK(gput__sample_has(&later, GPUT__SYSTEM_RAM) && gput__sample_has(&later, GPUT__SYSTEM_CPU) &&
           later.value[GPUT__SYSTEM_N_PROCESSES] > 0 && s.machine.n_reads == 101,
       "who asks gets it with the rest");
    OK(later.value[GPUT__SYSTEM_CPU] >= first.value[GPUT__SYSTEM_CPU] &&
           later.value[GPUT__SYSTEM_USER_CPU] + later.value[GPUT__SYSTEM_KERNEL_CPU] <=
               later.value[GPUT__SYSTEM_CPU] * (1 + 1e-12),
       "user and kernel time are parts of the whole");
    OK(later.value[GPUT__DISK_READ] >= 0 && later.value[GPUT__NET_SENT] >= 0 &&
           later.value[GPUT__DISK_SPACE_USED] <= later.value[GPUT__DISK_SPACE_TOTAL],
       "bytes never fall, and no more space is used than there is");
    gput__sampler_close(&s);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "tests/fixtures/machine";

    server(folder);
    container(folder);
    nothing_to_read();
    disk_comes_and_goes();
    many_disks();
    this_machine();
    return DONE();
}
