/* door.h - who may see the live page: a token in the link, then a folder whose name nobody can guess.
 *
 * No cookie: those of one port of a machine go to all of its ports, where other users may listen. */
#ifndef GPUT_API_SERVE_DOOR_H
#define GPUT_API_SERVE_DOOR_H

#include <stdbool.h>

#include "gput.h"
#include "net/http_head.h"

enum { GPUT__DOOR_SECRET = 33 }; /* 128 bits in hexadecimal digits */

/* Written by door.c alone. */
struct gput__door {
    char folder[GPUT__DOOR_SECRET];
    char once[GPUT__DOOR_SECRET]; /* opens once; "": it has */
    char *kept;                   /* opens whenever it is given, instead; NULL: none */
};

enum gput__door_answer {
    GPUT__DOOR_SHUT,
    GPUT__DOOR_OPENS,  /* to be sent on to the folder */
    GPUT__DOOR_INSIDE, /* a name in the folder is asked for */
};

/* The token is that of $GPUT_SERVE_TOKEN, or in the file that $GPUT_SERVE_TOKEN_FILE names, else one that
 * opens once. */
int gput__door_open(struct gput__door *d, struct gput_error *err);
void gput__door_close(struct gput__door *d);

/* "token=...", for the link. */
const char *gput__door_token(const struct gput__door *d);
/* `ret_name`, which is in `head`, is set of GPUT__DOOR_INSIDE: "" or "events". */
enum gput__door_answer gput__door_ask(struct gput__door *d, const struct gput__http_head *head,
                                      const char **ret_name);

#endif
