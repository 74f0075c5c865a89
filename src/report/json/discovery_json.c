/* discovery_json.c - the server and its cloud as JSON.
 *
 * The first keys of each, with their older names beside them, are those that the Python package
 * resource_tracker gives; they stay. */
#include <math.h>

#include "report/discovery.h"
#include "report/json/json.h"

#define MIB 1048576.0

/* Two decimals, as the package rounds. */
static double mib(double bytes)
{
    return nearbyint(bytes / MIB * 100) / 100;
}

static void write_count(struct gput__json *j, const char *key, double n, bool is_known)
{
    gput__json_count(j, key, is_known ? n : NAN);
}

static void write_shared(struct gput__json *j, const struct gput_server *s)
{
    gput__json_string(j, "os", s->os);
    write_count(j, "vcpus", s->vcpus, s->vcpus > 0);
    gput__json_double(j, "memory_mib", mib(s->memory));
    gput__json_double(j, "memory_mb", mib(s->memory));
    write_count(j, "gpu_count", s->n_gpus, s->n_gpus >= 0);
    gput__json_open_list(j, "gpu_names");
    for (int i = 0; i < s->n_gpus; i++)
        gput__json_string(j, NULL, s->gpus[i].name);
    gput__json_close_list(j);
    gput__json_string(j, "gpu_name", s->gpu_name ? s->gpu_name : "");
    gput__json_double(j, "gpu_memory_mib", mib(s->gpu_memory));
    gput__json_double(j, "gpu_memory_mb", mib(s->gpu_memory));
}

static void write_limits(struct gput__json *j, const struct gput_server *s)
{
    gput__json_open(j, "limits");
    gput__json_double(j, "memory_cgroup_mib", mib(s->memory_cgroup));
    gput__json_double(j, "memory_effective_mib", mib(s->memory_effective));
    gput__json_double(j, "cores_cgroup", s->cores_cgroup);
    write_count(j, "cores_affinity", s->cores_affinity, s->cores_affinity > 0);
    gput__json_double(j, "cores_effective", s->cores_effective);
    gput__json_close(j);
}

static void write_gpus(struct gput__json *j, const struct gput_server *s)
{
    gput__json_open_list(j, "gpus");
    for (int i = 0; i < s->n_gpus; i++) {
        gput__json_open(j, NULL);
        gput__json_string(j, "name", s->gpus[i].name);
        gput__json_string(j, "brand", s->gpus[i].brand);
        gput__json_string(j, "uuid", s->gpus[i].uuid);
        gput__json_double(j, "memory_mib", mib(s->gpus[i].memory));
        gput__json_close(j);
    }
    gput__json_close_list(j);
    gput__json_string(j, "gpu_why", s->gpu_why);
}

static void write_disks(struct gput__json *j, const struct gput_server *s)
{
    gput__json_open_list(j, "disks");
    for (int i = 0; i < s->n_disks; i++) {
        const struct gput_disk *d = &s->disks[i];

        gput__json_open(j, NULL);
        gput__json_string(j, "name", d->name);
        gput__json_string(j, "model", d->model);
        gput__json_count(j, "size_bytes", d->size);
        if (d->is_rotational < 0)
            gput__json_null(j, "rotational");
        else
            gput__json_bool(j, "rotational", d->is_rotational);
        gput__json_close(j);
    }
    gput__json_close_list(j);
}

static void write_server(struct gput__json *j, const struct gput_server *s)
{
    gput__json_open(j, "server");
    write_shared(j, s);
    gput__json_string(j, "distribution", s->distribution);
    gput__json_string(j, "distribution_id", s->distribution_id);
    gput__json_string(j, "distribution_version", s->distribution_version);
    gput__json_string(j, "kernel", s->kernel);
    gput__json_string(j, "architecture", s->architecture);
    gput__json_string(j, "hostname", s->hostname);
    gput__json_string(j, "cpu_model", s->cpu_model);
    write_limits(j, s);
    write_gpus(j, s);
    write_disks(j, s);
    gput__json_close(j);
}

static const char *or_unknown(const char *text)
{
    return text ? text : "unknown";
}

static void write_cloud(struct gput__json *j, const struct gput_cloud *c)
{
    gput__json_open(j, "cloud");
    gput__json_string(j, "vendor", or_unknown(c->vendor));
    gput__json_string(j, "instance_type", or_unknown(c->instance_type));
    gput__json_string(j, "region", or_unknown(c->region));
    gput__json_double(j, "discovery_time", c->discovery_time);
    gput__json_string(j, "why", c->why);
    gput__json_close(j);
}

void gput__discovery_json(const struct gput__discovered *d, struct gput__buf *out)
{
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    if (d->has_server && d->server)
        write_server(&j, d->server);
    else if (d->has_server)
        gput__json_null(&j, "server");
    if (d->has_cloud && d->cloud)
        write_cloud(&j, d->cloud);
    else if (d->has_cloud)
        gput__json_null(&j, "cloud");
    gput__json_close(&j);
}
