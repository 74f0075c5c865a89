/* replay.c - runs a fuzz target once over each file of its corpus, as a TAP test.
 *
 * usage: replay_NAME CORPUS_FOLDER */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/tap.h"
#include "fuzz.h"

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The bytes in memory of their own size, so that a read past the end is seen. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long size = -1;
    int ok = 0;

    if (!file)
        return 0;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0)
        data = malloc(size > 0 ? (size_t)size : 1);
    rewind(file);
    if (data && fread(data, 1, (size_t)size, file) == (size_t)size)
        ok = LLVMFuzzerTestOneInput(data, (size_t)size) == 0;
    free(data);
    fclose(file);
    return ok;
}

int main(int argc, char **argv)
{
    struct dirent **entries = NULL;
    char path[4096];
    int n = argc > 1 ? scandir(argv[1], &entries, is_file, alphasort) : -1;

    OK(n > 0, "there is a corpus");
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name);
        OK(replay(path), "%s", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return DONE();
}
