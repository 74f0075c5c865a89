/* server.h - reads the facts of the machine that struct gput_server shows. */
#ifndef GPUT_API_SERVER_H
#define GPUT_API_SERVER_H

#include "gput.h"
#include "source/machine/os_release.h"

struct gput__server; /* a struct gput_server with its texts and tables */

/* Of the options the roots, the GPU brand and nvml_path are used.  Waits for the GPU driver, with
 * patience.  NULL: out of memory. */
struct gput__server *gput__server_read(const struct gput_options *o);
const struct gput_server *gput__server_facts(const struct gput__server *s);
void gput__server_free(struct gput__server *s); /* NULL is fine */

/* What the machine is called; "": not told. */
struct gput__server_names {
    char hostname[256], cpu_model[128];
    struct gput__os_release release;
};
void gput__server_names_read(const struct gput__root *proc, struct gput__server_names *ret);

#endif
