/* gathering.h - the folder in which the trackers of one job on one node put their results together.
 *
 * It is local to the node, private to its user, and has a name by the job, its step and the node.  Nobody
 * waits for another one: a lock that a tracker holds says that it lives, and the kernel takes it away when
 * it dies.  The last one out closes the gathering: it moves the folder aside, so that a tracker that comes later
 * begins a new one. */
#ifndef GPUT_STORE_GATHERING_H
#define GPUT_STORE_GATHERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum { GPUT__GATHERING_ID = 17 };

struct gput__gathering {
    char *path;                   /* NULL: it was not joined, or is closed for us */
    char id[GPUT__GATHERING_ID];  /* of the gathering: random */
    char own[GPUT__GATHERING_ID]; /* what our files in it are called */
    double wall, boot;            /* when the first tracker came: seconds since 1970, since boot */
    int folder_fd, alive_fd, node_fd, writer_fd;
    bool is_moved; /* aside: we were the last */
};

/* One tracker that is, or was, in it. */
struct gput__member {
    char name[GPUT__GATHERING_ID];
    bool is_alive; /* it holds its lock; what it has said of its end is not asked here */
};

/* Joins the gathering of that name, or begins it.  $GPUT_FLEET_LOCAL names the folder that it lies below,
 * else the first of /tmp, /var/tmp and /dev/shm that will do.  0 or a negative errno. */
int gput__gathering_join(const char *name, struct gput__gathering *ret);
/* Our descriptors are closed; files stay as they are.  Of one never joined: nothing. */
void gput__gathering_leave(struct gput__gathering *g);

/* Whether we are the one tracker of the node that measures it: asked again, we may become it. */
bool gput__gathering_elect(struct gput__gathering *g);

/* What we know, replaced whole; and a line that is replaced in place, for which no file is made. */
int gput__gathering_store(struct gput__gathering *g, const char *text);
int gput__gathering_tell(struct gput__gathering *g, const char *line);

/* Those that have come.  free() the list. */
int gput__gathering_members(const struct gput__gathering *g, struct gput__member **ret,
                            size_t *ret_n);
/* What a member has stored, and the line that it has told: "" where there is nothing. */
int gput__gathering_read(const struct gput__gathering *g, const struct gput__member *m,
                         struct gput__buf *ret_text, char *ret_line, size_t size);

/* A small note that is the same for all members, by name: -ENOENT where nobody has made it. */
int gput__gathering_note(const struct gput__gathering *g, const char *name, char *ret, size_t size);
int gput__gathering_make_note(const struct gput__gathering *g, const char *name, const char *text);
void gput__gathering_drop_note(const struct gput__gathering *g, const char *name);

/* Who may write the node's file now: false: another one does. */
bool gput__gathering_begin_writing(struct gput__gathering *g);
void gput__gathering_end_writing(struct gput__gathering *g);

/* Whether all others are out, by `is_out`; then the folder is ours alone and has been moved aside. */
bool gput__gathering_close(struct gput__gathering *g,
                           bool (*is_out)(const struct gput__gathering *g,
                                          const struct gput__member *m));
/* As if we had never come. */
void gput__gathering_withdraw(struct gput__gathering *g);
/* Removes the folder that was moved aside, with all in it. */
void gput__gathering_remove(struct gput__gathering *g);

#endif
