/* place.c - who this process is in a job of many, by its launcher and by options. */
#include "options/place.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* It becomes part of a path. */
static int choose_name(const struct options *o, enum option_id id, const char *name, char *ret,
                       size_t size, struct refusal *ret_why)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_@%+=:,.-";
    char label[LABEL_SIZE];

    if (!o->given.origin[id])
        return 0;
    if (name[0] == '.' || name[strspn(name, allowed)] || strlen(name) >= size)
        return refuse(ret_why,
                      "%s: '%s' is no name of a folder: at most %zu letters, digits and "
                      "_@%%+=:,.- and no '.' in front",
                      option_label(&o->given, (int)id, label), name, size - 1);
    snprintf(ret, size, "%s", name);
    return 0;
}

static void choose_number(const struct options *o, enum option_id id, int given, int *ret)
{
    if (o->given.origin[id])
        *ret = given;
}

/* "rank 8 of 8": the count begins at 0. */
static int check(const struct options *o, enum option_id id, int rank, int n,
                 struct refusal *ret_why)
{
    char label[LABEL_SIZE];

    if (!o->given.origin[id] || n < 0 || rank < n)
        return 0;
    return refuse(ret_why, "%s: there is no rank %d among %d: they count from 0",
                  option_label(&o->given, (int)id, label), rank, n);
}

int place_choose(const struct options *o, struct gput_launch *launch, struct refusal *ret_why)
{
    if (choose_name(o, OPT_JOB_ID, o->job_id, launch->job_id, sizeof(launch->job_id), ret_why) <
            0 ||
        choose_name(o, OPT_NODE, o->node, launch->node, sizeof(launch->node), ret_why) < 0)
        return -EINVAL;
    launch->has_job_id |= o->given.origin[OPT_JOB_ID] != FROM_NOWHERE;
    choose_number(o, OPT_RANK, o->rank, &launch->rank);
    choose_number(o, OPT_SIZE, o->n_ranks, &launch->n_ranks);
    choose_number(o, OPT_LOCAL_RANK, o->local_rank, &launch->local_rank);
    choose_number(o, OPT_LOCAL_SIZE, o->n_local, &launch->n_local);
    if (check(o, OPT_RANK, launch->rank, launch->n_ranks, ret_why) < 0)
        return -EINVAL;
    return check(o, OPT_LOCAL_RANK, launch->local_rank, launch->n_local, ret_why);
}
