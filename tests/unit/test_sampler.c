/* test_sampler.c - one call, one sample: of a job below a /proc that the test writes. */
#include "sample/sampler.h"

#include "memory_fixture.h"
#include "sample/control.h"
#include "sample/facts.h"
#include "tap.h"

static struct gput__sampler s;
static int64_t now;

static void write_machine(unsigned long busy_ticks)
{
    char text[128];

    snprintf(text, sizeof(text),
             "cpu  %lu 0 0 1000 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n"
             "cpu1 0 0 0 0 0 0 0 0 0 0\n",
             busy_ticks);
    fixture_write(&f, "stat", text);
    fixture_write(&f, "meminfo", "MemTotal: 1048576 kB\nMemFree: 1 kB\nMemAvailable: 786432 kB\n");
}

static void begin(void)
{
    now = SINCE + S;
    fixture_begin(&f);
    write_machine(100);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .rss = 100, .own = 10, .pss = 55 });
    fixture_need(gput__sampler_open(&s, f.path, f.path) == 0, "sampler_open");
    fixture_need(gput__sampler_begin(&s, MAIN, TRACKER, false, SINCE) == 0, "sampler_begin");
}

static void end(void)
{
    gput__sampler_close(&s);
    fixture_end(&f);
}

static struct gput__sample poll_once(void)
{
    struct gput__sample sample;

    now += S;
    gput__sampler_poll(&s, now, &sample);
    return sample;
}

static void a_poll(void)
{
    struct gput__sample sample;
    pid_t pids[2] = { 0 };

    begin();
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .rss = 110, .own = 20, .pss = 65, .stack = 2000 });
    sample = poll_once();
    OK(sample.value[GPUT__N_PROCESSES] == 2 && sample.value[GPUT__COMBINED_N_THREADS] == 2,
       "a poll counts processes and threads");
    OK(is(sample.value[GPUT__MAIN_RAM] / MB, 100) && gput__sample_has(&sample, GPUT__COMBINED_CPU),
       "it has memory and CPU time");
    OK(!gput__sample_has(&sample, GPUT__SYSTEM_RAM), "the machine's figures come with records");
    OK(sample.boot_ns == now && gput__sampler_effort(&s).n_polls == 1, "it knows when it was");
    OK(gput__sampler_descendants(&s, pids, 2) == 1 && pids[0] == 101 &&
           gput__sampler_has(&s, MAIN) && gput__sampler_main_is_alive(&s) &&
           !gput__sampler_has(&s, 102),
       "who is of the job can be asked for");
    drop(101);
    sample = poll_once();
    OK(sample.value[GPUT__N_PROCESSES] == 1 && gput__sampler_last_poll(&s).moved,
       "a death is seen, and that something moved");
    (void)poll_once();
    OK(!gput__sampler_last_poll(&s).moved, "then nothing moves");
    end();
}

static void a_record(void)
{
    struct gput__sample first, second;

    begin();
    gput__sampler_record(&s, now + S, 7, &first);
    OK(first.real_ns == 7 && is(first.value[GPUT__SYSTEM_RAM] / MB, 256),
       "a record has the wall clock and the machine's memory");
    write_machine(150);
    gput__sampler_record(&s, now + 2 * S, 8, &second);
    OK(gput__sample_gain(&first, &second, GPUT__SYSTEM_CPU) == 0.5, "and the machine's CPU time");
    OK(s.n_cores == 2 && s.ram_capacity == 1048576 * 1024, "of which the size is known");
    end();
}

static void without_processes(void)
{
    struct gput__sample sample;

    begin();
    gput__sampler_set_blind(&s, "a reason");
    sample = poll_once();
    OK(!gput__sample_has(&sample, GPUT__COMBINED_RAM) && sample.boot_ns == now,
       "blind, it tells nothing of processes");
    gput__sampler_record(&s, now, 1, &sample);
    OK(gput__sample_has(&sample, GPUT__SYSTEM_RAM), "but of the machine");
    end();
}

static void nobody_to_track(void)
{
    fixture_begin(&f);
    write_machine(100);
    fixture_need(gput__sampler_open(&s, f.path, f.path) == 0, "sampler_open");
    OK(gput__sampler_begin(&s, 4711, TRACKER, false, SINCE) < 0,
       "a process that is not there is refused");
    end();
    OK(gput__sampler_open(&s, "/nonexistent/proc", NULL) < 0, "and so is a /proc");
}

int main(void)
{
    a_poll();
    a_record();
    without_processes();
    nobody_to_track();
    return DONE();
}
