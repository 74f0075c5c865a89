/* cloud_answers.h - what the metadata services of clouds answer, read with suspicion: whoever
 * stands at the address may have answered, and what is taken is printed. */
#ifndef GPUT_NET_CLOUD_ANSWERS_H
#define GPUT_NET_CLOUD_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

struct gput__cloud_facts { /* "": not known */
    char instance_type[64];
    char region[64];
    bool is_confirmed; /* the answer itself shows whose cloud it is */
};

/* Reads one answer, which ends in NUL behind its n bytes, into the facts that it tells.
 * -EBADMSG: it is of another form; the facts are as before. */
typedef int gput__cloud_answer_fn(const char *text, size_t n, struct gput__cloud_facts *facts);

gput__cloud_answer_fn gput__cloud_parse_type, gput__cloud_parse_region; /* one plain word */
gput__cloud_answer_fn gput__cloud_parse_gcp_type, gput__cloud_parse_gcp_zone;
gput__cloud_answer_fn gput__cloud_parse_azure, gput__cloud_parse_hcloud, gput__cloud_parse_upcloud;
gput__cloud_answer_fn gput__cloud_parse_ovh_network, gput__cloud_parse_ovh_zone;

/* A token, which goes into a header of later requests.  -EBADMSG: it cannot be one. */
int gput__cloud_parse_token(const char *text, size_t n, char *ret, size_t cap);

#endif
