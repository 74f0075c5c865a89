/* keeper.h - the Keeper of Spare Cores: a service that knows the servers of many vendors and their
 * prices of today. */
#ifndef GPUT_NET_KEEPER_H
#define GPUT_NET_KEEPER_H

#include <stddef.h>

#include "servers/catalogue.h"

/* The answer to GET url + path, as it is; free() it.  `url` NULL: $GPUT_KEEPER_URL,
 * else the public one.  `timeout` is in seconds, 0: 2.  -EINVAL: no URL; -EPROTO: another status than
 * 200; or why there was no answer. */
int gput__keeper_get(const char *url, const char *path, double timeout, char **ret_text,
                     struct gput_error *err);

/* "/servers?vcpus_min=2&...": the question for the n cheapest servers. */
void gput__keeper_question(const struct gput_server_needs *needs, int n, char *ret, size_t size);
/* "/server/aws/m7i.large/prices"; -ENAMETOOLONG. */
int gput__keeper_price_question(const char *vendor, const char *type, char *ret, size_t size);

/* keeper_answer.c: the answers.  What lacks a name, size or price, or has an absurd one, is left out.
 * -EBADMSG: it is another kind of JSON; `ret_why` is static. */
int gput__keeper_servers(const char *text, size_t n, const char *origin, const char *as_of,
                         struct gput_catalogue **ret, const char **ret_why);
/* The price on demand under Linux in the region, else the first one that is told; `ret_region`, of at
 * least 64 bytes, gets where.  -ENODATA: there is none. */
int gput__keeper_price(const char *text, size_t n, const char *region, double *ret_usd_hour,
                       char *ret_region, const char **ret_why);

#endif
