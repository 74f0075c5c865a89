/* launcher.c - THE table of launchers: which variables say who a process is. */
#include "source/launcher/launcher.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum fact {
    RANK,
    N_RANKS,
    LOCAL_RANK,
    N_LOCAL,
    LOCAL_RANKS, /* a list, of which the number counts */
    NODE_INDEX,
    N_NODES,
    RESTART,
    NODE,
    JOB, /* of a batch system, on all nodes the same */
    RUN, /* of the launcher itself, likewise */
    STEP,
    NAME,
    ARRAY_JOB,
    ARRAY_TASK,
    N_FACTS
};

enum trait {
    IS_BATCH_SYSTEM = 1 << 0, /* its job may hold other launchers */
    KEEPS_STEP = 1 << 1,      /* it runs within one step of a batch system, on all nodes */
    TASK_IN_ID = 1 << 2,      /* tasks of an array have the same id */
};

/* The names of variables; where there are several, the first that is set counts. */
struct launcher {
    const char *name;
    unsigned traits;
    const char *sign;      /* only where one of these is set */
    const char *yields_to; /* not where this has the same rank as it: it hands on that launcher's */
    const char *fact[N_FACTS];
};

/* The innermost first: mpirun within a Slurm batch job inherits SLURM_PROCID=0 for all of its ranks, and
 * torchrun may run in each task of srun. */
