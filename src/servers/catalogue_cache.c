/* catalogue_cache.c - the user's own catalogue of servers. */
#include "servers/catalogue_cache.h"

#include "store/files/table.h"
#include "store/files/unsafe_path.h"
#include "store/files/user_file.h"

int gput__catalogue_cache_path(char **ret)
{
    return gput_user_file(GPUT_CACHE_FILE, "catalogue.csv", ret);
}

int gput__catalogue_cache_write(const char *path, const char *text, struct gput_error *err)
{
    int r = gput__make_folders(path);

    if (r == 0)
        r = gput_file_replace(path, text);
    return r < 0 ? gput__file_fail(r, path, err, "cannot write it: %s", gput__why_unwritten(r)) : 0;
}
