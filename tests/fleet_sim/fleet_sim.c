/* fleet_sim.c - writes the node files of a job that never ran, with what is wrong planted in it, and
 * prints what was planted as JSON. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "node_text.h"
#include "plan.h"

/* From so many nodes on the files lie in folders of a hash (docs/FLEET.md). */
enum { MANY_NODES = 256 };

static const char usage[] =
    "usage: fleet-sim [options] DIR      writes DIR/JOB/STEP/[hh/]nodeNNNN.json\n"
    "  --nodes N (8)  --ranks N (8) on each  --gpus N (0) on each  --seconds S (3600)\n"
    "  --seed N (1)   --normal: noise without heavy tails\n"
    "  --slow N  --stall N  --big N  --idle N  --killed N: so many ranks\n"
    "  --missing N  --skewed N: so many nodes\n"
    "  --job ID (4711)  --step S (0)  --restart N (0)\n"
    "prints what was planted, and the truth of the job, as JSON\n";

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) < 0 && errno != EEXIST) {
        fprintf(stderr, "fleet-sim: %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

static void make_folders(const struct options *o)
{
    char path[4096];

    make_folder(o->out);
    snprintf(path, sizeof(path), "%s/%s", o->out, o->job);
    make_folder(path);
    snprintf(path, sizeof(path), "%s/%s/%s", o->out, o->job, o->step);
    make_folder(path);
}

static void write_node(const struct options *o, const struct node *node, char *text)
{
    char path[4096];
    int n = snprintf(path, sizeof(path), "%s/%s/%s", o->out, o->job, o->step);
    FILE *file;

    if (o->nodes > MANY_NODES) {
        n += snprintf(path + n, sizeof(path) - (size_t)n, "/%02x", node->index * 37 % 256);
        make_folder(path);
    }
    snprintf(path + n, sizeof(path) - (size_t)n, "/node%04d%s.json", node->index,
             o->restart ? ".2" : "");
    file = fopen(path, "w");
    if (!file || fwrite(text, node_text(o, node, text), 1, file) != 1 || fclose(file) != 0) {
        fprintf(stderr, "fleet-sim: %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

static void print_planted(const struct options *o, const struct planted *planted, size_t n)
{
    const char *before = "";

    for (int fault = FAULT_SLOW; fault < N_FAULTS; fault++) {
        printf("%s\"%s\": [", before, fault_names[fault]);
        before = "";
        for (size_t i = 0; i < n; i++) {
            int number = planted[i].node * o->ranks + planted[i].local;

            if ((int)planted[i].fault != fault)
                continue;
            printf("%s%d", before, fault >= FAULT_MISSING ? planted[i].node : number);
            before = ", ";
        }
        printf("]");
        before = ", ";
    }
}

/* What merge must find. */
struct truth {
    double ram[MOMENTS], cpu_seconds, gpu_busy, sum_of_peaks, max_ram;
    int n_ranks;
};

static void add_truth(struct truth *t, const struct node *node)
{
    for (int k = 0; k < MOMENTS; k++)
        t->ram[k] += (double)node->ram_job[k];
    for (int i = 0; i < node->n_ranks; i++) {
        const struct rank *r = &node->rank[i];

        t->cpu_seconds += r->cpu_seconds;
        t->gpu_busy += r->gpu_busy;
        t->sum_of_peaks += r->max_ram;
        t->max_ram = fmax(t->max_ram, r->max_ram);
        t->n_ranks++;
    }
}

static void print_truth(const struct truth *t)
{
    double most = 0;

    for (int k = 0; k < MOMENTS; k++)
        most = fmax(most, t->ram[k]);
    printf(", \"n_ranks\": %d, \"cpu_seconds\": %.3f, \"gpu_seconds_busy\": %.3f, "
           "\"max_ram_at_once\": %.0f, \"sum_of_peak_ram\": %.0f, \"max_ram\": %.0f}\n",
           t->n_ranks, t->cpu_seconds, t->gpu_busy, most, t->sum_of_peaks, t->max_ram);
}

static void parse(struct options *o, int argc, char **argv)
{
    static const struct option longs[] = {
        { "nodes", 1, NULL, 'n' },
        { "ranks", 1, NULL, 'r' },
        { "gpus", 1, NULL, 'g' },
        { "seconds", 1, NULL, 's' },
        { "seed", 1, NULL, 'S' },
        { "normal", 0, NULL, 'N' },
        { "job", 1, NULL, 'j' },
        { "step", 1, NULL, 't' },
        { "restart", 1, NULL, 'R' },
        { "slow", 1, NULL, FAULT_SLOW },
        { "stall", 1, NULL, FAULT_STALL },
        { "big", 1, NULL, FAULT_BIG },
        { "idle", 1, NULL, FAULT_IDLE },
        { "killed", 1, NULL, FAULT_KILLED },
        { "missing", 1, NULL, FAULT_MISSING },
        { "skewed", 1, NULL, FAULT_SKEWED },
        { NULL, 0, NULL, 0 },
    };
    int c;

    while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (c < N_FAULTS && c > 0)
            o->n_of[c] = atoi(optarg);
        else if (c == 'n')
            o->nodes = atoi(optarg);
        else if (c == 'r')
            o->ranks = atoi(optarg);
        else if (c == 'g')
            o->gpus = atoi(optarg);
        else if (c == 's')
            o->seconds = atof(optarg);
        else if (c == 'S')
            o->noise.state = (uint64_t)atoll(optarg);
        else if (c == 'N')
            o->noise.is_heavy = 0;
        else if (c == 'j')
            o->job = optarg;
        else if (c == 't')
            o->step = optarg;
        else if (c == 'R')
            o->restart = atoi(optarg);
        else
            c = '?';
        if (c == '?')
            break;
    }
    o->out = argv[optind];
    if (c == '?' || optind + 1 != argc || o->nodes < 1 || o->ranks < 1 || o->ranks > MOST_RANKS) {
        fputs(usage, stderr);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    struct options o = { .job = "4711",
                         .step = "0",
                         .nodes = 8,
                         .ranks = 8,
                         .seconds = 3600,
                         .start = 1772445600.25,
                         .noise = { .state = 1, .is_heavy = 1 } };
    struct node *node = malloc(sizeof(*node));
    struct truth *truth = calloc(1, sizeof(*truth));
    char *text = malloc(NODE_TEXT_SIZE);
    struct planted *planted;
    size_t n;

    parse(&o, argc, argv);
    o.start += 10000.0 * o.restart;
    if (!node || !truth || !text)
        return 1;
    planted = plan_faults(&o, &n);
    make_folders(&o);
    for (int i = 0; i < o.nodes; i++) {
        plan_node(&o, planted, n, i, node);
        if (node->fault == FAULT_MISSING)
            continue;
        write_node(&o, node, text);
        add_truth(truth, node);
    }
    printf("{");
    print_planted(&o, planted, n);
    print_truth(truth);
    free(planted);
    free(node);
    free(truth);
    free(text);
    return 0;
}