static const struct launcher launchers[] = {
    { "torchrun",
      KEEPS_STEP,
      "TORCHELASTIC_RUN_ID",
      NULL,
      { [RANK] = "RANK",
        [N_RANKS] = "WORLD_SIZE",
        [LOCAL_RANK] = "LOCAL_RANK",
        [N_LOCAL] = "LOCAL_WORLD_SIZE",
        [NODE_INDEX] = "GROUP_RANK",
        [N_NODES] = "GROUP_WORLD_SIZE",
        [RESTART] = "TORCHELASTIC_RESTART_COUNT",
        [RUN] = "TORCHELASTIC_RUN_ID" } },
    { "ray",
      KEEPS_STEP,
      "RAY_JOB_ID",
      NULL,
      { [RANK] = "RANK",
        [N_RANKS] = "WORLD_SIZE",
        [LOCAL_RANK] = "LOCAL_RANK",
        [N_LOCAL] = "LOCAL_WORLD_SIZE",
        [NODE_INDEX] = "NODE_RANK",
        [RUN] = "RAY_JOB_ID" } },
    { "openmpi",
      0,
      NULL,
      NULL,
      { [RANK] = "OMPI_COMM_WORLD_RANK",
        [N_RANKS] = "OMPI_COMM_WORLD_SIZE",
        [LOCAL_RANK] = "OMPI_COMM_WORLD_LOCAL_RANK",
        [N_LOCAL] = "OMPI_COMM_WORLD_LOCAL_SIZE",
        [RUN] = "PMIX_NAMESPACE OMPI_MCA_ess_base_jobid OMPI_MCA_orte_ess_jobid" } },
    { "intelmpi",
      0,
      "I_MPI_MPIRUN I_MPI_HYDRA_TOPOLIB I_MPI_ROOT",
      "SLURM_PROCID",
      { [RANK] = "PMI_RANK",
        [N_RANKS] = "PMI_SIZE",
        [LOCAL_RANK] = "MPI_LOCALRANKID",
        [N_LOCAL] = "MPI_LOCALNRANKS" } },
    { "mpich",
      0,
      NULL,
      "SLURM_PROCID",
      { [RANK] = "PMI_RANK",
        [N_RANKS] = "PMI_SIZE",
        [LOCAL_RANK] = "MPI_LOCALRANKID",
        [N_LOCAL] = "MPI_LOCALNRANKS" } },
    { "pmix", 0, NULL, "SLURM_PROCID", { [RANK] = "PMIX_RANK", [RUN] = "PMIX_NAMESPACE" } },
    { "flux",
      IS_BATCH_SYSTEM,
      "FLUX_JOB_ID",
      NULL,
      { [RANK] = "FLUX_TASK_RANK",
        [N_RANKS] = "FLUX_JOB_SIZE",
        [LOCAL_RANK] = "FLUX_TASK_LOCAL_ID",
        [N_NODES] = "FLUX_JOB_NNODES",
        [JOB] = "FLUX_JOB_ID" } },
    { "slurm",
      IS_BATCH_SYSTEM,
      "SLURM_JOB_ID SLURM_PROCID",
      NULL,
      { [RANK] = "SLURM_PROCID",
        [N_RANKS] = "SLURM_STEP_NUM_TASKS",
        [LOCAL_RANK] = "SLURM_LOCALID",
        [LOCAL_RANKS] = "SLURM_GTIDS",
        [NODE_INDEX] = "SLURM_NODEID",
        [N_NODES] = "SLURM_STEP_NUM_NODES",
        [RESTART] = "SLURM_RESTART_COUNT",
        [NODE] = "SLURMD_NODENAME",
        [JOB] = "SLURM_JOB_ID",
        [STEP] = "SLURM_STEP_ID",
        [NAME] = "SLURM_JOB_NAME",
        [ARRAY_JOB] = "SLURM_ARRAY_JOB_ID",
        [ARRAY_TASK] = "SLURM_ARRAY_TASK_ID" } },
    { "pbs",
      IS_BATCH_SYSTEM,
      "PBS_JOBID",
      NULL,
      { [RANK] = "PBS_VNODENUM",
        [NODE_INDEX] = "PBS_NODENUM",
        [JOB] = "PBS_JOBID",
        [NAME] = "PBS_JOBNAME",
        [ARRAY_JOB] = "PBS_ARRAY_ID",
        [ARRAY_TASK] = "PBS_ARRAY_INDEX" } },
    { "lsf",
      IS_BATCH_SYSTEM | TASK_IN_ID,
      "LSB_JOBID",
      NULL,
      { [RANK] = "JSM_NAMESPACE_RANK",
        [N_RANKS] = "JSM_NAMESPACE_SIZE",
        [LOCAL_RANK] = "JSM_NAMESPACE_LOCAL_RANK",
        [N_LOCAL] = "JSM_NAMESPACE_LOCAL_SIZE",
        [JOB] = "LSB_JOBID",
        [NAME] = "LSB_JOBNAME",
        [ARRAY_JOB] = "LSB_JOBID",
        [ARRAY_TASK] = "LSB_JOBINDEX" } },
    { "sge",
      IS_BATCH_SYSTEM | TASK_IN_ID,
      "SGE_TASK_ID",
      NULL,
      { [JOB] = "JOB_ID",
        [NAME] = "JOB_NAME",
        [RESTART] = "RESTARTED",
        [ARRAY_JOB] = "JOB_ID",
        [ARRAY_TASK] = "SGE_TASK_ID" } },
    { "kubernetes",
      IS_BATCH_SYSTEM,
      "JOB_COMPLETION_INDEX",
      NULL,
      { [RANK] = "JOB_COMPLETION_INDEX" } },
};
enum { N_LAUNCHERS = sizeof(launchers) / sizeof(*launchers) };

/* --- values of variables -------------------------------------------------------------------- */

static const char *first_set(const struct gput__environment *env, const char *names)
{
    char name[64];

    while (names && *names) {
        size_t len = strcspn(names, " ");
        const char *value;

        snprintf(name, sizeof(name), "%.*s", (int)len, names);
        value = env->get(env->ctx, name);
        if (value && *value)
            return value;
        names += len + (names[len] == ' ');
    }
    return NULL;
}

static int number(const char *text)
{
    char *end;
    long n;

    if (!text || !isdigit((unsigned char)*text))
        return -1;
    n = strtol(text, &end, 10);
    return *end || n > INT_MAX ? -1 : (int)n;
}

