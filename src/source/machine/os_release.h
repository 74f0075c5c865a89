/* os_release.h - os-release(5): the distribution, as it names itself. */
#ifndef GPUT_SOURCE_OS_RELEASE_H
#define GPUT_SOURCE_OS_RELEASE_H

#include "base/root.h"

struct gput__os_release { /* "": unknown */
    char name[96];        /* "Debian GNU/Linux 12 (bookworm)" */
    char id[32];          /* "debian" */
    char version[32];     /* "12" */
};

/* Never fails: what is not there is "". */
void gput__os_release_parse(const char *text, struct gput__os_release *ret);
/* That of the root folder of this process. */
void gput__os_release_read(const struct gput__root *proc, struct gput__os_release *ret);

#endif
