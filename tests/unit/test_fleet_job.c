/* test_fleet_job.c - a job on many nodes rank by rank, from files that are written here. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gput.h"
#include "tap.h"

/* A node of two ranks, of a job of five: `ending` is that of the second one, `age` of the file. */
static void write_node(const char *folder, int node, const char *ending, double age)
{
    double written = (double)time(NULL) - age;
    char name[300];
    FILE *f;

    snprintf(name, sizeof(name), "%s/n%d.json", folder, node);
    f = fopen(name, "w");
    if (!f)
        return;
    fprintf(
        f,
        "{\"schema\":1,\"kind\":\"gpu-tracker-node\",\"gathering\":\"g%d\",\"run\":{\"command\":"
        "\"./app\\u001b[2J\"},\"job\":{\"id\":\"7\",\"has_id\":true,\"step\":\"0\",\"size\":5,"
        "\"n_nodes\":3},\"node\":{\"name\":\"n%d\",\"host\":\"n%d\",\"index\":%d},\"clock\":"
        "{\"wall\":%.0f},\"written\":{\"wall\":%.0f,\"is_final\":false},\"ranks\":[",
        node, node, node, node, written - 100, written);
    for (int i = 0; i < 2; i++)
        fprintf(f,
                "%s{\"rank\":%d,\"pid\":%d,\"ending\":\"%s\",\"exit_code\":null,\"signal\":null,"
                "\"start\":%.0f,\"wall_seconds\":100,\"cpu_seconds\":50,\"max_ram\":%d,\"series\":"
                "{\"t\":[1,2],\"ram\":[1000,2000],\"cpu\":[10,30]}}",
                i ? "," : "", 2 * node + i, 100 + i, i ? ending : "running", written - 100,
                (node + 1) * 1000000);
    fprintf(f, "],\"result\":{},\"gpus\":[]}\n");
    fclose(f);
}

static struct gput_fleet *open_fleet(const char *folder)
{
    struct gput_fleet *f = NULL;
    struct gput_error error;

    if (gput_fleet_read(&folder, 1, NULL, NULL, &f, &error) < 0)
        printf("# %s\n", error.text);
    return f;
}

static void ranks_are_told(const char *folder)
{
    static const enum gput_rank_state states[] = { GPUT_RANK_MISSING, GPUT_RANK_FAILED,
                                                   GPUT_RANK_SILENT, GPUT_RANK_RUNNING,
                                                   GPUT_RANK_RUNNING };
    static const int numbers[] = { 4, 3, 2, 0, 1 };
    struct gput_fleet_job job = { .size = sizeof(job) };
    struct gput_fleet *f = open_fleet(folder);
    bool is_so = true;

    OK(f && gput_fleet_jobs(f) == 1 && gput_fleet_job(f, 0, &job) == 0 && job.n_ranks == 5,
       "five ranks, the missing one too");
    for (int i = 0; is_so && i < 5; i++)
        is_so = job.ranks[i].rank == numbers[i] && job.ranks[i].state == states[i];
    OK(is_so, "what is missing first, then failed, silent and running ones");
    OK(strcmp(job.title, "Job 7, step 0") == 0 && !strchr(job.command, '\033'),
       "whose job it is, and nothing that a terminal would obey: %s", job.command);
    OK(job.n_nodes == 2 && job.n_expected_nodes == 3 && strcmp(job.missing_ranks, "4") == 0 &&
           strcmp(job.missing_nodes, "2") == 0,
       "which ranks and nodes are missing: %s, %s", job.missing_ranks, job.missing_nodes);
    OK(strncmp(job.ranks[1].failure, "killed", 6) == 0 && strcmp(job.ranks[1].node, "n1") == 0,
       "why and where: %s", job.ranks[1].failure);
    OK(fabs(job.newest - 10) < 5 && fabs(job.oldest - 500) < 5, "how old the files are");
    OK(job.ranks[3].ram_peak == 1e6 && fabs(job.ranks[3].cpu_percent - 50) < 1e-9 &&
           job.ranks[3].ram_latest == 2000 && job.ranks[3].cpu_latest == 30 &&
           isnan(job.ranks[3].gpu_percent) && isnan(job.ranks[0].ram_peak),
       "figures, the latest ones, and what is not known");
    OK(job.elapsed > 109 && job.elapsed < 700, "it still runs: %.0f s", job.elapsed);
    gput_fleet_close(f);
}

static void misuse(const char *folder)
{
    struct gput_fleet_job job = { .size = sizeof(job) }, other = { .size = 8 };
    struct gput_fleet *f = open_fleet(folder);

    OK(gput_fleet_job(f, 1, &job) == -EINVAL && gput_fleet_job(f, -1, &job) == -EINVAL &&
           gput_fleet_job(f, 0, &other) == -EINVAL,
       "a job that is not there and a struct of another size are refused");
    OK(gput_fleet_job(f, 0, &job) == 0 && gput_fleet_job(f, 0, &job) == 0,
       "the same one can be asked for again");
    OK(gput_fleet_faults(f) == 0 && !gput_fleet_fault(f, 0), "no file is at fault");
    gput_fleet_close(f);
}

static void a_torn_file(const char *folder)
{
    struct gput_fleet_job job = { .size = sizeof(job) };
    struct gput_fleet *f;
    char name[300];

    snprintf(name, sizeof(name), "%s/n1.json", folder);
    OK(truncate(name, 400) == 0, "a file is torn");
    f = open_fleet(folder);
    OK(gput_fleet_faults(f) == 1 && strstr(gput_fleet_fault(f, 0), "n1.json") &&
           !gput_fleet_fault(f, 1),
       "it is named: %s", gput_fleet_fault(f, 0));
    OK(gput_fleet_job(f, 0, &job) == 0 && job.n_in_state[GPUT_RANK_MISSING] == 3 &&
           job.n_in_state[GPUT_RANK_RUNNING] == 2,
       "its ranks are missing, the others are there");
    gput_fleet_close(f);
    (void)unlink(name);
    snprintf(name, sizeof(name), "%s/n0.json", folder);
    (void)unlink(name);
}

int main(void)
{
    char folder[] = "/tmp/gput-test-XXXXXX";

    if (!mkdtemp(folder))
        return 1;
    write_node(folder, 0, "running", 10);
    write_node(folder, 1, "killed", 500);
    ranks_are_told(folder);
    misuse(folder);
    a_torn_file(folder);
    (void)rmdir(folder);
    return DONE();
}
