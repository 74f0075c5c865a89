/* near.c - what somebody may have meant by a misspelt word. */
#include "options/near.h"

#include <string.h>

enum { LONGEST = 24 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters are changed, added, left out, or exchanged with their neighbour. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t d[LONGEST + 1][LONGEST + 1];

    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                            least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[n][m];
}

struct near near_to(const char *word, size_t length)
{
    /* One letter in three may be wrong, and two at most: otherwise it is another word. */
    size_t most = length < 3 ? 0 : length < 6 ? 1 : 2;

    return (struct near){ .word = word, .length = length, .distance = most + 1 };
}

void near_try(struct near *near, const char *name)
{
    size_t length = name ? strlen(name) : 0, d;

    if (!name || length > LONGEST || near->length > LONGEST)
        return;
    d = distance(near->word, near->length, name, length);
    if (d >= near->distance)
        return;
    near->distance = d;
    near->best = name;
}
