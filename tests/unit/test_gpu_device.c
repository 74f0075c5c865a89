/* test_gpu_device.c - one GPU: what is kept of what its driver has told. */
#include "sample/gpu/gpu_device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tap.h"

#define SECOND GPUT__NS_PER_S

static bool add_used(struct gput__gpu_device *d, uint64_t used)
{
    return gput__gpu_device_add(
        d, &(struct gput__gpu_reading){ .known = GPUT__GPU_MEMORY, .memory_used = used }, SECOND);
}

static void memory(void)
{
    struct gput__gpu_device d = { .is_lost = false };

    OK(add_used(&d, 5) && d.memory.is_known && d.memory.first == 5, "the first level is news");
    OK(!add_used(&d, 5) && add_used(&d, 9) && add_used(&d, 7), "so is every other one");
    OK(d.memory.used == 7 && d.memory.max == 9 && d.memory.first == 5,
       "now, at most, at the start");
    OK(!gput__gpu_device_add(&d, &(struct gput__gpu_reading){ .known = 0 }, SECOND) &&
           d.memory.used == 7 && d.sensors.read_ns == 0,
       "a reading of nothing changes nothing");
    gput__gpu_device_restart(&d);
    OK(add_used(&d, 7) && d.memory.first == 7 && d.memory.max == 7,
       "a job that starts begins anew");
}

static void sensors(void)
{
    struct gput__gpu_reading r = { .known = GPUT__GPU_POWER | GPUT__GPU_TEMPERATURE,
                                   .power_watts = 100,
                                   .temperature_c = 60 };
    struct gput__gpu_device d = { .is_lost = false };

    (void)gput__gpu_device_add(&d, &r, 10 * SECOND);
    OK(d.sensors.has_power && d.sensors.power_s == 0 && !d.sensors.has_clocks,
       "the first power is of no time yet");
    r.power_watts = 50;
    r.temperature_c = 40;
    (void)gput__gpu_device_add(&d, &r, 14 * SECOND);
    OK(d.sensors.power_ws == 200 && d.sensors.power_s == 4 && d.sensors.max_power == 100 &&
           d.sensors.max_temperature == 60,
       "a later one is of the time since");
    r = (struct gput__gpu_reading){ .known = GPUT__GPU_THROTTLE, .is_throttled = true };
    strcpy(r.throttle, "heat");
    (void)gput__gpu_device_add(&d, &r, 15 * SECOND);
    r = (struct gput__gpu_reading){ .known = GPUT__GPU_THROTTLE };
    (void)gput__gpu_device_add(&d, &r, 16 * SECOND);
    OK(d.sensors.was_throttled && !strcmp(d.sensors.throttle, "heat"),
       "that it was slowed down stays");
}

static void utilization(void)
{
    static const struct gput__gpu_step history[] = { { 2000, 100 } };
    struct gput__gpu_device d = { .is_lost = false };
    struct gput__gpu_busy busy = { 0 };
    int64_t at = 1000;

    if (gput__gpu_busy_open(&busy, 1, at) < 0)
        return;
    while (gput__gpu_device_add_percent(&d, ++at, 50))
        ;
    OK(at == 1065 && d.utilization.n_waiting == 64 && d.utilization.percent == 50,
       "readings wait for a history as long as there is room");
    gput__gpu_device_add_history(&d, NULL, 0, &busy, 0);
    OK(busy.lanes[0].newest_us == 1064 && d.utilization.n_waiting == 0 &&
           !d.utilization.has_history,
       "where there is none they take its place");
    (void)gput__gpu_device_add_percent(&d, 1500, 20);
    gput__gpu_device_add_history(&d, history, 1, &busy, 0);
    OK(busy.lanes[0].newest_us == 2000 && busy.lanes[0].n == 65 && d.utilization.has_history,
       "where there is one they are dropped");
    OK(gput__gpu_device_add_percent(&d, 2500, 30) && d.utilization.n_waiting == 0 &&
           d.utilization.percent == 30,
       "and no longer kept");
    gput__gpu_device_add_history(&d, NULL, 0, &busy, 0);
    OK(!d.utilization.has_history && d.utilization.had_history, "until it tells nothing any more");
    gput__gpu_busy_close(&busy);
}

static void processes_and_uses(void)
{
    struct gput__gpu_device d = { .is_lost = false };
    struct gput__gpu_processes all = { 0 };
    struct gput__gpu_uses uses = { .n = 0 };

    (void)gput__gpu_add_process(&all, 7, true, 100);
    gput__gpu_device_set_processes(&d, all, 0);
    OK(d.processes.all.n == 1 && d.processes.are_known && d.processes.error == 0, "a list of one");
    gput__gpu_device_doubt_processes(&d);
    OK(!d.processes.are_known && d.processes.all.n == 1, "it stays until there is another");
    gput__gpu_device_set_processes(&d, (struct gput__gpu_processes){ 0 }, -EACCES);
    OK(d.processes.are_known && d.processes.all.n == 0 && d.processes.error == -EACCES,
       "which may be a reason why there is none");
    for (pid_t pid = 1; pid <= GPUT__MOST_GPU_USES + 1; pid++)
        gput__gpu_uses_add(&uses, pid, 10);
    gput__gpu_uses_add(&uses, 2, 30);
    gput__gpu_device_set_uses(&d, &uses);
    OK(d.uses.n == GPUT__MOST_GPU_USES && d.uses.list[1].sum == 40 && d.uses.list[1].max == 30 &&
           d.uses.list[1].n == 2,
       "uses are added up, process by process, as many as there is room for");
    gput__gpu_device_close(&d);
}

static void energy(void)
{
    struct gput__gpu_device d = { .is_lost = false };

    gput__gpu_device_set_energy(&d, 10, false);
    OK(!d.energy.is_known, "energy without its level at the start tells nothing");
    gput__gpu_device_set_energy(&d, 100, true);
    gput__gpu_device_set_energy(&d, 130, false);
    OK(d.energy.is_known && d.energy.last - d.energy.first == 30, "with it, what was used since");
}

static void life(void)
{
    struct gput__gpu_info info = { .name = "A" };
    struct gput__gpu_device d;

    gput__gpu_device_open(&d, &info, true);
    OK(!strcmp(d.info.name, "A") && !d.is_lost && !d.memory.is_known, "a new device");
    gput__gpu_device_lose(&d);
    OK(d.is_lost, "it may be lost");
    gput__gpu_device_open(&d, &info, false);
    OK(d.is_lost, "also at once");
    gput__gpu_device_close(&d);
}

int main(void)
{
    memory();
    sensors();
    utilization();
    processes_and_uses();
    energy();
    life();
    return DONE();
}
