/* test_drm_clients.c - the job's opens of GPUs, found below a /proc that the test writes. */
#include "source/gpu/drm_clients.h"

#include <errno.h>

#include "fixture.h"
#include "tap.h"

#define AMD "drm-driver:\tamdgpu\ndrm-pdev:\t0000:03:00.0\ndrm-client-id:\t%u\n"
#define NOBODY 65534

static struct fixture f;
static unsigned n_found, ids;

static void see(void *ctx, pid_t pid, const struct gput__drm_client *c)
{
    (void)ctx;
    (void)pid;
    n_found++;
    ids |= 1u << c->id;
}

static void write_link(pid_t pid, int fd, const char *target)
{
    char name[64], path[128];

    snprintf(name, sizeof(name), "%d/fd/x", pid);
    fixture_write(&f, name, ""); /* makes the folder */
    snprintf(name, sizeof(name), "%d/fd/%d", pid, fd);
    fixture_path(&f, name, path, sizeof(path));
    fixture_need(symlink(target, path) == 0, path);
}

static void write_client(pid_t pid, int fd, unsigned id)
{
    char name[64], text[200];

    write_link(pid, fd, "/dev/dri/renderD128");
    snprintf(name, sizeof(name), "%d/fdinfo/%d", pid, fd);
    snprintf(text, sizeof(text), AMD, id);
    fixture_write(&f, name, text);
}

static struct gput__drm_scan poll_once(const pid_t *pids, size_t n)
{
    struct gput__drm_scan found = { .denied = 99 };

    n_found = ids = 0;
    OK(gput__drm_clients(&f.root, false, pids, n, see, NULL, &found) == 0, "searched for");
    return found;
}

static void each_once(void)
{
    const pid_t job[] = { 41, 42, 43 }; /* 43 is gone already */
    struct gput__drm_scan found;

    write_client(41, 3, 1);
    write_client(41, 4, 1); /* the same one, by dup() */
    write_client(41, 5, 2);
    write_link(41, 6, "/home/me/renderD128");
    write_link(41, 7, "/dev/dri/renderD129"); /* closed meanwhile: no fdinfo */
    write_client(42, 3, 2);                   /* inherited */
    for (unsigned id = 3; id < 25; id++)
        write_client(42, 10 + (int)id, id);
    found = poll_once(job, 3);
    OK(n_found == 24 && ids == 0x1fffffe, "each client once, whoever holds it: %u", n_found);
    OK(found.denied == 0 && found.mute == 0, "and nobody is out of reach");
}

static void drivers_that_tell_nothing(void)
{
    const pid_t job[] = { 44 };
    struct gput__drm_scan found;

    write_link(44, 3, "/dev/dri/card0");
    fixture_write(&f, "44/fdinfo/3", "pos:\t0\nflags:\t02\n");
    found = poll_once(job, 1);
    OK(n_found == 0 && found.mute == 1, "a driver that says nothing of its clients is noted");
}

/* As another user where we may do anything. */
static void out_of_reach(void)
{
    const pid_t job[] = { 45, 41 };
    struct gput__drm_scan found;
    char path[128];

    write_client(45, 3, 1);
    fixture_path(&f, "45/fd", path, sizeof(path));
    fixture_need(chmod(path, 0) == 0 && chmod(f.path, 0755) == 0, "chmod");
    if (geteuid() == 0)
        fixture_need(seteuid(NOBODY) == 0, "seteuid");
    found = poll_once(job, 2);
    if (getuid() == 0)
        fixture_need(seteuid(0) == 0, "seteuid");
    OK(found.denied == 1 && n_found == 2, "one that may not be read is counted, others are seen");
    fixture_need(chmod(path, 0700) == 0, "chmod");
}

static void no_proc(void)
{
    const pid_t job[] = { 41 };
    struct gput__root none = GPUT__ROOT_NONE;
    struct gput__drm_scan found = { .denied = 99 };

    n_found = 0;
    OK(gput__drm_clients(&none, false, job, 1, see, NULL, &found) == 0 && n_found == 0 &&
           found.denied == 0,
       "without a /proc there is nobody");
}

int main(void)
{
    fixture_begin(&f);
    each_once();
    drivers_that_tell_nothing();
    out_of_reach();
    no_proc();
    fixture_end(&f);
    return DONE();
}
