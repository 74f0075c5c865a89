/* machine.c - the whole machine, on request: processes, memory, CPU, disks, network. */
#include "sample/machine/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "source/machine/sys_disk.h"
#include "source/machine/sys_memory.h"
#include "source/machine/sys_net.h"
#include "source/machine/sys_processes.h"
#include "source/stalls/sys_vmstat.h"

/* Folders of /proc that are no process come and go with modules of the kernel, seldom enough. */
#define READS_TO_TRUST_LINKS 64
/* Of a disk or an interface: a short name and up to twenty numbers. */
#define LONGEST_LINE 512
/* File systems answer within microseconds, those that hang never. */
#define LAST_ANSWER_NS (GPUT__NS_PER_S / 50)

void gput__machine_open(struct gput__machine *m, const struct gput__root *proc,
                        const struct gput__root *sys, gput__statvfs *ask)
{
    *m = (struct gput__machine){
        .proc = proc,
        .sys = sys,
        .fd_meminfo = -1,
        .fd_diskstats = -1,
        .fd_net = -1,
        .swapped = { .fd = -1, .was_used = true, .page = (double)sysconf(_SC_PAGESIZE) }
    };
    gput__cores_open(&m->cores);
    gput__space_open(&m->space, proc, ask);
    gput__pressure_open(&m->pressure);
}

void gput__machine_close(struct gput__machine *m)
{
    const int fds[] = { m->fd_meminfo, m->fd_diskstats, m->fd_net, m->swapped.fd };

    for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
        if (fds[i] >= 0)
            close(fds[i]);
    gput__space_close(&m->space);
    gput__pressure_close(&m->pressure);
    gput__cores_close(&m->cores);
    gput__energy_close(&m->energy);
    gput__devices_free(&m->disks);
    gput__devices_free(&m->nets);
    gput__buf_free(&m->text);
}

void gput__machine_want_waiting(struct gput__machine *m, unsigned n_cores)
{
    gput__energy_begin(&m->energy, n_cores);
    m->wants_waiting = true;
    gput__cores_want_each(&m->cores);
}

/* --- levels --------------------------------------------------------------------------------- */

static void read_memory(struct gput__machine *m, struct gput__sample *ret)
{
    struct gput__sys_memory memory;
    char text[4096];

    if (gput__root_reread(m->proc, "meminfo", &m->fd_meminfo, text, sizeof(text)) <= 0 ||
        gput__sys_memory_parse(text, &memory) < 0)
        return;
    m->swapped.was_used = !m->is_swap_unused || m->n_reads == 0;
    m->is_swap_unused = memory.swap_total == memory.swap_free;
    gput__sample_set(ret, GPUT__SYSTEM_RAM, (double)(memory.total - memory.available));
    if (!memory.has_parts)
        return;
    gput__sample_set(ret, GPUT__SYSTEM_FREE_RAM, (double)memory.free);
    gput__sample_set(ret, GPUT__SYSTEM_BUFFERS_RAM, (double)memory.buffers);
    gput__sample_set(ret, GPUT__SYSTEM_CACHED_RAM, (double)memory.cached);
    gput__sample_set(ret, GPUT__SYSTEM_ACTIVE_RAM, (double)memory.active);
    gput__sample_set(ret, GPUT__SYSTEM_INACTIVE_RAM, (double)memory.inactive);
}

/* Of a machine that keeps nothing in swap, and kept nothing there before, nothing moved. */
static void read_swap(struct gput__machine *m, struct gput__sample *ret)
{
    struct gput__sys_vmstat v;
    char text[GPUT__VMSTAT_SIZE];

    if (!m->is_swap_unused || m->swapped.was_used) {
        if (gput__root_reread(m->proc, "vmstat", &m->swapped.fd, text, sizeof(text)) <= 0)
            return;
        gput__sys_vmstat_parse(text, &v);
        m->swapped.is_known = v.has_swap;
        m->swapped.in = (double)v.swapped_in * m->swapped.page;
        m->swapped.out = (double)v.swapped_out * m->swapped.page;
    }
    if (!m->swapped.is_known)
        return;
    gput__sample_set(ret, GPUT__SYSTEM_SWAPPED_IN, m->swapped.in);
    gput__sample_set(ret, GPUT__SYSTEM_SWAPPED_OUT, m->swapped.out);
}

