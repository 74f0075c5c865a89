/* discovery.c - finds out about the server and its cloud, in threads that nobody has to wait for. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/host/server.h"
#include "api/tracker.h"
#include "base/clock.h"
#include "base/thread.h"
#include "report/discovery.h"
#include "servers/clouds/cloud.h"

#define CLOUD_PATIENCE_NS GPUT__NS_PER_S
#define ALL (GPUT_DISCOVER_SERVER | GPUT_DISCOVER_CLOUD)

struct gput_discovery {
    pid_t owner; /* a child of fork() has a copy of the handle, and none of the threads */
    pthread_mutex_t lock;
    pthread_cond_t told;
    unsigned n_users;     /* the handle and the threads: the last one frees it */
    uint32_t what, known; /* enum gput_discover */
    pthread_t server_thread, cloud_thread;
    struct gput_options opts; /* strings are our copies */
    char *metadata_url;
    struct gput__server *server; /* NULL though known: out of memory */
    struct gput__cloud_found cloud_found;
    struct gput_cloud cloud;
};

static void leave(struct gput_discovery *d)
{
    bool is_last;

    pthread_mutex_lock(&d->lock);
    is_last = --d->n_users == 0;
    pthread_mutex_unlock(&d->lock);
    if (!is_last)
        return;
    gput__server_free(d->server);
    gput__options_free(&d->opts);
    free(d->metadata_url);
    pthread_mutex_destroy(&d->lock);
    pthread_cond_destroy(&d->told);
    free(d);
}

static void tell(struct gput_discovery *d, uint32_t what)
{
    pthread_mutex_lock(&d->lock);
    __atomic_store_n(&d->known, d->known | what, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&d->told);
    pthread_mutex_unlock(&d->lock);
    leave(d);
}

/* --- the threads ---------------------------------------------------------------------------- */

static void *find_server(void *arg)
{
    struct gput_discovery *d = arg;

    d->server = gput__server_read(&d->opts);
    tell(d, GPUT_DISCOVER_SERVER);
    return NULL;
}

static void *find_cloud(void *arg)
{
    struct gput_discovery *d = arg;
    const struct gput__cloud_found *found = &d->cloud_found;
    struct gput__root sys = GPUT__ROOT_NONE;
    int64_t start = gput__now();

    (void)gput__root_open(d->opts.sys_root, "/sys", &sys);
    gput__cloud_find(&sys, d->metadata_url, CLOUD_PATIENCE_NS, &d->cloud_found);
    gput__root_close(&sys);
    d->cloud = (struct gput_cloud){
        .vendor = found->vendor,
        .instance_type = found->facts.instance_type[0] ? found->facts.instance_type : NULL,
        .region = found->facts.region[0] ? found->facts.region : NULL,
        .why = found->why[0] ? found->why : NULL,
        .discovery_time = gput__seconds(gput__now() - start),
    };
    tell(d, GPUT_DISCOVER_CLOUD);
    return NULL;
}

static int start_thread(struct gput_discovery *d, void *(*run)(void *), pthread_t *ret)
{
    int r;

    pthread_mutex_lock(&d->lock);
    d->n_users++;
    pthread_mutex_unlock(&d->lock);
    r = gput__thread_start(ret, 0, run, d);
    if (r < 0)
        leave(d); /* in its place; the handle stays */
    return r;
}

/* One that has told what it knows is about to end; another one is left to itself. */
static void end_thread(pthread_t thread, bool has_told)
{
    if (has_told)
        pthread_join(thread, NULL);
    else
        pthread_detach(thread);
}

/* --- for everybody else --------------------------------------------------------------------- */

static int choose_url(const char *given, char **ret)
{
    const char *url = given ? given : secure_getenv("GPUT_METADATA_URL");

    if (!url || (!given && !*url)) {
        *ret = NULL;
        return 0;
    }
    if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
        return -EINVAL;
    *ret = strdup(url);
    return *ret ? 0 : -ENOMEM;
}

static int choose_options(const struct gput_options *opts, struct gput_options *ret)
{
    struct gput_options given = { 0 }, used = GPUT_OPTIONS_INIT;

    if (opts) /* as many as the caller knows of */
        memcpy(&given, opts, opts->size < sizeof(given) ? opts->size : sizeof(given));
    used.proc_root = given.proc_root;
    used.sys_root = given.sys_root;
    used.nvml_path = given.nvml_path;
    used.gpu_brand = given.gpu_brand;
    return gput__options_copy(&used, ret, NULL);
}

