/* config.h - the sessions to compare, from -m and the file of --cconfig. */
#ifndef CLI_SUB_TRACK_CONFIG_H
#define CLI_SUB_TRACK_CONFIG_H

#include "gput.h"
#include "output/say.h"

/* The sessions in the order in which they were named first. */
struct sessions {
    struct gput_session *list; /* texts of their own */
    size_t n;
};

/* A session that is there already gets the new file.  0 or -EINVAL. */
int sessions_set(struct sessions *s, const char *name, const char *file, struct refusal *ret_why);
void sessions_free(struct sessions *s);

/* "min", "max", "mean" or "std".  -EINVAL: another word. */
int statistic_of(const char *word, enum gput_statistic *ret);

/* A JSON object with "file_path_map" (names of sessions and their files) and "statistic", both
 * optional.  0 or -EINVAL. */
int sub_track_config(const char *path, struct sessions *s, enum gput_statistic *ret_statistic,
                     struct refusal *ret_why);

#endif
