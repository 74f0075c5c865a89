/* test_launcher.c - who a process is, by the variables of launchers. */
#include "source/launcher/launcher.h"

#include <stdio.h>
#include <string.h>

#include "tap.h"

/* "NAME=value" each. */
static const char *look_up(const void *ctx, const char *name)
{
    const char *const *list = ctx;
    size_t len = strlen(name);

    for (; *list; list++)
        if (strncmp(*list, name, len) == 0 && (*list)[len] == '=')
            return *list + len + 1;
    return NULL;
}

static struct gput_launch read_on(const char *host, const char *const *variables)
{
    struct gput__environment env = { look_up, variables };
    struct gput_launch l;

    gput__launch_read(&env, host, &l);
    return l;
}

#define READ(...) read_on("host1", (const char *const[]){ __VA_ARGS__, NULL })

static void is(const struct gput_launch *l, const char *want)
{
    char got[500];

    snprintf(got, sizeof(got), "%s %s/%s %s rank %d/%d local %d/%d node %d/%d", l->launcher,
             l->job_id, l->step, l->node, l->rank, l->n_ranks, l->local_rank, l->n_local,
             l->node_index, l->n_nodes);
    OK(strcmp(got, want) == 0, "%s (got %s)", want, got);
}

#define SLURM_TASK                                                                                 \
    "SLURM_JOB_ID=4711", "SLURM_STEP_ID=0", "SLURM_PROCID=3", "SLURM_LOCALID=1",                   \
        "SLURM_STEP_NUM_TASKS=4", "SLURM_NODEID=1", "SLURM_STEP_NUM_NODES=2", "SLURM_GTIDS=2,3",   \
        "SLURMD_NODENAME=node002"
/* What a batch script has, and mpirun within it hands on. */
#define SLURM_BATCH                                                                                \
    "SLURM_JOB_ID=4711", "SLURM_PROCID=0", "SLURM_LOCALID=0", "SLURM_NODEID=0", "SLURM_NTASKS=8",  \
        "SLURM_GTIDS=0", "SLURMD_NODENAME=node001", "SLURM_JOB_NUM_NODES=2"

static void nobody(void)
{
    struct gput_launch l = READ("HOME=/");

    is(&l, "plain /0 host1 rank -1/-1 local -1/-1 node -1/-1");
    OK(!l.has_job_id && l.restart == 0, "no id, never restarted");
    l = READ("JOB_ID=7", "RANK=3", "WORLD_SIZE=8");
    is(&l, "plain /0 host1 rank -1/-1 local -1/-1 node -1/-1");
}

static void slurm(void)
{
    struct gput_launch l = READ(SLURM_TASK, "SLURM_JOB_NAME=solve it", "SLURM_RESTART_COUNT=2");

    is(&l, "slurm 4711/0 node002 rank 3/4 local 1/2 node 1/2");
    OK(l.has_job_id && l.restart == 2 && strcmp(l.job_name, "solve it") == 0, "its name, requeues");
    l = READ(SLURM_BATCH);
    is(&l, "slurm 4711/batch node001 rank 0/1 local 0/1 node 0/1");
    l = READ(SLURM_BATCH, "SLURM_STEP_ID=4294967290");
    is(&l, "slurm 4711/interactive node001 rank 0/1 local 0/1 node 0/1");
    l = READ(SLURM_TASK, "PMI_RANK=3", "PMI_SIZE=4", "PMIX_RANK=3", "PMIX_NAMESPACE=slurm.pmix.1");
    is(&l, "slurm 4711/0 node002 rank 3/4 local 1/2 node 1/2");
    l = READ(SLURM_TASK, "SLURM_ARRAY_JOB_ID=4700", "SLURM_ARRAY_TASK_ID=11");
    OK(!strcmp(l.array_job, "4700") && !strcmp(l.array_task, "11") && !strcmp(l.job_id, "4711"),
       "a task of an array has a job id of its own");
}

