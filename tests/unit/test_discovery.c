/* test_discovery.c - the life of a discovery: nobody waits for it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "fixture.h"
#include "gput.h"
#include "tap.h"

#define LONG 60.0

static struct fixture dir;
static char sys_root[64], proc_root[64];

static struct gput_options options(const char *nvml)
{
    struct gput_options o = GPUT_OPTIONS_INIT;

    o.proc_root = proc_root;
    o.sys_root = sys_root;
    o.nvml_path = nvml;
    return o;
}

static void play(const char *script)
{
    char path[64];

    fixture_write(&dir, "script", script);
    fixture_path(&dir, "script", path, sizeof(path));
    setenv("GPUT_NVML_SCRIPT", path, 1);
}

static void refusals(void)
{
    struct gput_options o = options("/nonexistent"), wrong = o;
    struct gput_discovery *d = (void *)&o;

    wrong.gpu_brand = "matrox";
    OK(gput_discovery_start(&o, 0, NULL, &d) == -EINVAL, "nothing to find out");
    OK(gput_discovery_start(&o, 8, NULL, &d) == -EINVAL, "something unknown to find out");
    OK(gput_discovery_start(&o, GPUT_DISCOVER_CLOUD, "file:///x", &d) == -EINVAL,
       "a URL of a file");
    OK(gput_discovery_start(&wrong, GPUT_DISCOVER_SERVER, NULL, &d) == -EINVAL, "an unknown brand");
    OK(d == (void *)&o, "what was given is left alone");
    OK(gput_discovery_close(NULL) == NULL, "closing nothing is fine");
}

static void whole(const char *nvml)
{
    struct gput_options o = options(nvml);
    struct gput_discovery *d = NULL;
    const struct gput_server *s;
    const struct gput_cloud *c;
    char *text = NULL;

    play("gpu GPU-1 A\ntotal 1000\nused 1\n");
    OK(gput_discovery_start(&o, GPUT_DISCOVER_SERVER | GPUT_DISCOVER_CLOUD, NULL, &d) == 0 &&
           gput_discovery_wait(d, LONG) == 0,
       "both are found");
    s = gput_discovery_server(d);
    c = gput_discovery_cloud(d);
    OK(s && s->vcpus == 2 && s->memory == 1024000 && s->n_gpus == 1 && !strcmp(s->gpu_name, "A") &&
           s->gpu_memory == 1000 && !s->gpu_why,
       "the server");
    OK(s && isnan(s->memory_cgroup) && isnan(s->cores_cgroup) && s->cores_effective == 2 &&
           s->memory_effective == 1024000,
       "limits that do not exist");
    OK(c && !c->vendor && !c->instance_type && !c->region && c->why && c->discovery_time >= 0,
       "no cloud: %s", c ? c->why : "");
    OK(gput_discovery_server(d) == s && gput_discovery_wait(d, 0) == 0, "it stays known");
    OK(gput_discovery_format(d, GPUT_JSON, &text) == 0 && strstr(text, "\"vcpus\": 2"), "JSON");
    free(text);
    OK(gput_discovery_format(d, GPUT_TEXT, &text) == 0 && strstr(text, "Cloud:\n"), "text");
    free(text);
    OK(gput_discovery_close(d) == NULL, "closed");
}

static void one_of_two(void)
{
    struct gput_options o = options("/nonexistent");
    struct gput_discovery *d = NULL;
    char *text = NULL;

    OK(gput_discovery_start(&o, GPUT_DISCOVER_CLOUD, NULL, &d) == 0 &&
           gput_discovery_wait(d, LONG) == 0 && gput_discovery_cloud(d) &&
           !gput_discovery_server(d),
       "the cloud alone");
    OK(gput_discovery_format(d, GPUT_JSON, &text) == 0 && !strstr(text, "server"), "in JSON too");
    free(text);
    gput_discovery_close(d);
    OK(gput_discovery_start(NULL, GPUT_DISCOVER_CLOUD, NULL, &d) == 0, "no options are fine");
    gput_discovery_close(d); /* at once: the thread cleans up after us */
}

/* The driver answers after ten minutes, which no test would wait for. */
static void hanging(const char *nvml)
{
    struct gput_options o = options(nvml);
    struct gput_discovery *d = NULL;
    char *text = NULL;

    play("delay nvmlInit 600000\ngpu GPU-1 A\n");
    OK(gput_discovery_start(&o, GPUT_DISCOVER_SERVER, NULL, &d) == 0, "with a driver that hangs");
    OK(gput_discovery_wait(d, 0.05) == -EAGAIN && !gput_discovery_server(d),
       "nothing is known yet");
    OK(gput_discovery_format(d, GPUT_JSON, &text) == 0 && strstr(text, "\"server\": null"),
       "which JSON says");
    free(text);
    OK(gput_discovery_close(d) == NULL, "and nobody has to wait");
}

/* The child has the handle and none of its threads: nothing there may wait for them. */
static void forked(const char *nvml)
{
    struct gput_options o = options(nvml);
    struct gput_discovery *d = NULL;
    int status = -1;
    pid_t child;

    play("delay nvmlInit 600000\ngpu GPU-1 A\n");
    OK(gput_discovery_start(&o, GPUT_DISCOVER_SERVER | GPUT_DISCOVER_CLOUD, NULL, &d) == 0,
       "a discovery, and then a fork()");
    while (!gput_discovery_cloud(d))
        (void)gput_discovery_wait(d, 0.01);
    child = fork();
    if (child == 0) {
        bool good = gput_discovery_wait(d, LONG) == -EAGAIN && gput_discovery_cloud(d) &&
                    !gput_discovery_server(d) && !gput_discovery_close(d);

        _exit(good ? 0 : 1);
    }
    OK(waitpid(child, &status, 0) == child && status == 0, "a child of fork() waits for nobody");
    gput_discovery_close(d);
}

int main(int argc, char **argv)
{
    fixture_need(argc == 2, "usage: test_discovery NVML");
    unsetenv("GPUT_METADATA_URL");
    fixture_begin(&dir);
    fixture_write(&dir, "proc/stat", "cpu  1 2 3 4 5 6 7\ncpu0 1\ncpu1 1\n");
    fixture_write(&dir, "proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 500 kB\n");
    fixture_write(&dir, "sys/class/dmi/id/sys_vendor", "QEMU\n");
    fixture_path(&dir, "proc", proc_root, sizeof(proc_root));
    fixture_path(&dir, "sys", sys_root, sizeof(sys_root));
    refusals();
    whole(argv[1]);
    one_of_two();
    hanging(argv[1]);
    forked(argv[1]);
    fixture_end(&dir);
    return DONE();
}