static void list_processes(struct gput__machine *m, struct gput__sample *ret)
{
    struct gput__sys_processes processes;

    m->proc_links = 0;
    if (gput__sys_processes_list(m->proc, &processes) < 0)
        return;
    if (m->proc->live && gput__sys_processes_are_links(&processes))
        m->proc_links = processes.links - processes.n;
    gput__sample_set(ret, GPUT__SYSTEM_N_PROCESSES, (double)processes.n);
}

static void count_processes(struct gput__machine *m, struct gput__sample *ret)
{
    uint64_t links;

    if (m->proc_links && m->n_reads % READS_TO_TRUST_LINKS &&
        gput__sys_processes_links(m->proc, &links) == 0 && links > m->proc_links)
        gput__sample_set(ret, GPUT__SYSTEM_N_PROCESSES, (double)(links - m->proc_links));
    else
        list_processes(m, ret);
}

static void read_space(struct gput__machine *m, struct gput__sample *ret)
{
    gput__space_read(&m->space);
    if (!m->space.is_known)
        return;
    gput__sample_set(ret, GPUT__DISK_SPACE_TOTAL, (double)m->space.sum.total);
    gput__sample_set(ret, GPUT__DISK_SPACE_USED, (double)m->space.sum.used);
    gput__sample_set(ret, GPUT__DISK_SPACE_FREE, (double)m->space.sum.free);
}

/* --- counters ------------------------------------------------------------------------------- */

/* A path counts where the kernel counts nothing for the disk itself (before Linux 6.0). */
static void judge_path(const struct gput__devices *disks, struct gput__device *path)
{
    const struct gput__device *disk;
    char name[GPUT__DISK_NAME];

    gput__sys_disk_of_path(path->name, name);
    disk = gput__devices_find(disks, name);
    path->counts = !disk || (disk->now[GPUT__BYTES_IN] == 0 && disk->now[GPUT__BYTES_OUT] == 0);
}

static void read_disks(struct gput__machine *m, struct gput__sample *ret)
{
    struct gput__sys_disk disk;
    const char *p;

    /* Without /sys/block none of them is known to be a disk. */
    if ((!m->knows_disks && !gput__sys_disks_are_told(m->sys)) ||
        gput__root_reread_whole(m->proc, "diskstats", &m->fd_diskstats, LONGEST_LINE, &m->text) < 0)
        return;
    m->knows_disks = true;
    gput__devices_begin(&m->disks);
    for (p = m->text.data; gput__sys_disk_next(&p, &disk);) {
        struct gput__device *d = gput__devices_see(&m->disks, disk.name, disk.read, disk.written);

        if (!d || !d->is_new)
            continue;
        d->facts = gput__sys_disk_kind(m->sys, d->name);
        d->counts = d->facts == GPUT__DISK_WHOLE;
    }
    gput__devices_seen(&m->disks);
    for (size_t i = 0; i < m->disks.n; i++)
        if (m->disks.list[i].facts == GPUT__DISK_PATH)
            judge_path(&m->disks, &m->disks.list[i]);
    gput__devices_end(&m->disks);
    gput__sample_set(ret, GPUT__DISK_READ, (double)m->disks.total[GPUT__BYTES_IN]);
    gput__sample_set(ret, GPUT__DISK_WRITE, (double)m->disks.total[GPUT__BYTES_OUT]);
}

