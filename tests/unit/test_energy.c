/* test_energy.c - energy of processors, below a /sys that the test writes. */
#include "sample/machine/energy.h"

#include <errno.h>
#include <math.h>

#include "fixture.h"
#include "tap.h"

#define SECOND INT64_C(1000000000)

static struct fixture f;
static struct gput__energy energy;

static void write_zone(const char *folder, const char *name, const char *uj, const char *range)
{
    char path[200];

    snprintf(path, sizeof(path), "class/powercap/%s/name", folder);
    fixture_write(&f, path, name);
    snprintf(path, sizeof(path), "class/powercap/%s/energy_uj", folder);
    fixture_write(&f, path, uj);
    snprintf(path, sizeof(path), "class/powercap/%s/max_energy_range_uj", folder);
    fixture_write(&f, path, range);
}

/* At second `s`, after so many CPU seconds of the whole machine. */
static struct gput__sample read_at(double s, double busy)
{
    struct gput__sample sample = { 0 };

    gput__sample_set(&sample, GPUT__SYSTEM_CPU, busy);
    gput__energy_read(&energy, &f.root, (int64_t)(s * 1e9), &sample);
    return sample;
}

static bool is(const struct gput__sample *s, double joules)
{
    if (gput__sample_has(s, GPUT__SYSTEM_CPU_ENERGY) &&
        fabs(s->value[GPUT__SYSTEM_CPU_ENERGY] - joules) < 1e-6)
        return true;
    printf("# %g J, not %g\n", s->value[GPUT__SYSTEM_CPU_ENERGY], joules);
    return false;
}

static void which_zones_count(void)
{
    OK(gput__powercap_counts("intel-rapl:0", "package-0") &&
           gput__powercap_counts("intel-rapl:1", "package-1-die-0"),
       "packages");
    OK(gput__powercap_counts("intel-rapl:0:1", "dram"), "memory that is not in them");
    OK(!gput__powercap_counts("intel-rapl:0:0", "core") &&
           !gput__powercap_counts("intel-rapl:0:2", "uncore"),
       "parts of packages do not");
    OK(!gput__powercap_counts("intel-rapl:2", "psys"), "nor what has packages in it");
    OK(!gput__powercap_counts("intel-rapl-mmio:0", "package-0"), "nor packages seen another way");
    OK(!gput__powercap_counts("dtpm:0", "package-0") && !gput__powercap_counts("", ""),
       "nor others");
}

/* Two packages, one with memory; a counter that begins anew at 262143328850. */
static void a_machine(void)
{
    struct gput__sample s;

    fixture_begin(&f);
    gput__energy_begin(&energy, 4);
    write_zone("intel-rapl:0", "package-0\n", "262143000000\n", "262143328850\n");
    write_zone("intel-rapl:0:0", "core\n", "1000000\n", "262143328850\n");
    write_zone("intel-rapl:0:1", "dram\n", "5000000\n", "65712999613\n");
    write_zone("intel-rapl:1", "package-1\n", "70000000\n", "262143328850\n");
    write_zone("intel-rapl:2", "psys\n", "900000000\n", "262143328850\n");
    write_zone("intel-rapl-mmio:0", "package-0\n", "262143000000\n", "262143328850\n");
    s = read_at(0, 0);
    OK(is(&s, 0), "it counts from the first read");
    OK(energy.found.n == 3, "three zones count");
    write_zone("intel-rapl:0", "package-0\n", "9671150\n", "262143328850\n");
    write_zone("intel-rapl:0:0", "core\n", "99000000\n", "262143328850\n");
    write_zone("intel-rapl:0:1", "dram\n", "7000000\n", "65712999613\n");
    write_zone("intel-rapl:1", "package-1\n", "90000000\n", "262143328850\n");
    s = read_at(1, 4);
    OK(is(&s, 0.32885 + 9.67115 + 2 + 20), "a counter that began anew, memory, the other package");
    OK(energy.idle_watts < 0, "all cores were busy: what it takes at rest was not seen");
    write_zone("intel-rapl:1", "package-1\n", "98000000\n", "262143328850\n");
    (void)read_at(2, 4.1);
    OK(fabs(energy.idle_watts - 8) < 1e-9, "next to nobody ran: 8 W");
    write_zone("intel-rapl:1", "package-1\n", "198000000\n", "262143328850\n");
    s = read_at(3, 4.1);
    OK(fabs(energy.idle_watts - 8) < 1e-9 && is(&s, 140), "the least such counts");
    OK(!energy.is_doubtful, "no counter went around unseen");
    (void)read_at(300, 100);
    OK(energy.is_doubtful, "within five minutes memory at 1000 W may have");
    gput__energy_close(&energy);
    fixture_end(&f);
}

static void none(void)
{
    struct gput__sample s;

    fixture_begin(&f);
    gput__energy_begin(&energy, 4);
    s = read_at(0, 0);
    OK(!gput__sample_has(&s, GPUT__SYSTEM_CPU_ENERGY), "a machine without counters: not known");
    OK(strstr(gput__energy_why(&energy), "RAPL") != NULL, "and why");
    gput__energy_close(&energy);
    gput__energy_begin(&energy, 4);
    write_zone("intel-rapl:0", "package-0\n", "x\n", "9\n");
    s = read_at(0, 0);
    OK(!gput__sample_has(&s, GPUT__SYSTEM_CPU_ENERGY), "no number: not known");
    gput__energy_close(&energy);
    gput__energy_begin(&energy, 4);
    energy.found.is_denied = energy.is_open = true;
    s = read_at(0, 0);
    OK(!gput__sample_has(&s, GPUT__SYSTEM_CPU_ENERGY) &&
           strstr(gput__energy_why(&energy), "only root") != NULL,
       "counters that may not be read");
    gput__energy_close(&energy);
    fixture_end(&f);
}

int main(void)
{
    which_zones_count();
    a_machine();
    none();
    return DONE();
}
