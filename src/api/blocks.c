/* blocks.c - marks of code blocks, behind gput.h. */
#include "base/netfs.h"
#include "store/marks.h"

int gput_marks_open(const char *path, uint32_t flags, struct gput_marks **ret_m,
                    struct gput_error *ret_err)
{
    return gput__marks_open(path, flags, gput__netfs_has, ret_m, ret_err);
}

int gput_marks_put(struct gput_marks *m, const struct gput_mark *mark)
{
    return gput__marks_put(m, mark);
}

static int mark_here(struct gput_marks *m, const char *name, int is_end)
{
    const struct gput_mark mark = {
        .name = name, .is_end = is_end, .cpu_seconds = -1, .peak_rss_bytes = -1
    };

    return gput__marks_put(m, &mark);
}

int gput_block_begin(struct gput_marks *m, const char *name)
{
    return mark_here(m, name, 0);
}

int gput_block_end(struct gput_marks *m, const char *name)
{
    return mark_here(m, name, 1);
}

int gput_marks_close(struct gput_marks *m)
{
    return gput__marks_close(m);
}