/* Part of a path, on one line: a launcher's variables can hold anything. */
static void keep_name(const char *text, char *ret, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_@%+=:,.-";

    snprintf(ret, size, "%s", text ? text : "");
    for (char *p = ret; *p; p++)
        if (!strchr(plain, *p) || (p == ret && *p == '.'))
            *p = '_';
}

static void keep_text(const char *text, char *ret, size_t size)
{
    snprintf(ret, size, "%s", text ? text : "");
    gput_text_plain(ret);
}

static int count_items(const char *list)
{
    int n = list && *list ? 1 : -1;

    for (; list && *list; list++)
        n += *list == ',';
    return n;
}

/* --- who started it -------------------------------------------------------------------------- */

static bool is_here(const struct gput__environment *env, const struct launcher *l)
{
    return !l->sign || first_set(env, l->sign);
}

/* Slurm's own PMI and PMIx plugins set the variables of those as well, but no others of Hydra's. */
static bool hands_on(const struct gput__environment *env, const struct launcher *l)
{
    const char *others = l->yields_to ? env->get(env->ctx, l->yields_to) : NULL;
    const char *local = first_set(env, l->fact[LOCAL_RANK]);

    return others && !local && number(others) == number(first_set(env, l->fact[RANK]));
}

static const struct launcher *rank_launcher(const struct gput__environment *env)
{
    for (int i = 0; i < N_LAUNCHERS; i++)
        if (is_here(env, &launchers[i]) && number(first_set(env, launchers[i].fact[RANK])) >= 0 &&
            !hands_on(env, &launchers[i]))
            return &launchers[i];
    return NULL;
}

static const struct launcher *batch_system(const struct gput__environment *env)
{
    for (int i = 0; i < N_LAUNCHERS; i++)
        if ((launchers[i].traits & IS_BATCH_SYSTEM) && is_here(env, &launchers[i]))
            return &launchers[i];
    return NULL;
}

/* --- what they say --------------------------------------------------------------------------- */

static void read_ranks(const struct gput__environment *env, const struct launcher *l,
                       struct gput_launch *ret)
{
    int listed;

    if (!l)
        return;
    ret->rank = number(first_set(env, l->fact[RANK]));
    ret->n_ranks = number(first_set(env, l->fact[N_RANKS]));
    ret->local_rank = number(first_set(env, l->fact[LOCAL_RANK]));
    ret->n_local = number(first_set(env, l->fact[N_LOCAL]));
    ret->node_index = number(first_set(env, l->fact[NODE_INDEX]));
    ret->n_nodes = number(first_set(env, l->fact[N_NODES]));
    ret->restart = number(first_set(env, l->fact[RESTART]));
    listed = count_items(first_set(env, l->fact[LOCAL_RANKS]));
    if (ret->n_local < 0)
        ret->n_local = listed;
    if (l->fact[NODE] && first_set(env, l->fact[NODE]))
        keep_name(first_set(env, l->fact[NODE]), ret->node, sizeof(ret->node));
}

/* The batch script is one task, whatever its job has.  Steps without a number of their own have one near
 * the largest. */
static void read_slurm(bool is_rank_launcher, struct gput_launch *ret)
{
    static const struct {
        const char *id, *name;
    } special[] = { { "4294967290", "interactive" },
                    { "4294967291", "batch" },
                    { "4294967292", "extern" } };
    bool is_batch = !ret->step[0];

    for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
        if (strcmp(ret->step, special[i].id) == 0)
            is_batch = true, snprintf(ret->step, sizeof(ret->step), "%s", special[i].name);
    if (!ret->step[0])
        snprintf(ret->step, sizeof(ret->step), "batch");
    if (is_rank_launcher && is_batch)
        ret->n_ranks = ret->n_local = ret->n_nodes = 1;
}

/* The host of a pod of an indexed job is called JOB-INDEX. */
static void read_kubernetes(const struct gput__environment *env, const char *host,
                            struct gput_launch *ret)
{
    const char *index = env->get(env->ctx, "JOB_COMPLETION_INDEX");
    const char *dash = strrchr(host, '-');
    char name[sizeof(ret->job_id)];