static int start_threads(struct gput_discovery *d)
{
    int r = 0;

    if (d->what & GPUT_DISCOVER_SERVER)
        r = start_thread(d, find_server, &d->server_thread);
    if (r == 0 && d->what & GPUT_DISCOVER_CLOUD) {
        r = start_thread(d, find_cloud, &d->cloud_thread);
        if (r < 0 && d->what & GPUT_DISCOVER_SERVER)
            pthread_detach(d->server_thread);
    }
    return r;
}

static void init_locks(struct gput_discovery *d)
{
    pthread_mutex_init(&d->lock, NULL);
    gput__cond_init(&d->told);
}

int gput_discovery_start(const struct gput_options *opts, uint32_t what, const char *metadata_url,
                         struct gput_discovery **ret_d)
{
    struct gput_discovery *d;
    int r;

    if (!(what & ALL) || (what & ~(uint32_t)ALL))
        return -EINVAL;
    d = calloc(1, sizeof(*d));
    if (!d)
        return -ENOMEM;
    init_locks(d);
    d->owner = getpid();
    d->n_users = 1;
    d->what = what;
    r = choose_options(opts, &d->opts);
    if (r == 0)
        r = choose_url(metadata_url, &d->metadata_url);
    if (r == 0)
        r = start_threads(d);
    if (r < 0) {
        leave(d);
        return r;
    }
    *ret_d = d;
    return 0;
}

/* Without the lock, which in a child of fork() nobody may ever give back. */
static bool knows(const struct gput_discovery *d, uint32_t what)
{
    return (__atomic_load_n(&d->known, __ATOMIC_ACQUIRE) & what) == what;
}

int gput_discovery_wait(struct gput_discovery *d, double seconds)
{
    int64_t at = gput__clock_ns(CLOCK_MONOTONIC);
    struct timespec until;

    if (knows(d, d->what) || d->owner != getpid())
        return knows(d, d->what) ? 0 : -EAGAIN;
    if (seconds > 0)
        at += seconds < 1e6 ? (int64_t)(seconds * 1e9) : INT64_C(1000000) * GPUT__NS_PER_S;
    until = (struct timespec){ at / GPUT__NS_PER_S, at % GPUT__NS_PER_S };
    pthread_mutex_lock(&d->lock);
    while (d->known != d->what)
        if (pthread_cond_timedwait(&d->told, &d->lock, &until) == ETIMEDOUT)
            break;
    pthread_mutex_unlock(&d->lock);
    return knows(d, d->what) ? 0 : -EAGAIN;
}

const struct gput_server *gput_discovery_server(struct gput_discovery *d)
{
    if (!knows(d, GPUT_DISCOVER_SERVER) || !d->server)
        return NULL;
    return gput__server_facts(d->server);
}

const struct gput_cloud *gput_discovery_cloud(struct gput_discovery *d)
{
    return knows(d, GPUT_DISCOVER_CLOUD) ? &d->cloud : NULL;
}

int gput_discovery_format(struct gput_discovery *d, enum gput_format format, char **ret_text)
{
    const struct gput__discovered found = {
        .has_server = d->what & GPUT_DISCOVER_SERVER,
        .has_cloud = d->what & GPUT_DISCOVER_CLOUD,
        .server = gput_discovery_server(d),
        .cloud = gput_discovery_cloud(d),
    };
    struct gput__buf out = GPUT__BUF_INIT;

    if (format == GPUT_JSON)
        gput__discovery_json(&found, &out);
    else
        gput__discovery_text(&found, &out);
    return gput__buf_detach(&out, ret_text);
}

struct gput_discovery *gput_discovery_close(struct gput_discovery *d)
{
    if (!d || d->owner != getpid())
        return NULL;
    if (d->what & GPUT_DISCOVER_SERVER)
        end_thread(d->server_thread, knows(d, GPUT_DISCOVER_SERVER));
    if (d->what & GPUT_DISCOVER_CLOUD)
        end_thread(d->cloud_thread, knows(d, GPUT_DISCOVER_CLOUD));
    leave(d);
    return NULL;
}
