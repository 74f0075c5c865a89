/* cloud.h - which cloud the machine is in: its firmware tells whose, and that cloud's metadata
 * service tells what and where.  A machine that is in none of them asks nobody. */
#ifndef GPUT_NET_CLOUD_H
#define GPUT_NET_CLOUD_H

#include <stdint.h>

#include "servers/clouds/cloud_answers.h"
#include "source/machine/dmi.h"

struct gput__cloud_question {
    const char *path; /* NULL: no more of them */
    gput__cloud_answer_fn *parse;
};

struct gput__cloud_service {
    const char *vendor; /* aws, gcp, azure, hcloud, upcloud, alicloud, ovh */
    const char *base;   /* where it is asked */
    const char *header; /* with each question, or NULL */
    struct {
        const char *path; /* PUT; NULL: no token is needed */
        const char *ttl;  /* header of that request */
        const char *name; /* of the header that carries it */
        bool is_optional; /* without it the questions are answered too, mostly */
    } token;
    bool is_doubtful;    /* the firmware does not tell for sure: the answer must */
    const char *no_type; /* it tells no instance type: why; NULL: it does */
    struct gput__cloud_question questions[4];
};

/* The service to ask, NULL: the firmware names none that we know. */
const struct gput__cloud_service *gput__cloud_of(const struct gput__dmi *dmi);

struct gput__cloud_found {
    const char *vendor; /* static; NULL: not known */
    struct gput__cloud_facts facts;
    char why[400]; /* why something is not known; "" */
};

/* Asks, within so long in all.  `base` NULL: where the service is. */
void gput__cloud_find(const struct gput__root *sys, const char *base, int64_t timeout_ns,
                      struct gput__cloud_found *ret);

#endif