    if (!dash || dash == host || strcmp(dash + 1, index) != 0)
        return;
    snprintf(name, sizeof(name), "%.*s", (int)(dash - host), host);
    keep_name(name, ret->job_id, sizeof(ret->job_id));
    keep_text(name, ret->job_name, sizeof(ret->job_name));
}

static void read_array(const struct gput__environment *env, const struct launcher *l,
                       struct gput_launch *ret)
{
    const char *task = first_set(env, l->fact[ARRAY_TASK]);
    size_t len = strlen(ret->job_id);

    if (number(task) < 0 || (strcmp(task, "0") == 0 && (l->traits & TASK_IN_ID)))
        return; /* "undefined", or LSF's 0: it is in no array */
    keep_text(task, ret->array_task, sizeof(ret->array_task));
    keep_text(first_set(env, l->fact[ARRAY_JOB]), ret->array_job, sizeof(ret->array_job));
    if ((l->traits & TASK_IN_ID) && ret->job_id[0])
        snprintf(ret->job_id + len, sizeof(ret->job_id) - len, "_%s", ret->array_task);
}

static void read_job(const struct gput__environment *env, const struct launcher *l,
                     const char *host, const struct launcher *ranks, struct gput_launch *ret)
{
    if (!l)
        return;
    keep_name(first_set(env, l->fact[JOB]), ret->job_id, sizeof(ret->job_id));
    keep_text(first_set(env, l->fact[NAME]), ret->job_name, sizeof(ret->job_name));
    keep_name(first_set(env, l->fact[STEP]), ret->step, sizeof(ret->step));
    read_array(env, l, ret);
    if (ret->restart < 0)
        ret->restart = number(first_set(env, l->fact[RESTART]));
    if (strcmp(l->name, "slurm") == 0)
        read_slurm(l == ranks, ret);
    if (strcmp(l->name, "kubernetes") == 0)
        read_kubernetes(env, host, ret);
}

/* mpirun within a batch job starts its ranks on each node in its own way, so the step there is none of
 * theirs. */
static void read_own_step(const struct gput__environment *env, const struct launcher *batch,
                          const struct launcher *ranks, struct gput_launch *ret)
{
    const char *own = ranks ? first_set(env, ranks->fact[RUN]) : NULL;
    char step[sizeof(ret->step)];

    if (own && ranks->traits & KEEPS_STEP && strcmp(own, "none") == 0)
        own = NULL; /* torchrun's, where nobody gave one */
    if (!ranks || ranks == batch)
        return;
    if (!ret->job_id[0]) {
        keep_name(own, ret->job_id, sizeof(ret->job_id));
        return;
    }
    if ((ranks->traits & KEEPS_STEP) && ret->step[0])
        return;
    snprintf(step, sizeof(step), "%s%s%s", ranks->name, own ? "-" : "", own ? own : "");
    keep_name(step, ret->step, sizeof(ret->step));
}

void gput__launch_read(const struct gput__environment *env, const char *host,
                       struct gput_launch *ret)
{
    const struct launcher *ranks = rank_launcher(env), *batch = batch_system(env);

    *ret = (struct gput_launch){ .size = sizeof(*ret),
                                 .rank = -1,
                                 .n_ranks = -1,
                                 .local_rank = -1,
                                 .n_local = -1,
                                 .node_index = -1,
                                 .n_nodes = -1,
                                 .restart = -1 };
    snprintf(ret->launcher, sizeof(ret->launcher), "%s",
             ranks   ? ranks->name
             : batch ? batch->name
                     : "plain");
    keep_name(host, ret->node, sizeof(ret->node));
    read_ranks(env, ranks, ret);
    read_job(env, batch, host, ranks, ret);
    read_own_step(env, batch, ranks, ret);
    if (!ret->step[0])
        snprintf(ret->step, sizeof(ret->step), "0");
    ret->has_job_id = ret->job_id[0] != '\0';
    ret->restart = ret->restart < 0 ? 0 : ret->restart;
}