/* Which devices count depends on which others there are. */
static void judge_interfaces(struct gput__machine *m)
{
    struct gput__devices *nets = &m->nets;
    unsigned *facts = calloc(nets->n + 1, sizeof(*facts));
    bool *counts = calloc(nets->n + 1, sizeof(*counts));
    struct gput__buf routes = GPUT__BUF_INIT;
    int fd = -1;

    (void)gput__root_reread_whole(m->proc, "net/route", &fd, 0, &routes);
    if (fd >= 0)
        close(fd);
    if (facts && counts) {
        for (size_t i = 0; i < nets->n; i++) {
            facts[i] = gput__sys_net_facts(m->sys, nets->list[i].name);
            if (gput__sys_net_has_route(gput__buf_text(&routes), nets->list[i].name))
                facts[i] |= GPUT__NET_HAS_ROUTE;
        }
        gput__sys_net_choose(facts, nets->n, counts);
        for (size_t i = 0; i < nets->n; i++) {
            nets->list[i].facts = facts[i];
            nets->list[i].counts = counts[i];
        }
    }
    free(facts);
    free(counts);
    gput__buf_free(&routes);
}

static void read_network(struct gput__machine *m, struct gput__sample *ret)
{
    struct gput__sys_net net;
    const char *p;

    if (gput__root_reread_whole(m->proc, "net/dev", &m->fd_net, LONGEST_LINE, &m->text) < 0)
        return;
    m->knows_nets = true;
    gput__devices_begin(&m->nets);
    for (p = m->text.data; gput__sys_net_next(&p, &net);)
        (void)gput__devices_see(&m->nets, net.name, net.received, net.sent);
    gput__devices_seen(&m->nets);
    if (m->nets.changed)
        judge_interfaces(m);
    gput__devices_end(&m->nets);
    gput__sample_set(ret, GPUT__NET_RECEIVED, (double)m->nets.total[GPUT__BYTES_IN]);
    gput__sample_set(ret, GPUT__NET_SENT, (double)m->nets.total[GPUT__BYTES_OUT]);
}

/* --- all of it ------------------------------------------------------------------------------ */

void gput__machine_read_traffic(struct gput__machine *m, struct gput__sample *ret)
{
    read_disks(m, ret);
    read_network(m, ret);
}

void gput__machine_read(struct gput__machine *m, struct gput__sample *ret)
{
    read_space(m, ret); /* first: a round that it starts ends while the rest is read */
    gput__cores_read(&m->cores, m->proc, ret);
    read_memory(m, ret);
    count_processes(m, ret);
    gput__machine_read_traffic(m, ret);
    if (m->wants_waiting) {
        gput__pressure_read(&m->pressure, m->proc, ret);
        read_swap(m, ret);
        gput__energy_read(&m->energy, m->sys, gput__now(), ret);
    }
    m->n_reads++;
}

void gput__machine_finish(struct gput__machine *m)
{
    (void)gput__space_wait(&m->space, LAST_ANSWER_NS);
}

const char *gput__machine_left_out(const struct gput__machine *m)
{
    return m->space.why[0] ? m->space.why : NULL;
}

int gput__machine_describe(struct gput__machine *m, int64_t timeout_ns,
                           struct gput__machine_details *ret)
{
    struct gput__machine_details details = { 0 };

    details.disks = calloc(m->disks.n + 1, sizeof(*details.disks));
    if (!details.disks)
        return -ENOMEM;
    for (size_t i = 0; i < m->disks.n; i++) {
        const struct gput__device *d = &m->disks.list[i];
        struct gput__disk_bytes *disk = &details.disks[details.n_disks];

        if (!d->counts)
            continue;
        memcpy(disk->name, d->name, sizeof(disk->name));
        disk->read = d->now[GPUT__BYTES_IN];
        disk->written = d->now[GPUT__BYTES_OUT];
        details.n_disks++;
    }
    (void)gput__space_wait(&m->space, timeout_ns);
    details.volumes = gput__space_volumes(&m->space, &details.n_volumes);
    *ret = details;
    return 0;
}

void gput__machine_details_free(struct gput__machine_details *d)
{
    free(d->disks);
    free(d->volumes);
    *d = (struct gput__machine_details){ 0 };
}