static void mpi(void)
{
    struct gput_launch l =
        READ("OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_LOCAL_RANK=0",
             "OMPI_COMM_WORLD_LOCAL_SIZE=2", "PMIX_NAMESPACE=3439525889", "PMIX_RANK=2");

    is(&l, "openmpi 3439525889/0 host1 rank 2/4 local 0/2 node -1/-1");
    l = READ(SLURM_BATCH, "OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=4", "PMIX_NAMESPACE=77");
    is(&l, "openmpi 4711/openmpi-77 host1 rank 2/4 local -1/-1 node -1/-1");
    l = READ("PMI_RANK=5", "PMI_SIZE=8", "MPI_LOCALRANKID=1", "MPI_LOCALNRANKS=4");
    is(&l, "mpich /0 host1 rank 5/8 local 1/4 node -1/-1");
    l = READ(SLURM_BATCH, "PMI_RANK=0", "PMI_SIZE=8", "MPI_LOCALRANKID=0", "MPI_LOCALNRANKS=4");
    is(&l, "mpich 4711/mpich host1 rank 0/8 local 0/4 node -1/-1");
    l = READ("PMI_RANK=5", "PMI_SIZE=8", "MPI_LOCALRANKID=1", "I_MPI_MPIRUN=mpirun");
    is(&l, "intelmpi /0 host1 rank 5/8 local 1/-1 node -1/-1");
    l = READ("PMIX_RANK=1", "PMIX_NAMESPACE=ns-9");
    is(&l, "pmix ns-9/0 host1 rank 1/-1 local -1/-1 node -1/-1");
}

#define TORCHRUN                                                                                   \
    "RANK=9", "WORLD_SIZE=16", "LOCAL_RANK=1", "LOCAL_WORLD_SIZE=8", "GROUP_RANK=1",               \
        "GROUP_WORLD_SIZE=2", "TORCHELASTIC_RESTART_COUNT=1"

static void others(void)
{
    struct gput_launch l = READ(TORCHRUN, "TORCHELASTIC_RUN_ID=exp7");

    is(&l, "torchrun exp7/0 host1 rank 9/16 local 1/8 node 1/2");
    OK(l.restart == 1, "an elastic restart");
    l = READ(TORCHRUN, "TORCHELASTIC_RUN_ID=none");
    OK(!l.has_job_id, "torchrun's run id \"none\" is none");
    l = READ(TORCHRUN, SLURM_TASK, "TORCHELASTIC_RUN_ID=none");
    is(&l, "torchrun 4711/0 host1 rank 9/16 local 1/8 node 1/2");
    l = READ("FLUX_JOB_ID=f3", "FLUX_TASK_RANK=2", "FLUX_JOB_SIZE=4", "FLUX_TASK_LOCAL_ID=0");
    is(&l, "flux f3/0 host1 rank 2/4 local 0/-1 node -1/-1");
    l = READ("LSB_JOBID=5", "LSB_JOBINDEX=3", "JSM_NAMESPACE_RANK=1", "JSM_NAMESPACE_SIZE=2");
    is(&l, "lsf 5_3/0 host1 rank 1/2 local -1/-1 node -1/-1");
    l = READ("LSB_JOBID=5", "LSB_JOBINDEX=0");
    is(&l, "lsf 5/0 host1 rank -1/-1 local -1/-1 node -1/-1");
    l = READ("JOB_ID=8", "SGE_TASK_ID=2");
    is(&l, "sge 8_2/0 host1 rank -1/-1 local -1/-1 node -1/-1");
    l = READ("JOB_ID=8", "SGE_TASK_ID=undefined");
    is(&l, "sge 8/0 host1 rank -1/-1 local -1/-1 node -1/-1");
    l = READ("PBS_JOBID=12.server", "PBS_NODENUM=1", "PBS_VNODENUM=3");
    is(&l, "pbs 12.server/0 host1 rank 3/-1 local -1/-1 node 1/-1");
    l = read_on("train-4", (const char *const[]){ "JOB_COMPLETION_INDEX=4", NULL });
    is(&l, "kubernetes train/0 train-4 rank 4/-1 local -1/-1 node -1/-1");
    l = read_on("pod", (const char *const[]){ "JOB_COMPLETION_INDEX=4", NULL });
    is(&l, "kubernetes /0 pod rank 4/-1 local -1/-1 node -1/-1");
    l = READ("RAY_JOB_ID=0200", "RANK=1", "WORLD_SIZE=2", "NODE_RANK=1");
    is(&l, "ray 0200/0 host1 rank 1/2 local -1/-1 node 1/-1");
}

static void hostile(void)
{
    struct gput_launch l = READ("SLURM_JOB_ID=../../etc", "SLURM_STEP_ID=a/b\n", "SLURM_PROCID=-1",
                                "SLURM_NTASKS=99999999999999999999", "SLURMD_NODENAME=.n");

    OK(!strchr(l.job_id, '/') && l.job_id[0] != '.', "no way out of a folder: %s", l.job_id);
    l = READ("SLURM_JOB_ID=1", "SLURM_STEP_ID=0", "SLURM_PROCID=0x3");
    OK(l.rank == -1, "0x3 is no rank");
}

int main(void)
{
    nobody();
    slurm();
    mpi();
    others();
    hostile();
    return DONE();
}
