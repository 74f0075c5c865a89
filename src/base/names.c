/* names.c - texts, each kept once and known by a small number: open addressing. */
#include "base/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint32_t gput__hash(const char *text, size_t len) /* FNV-1a */
{
    uint32_t h = UINT32_C(2166136261);

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * UINT32_C(16777619);
    return h;
}

/* The slot where it is, or where it belongs. */
static uint32_t *find(const struct gput__names *names, const char *text, size_t len, uint32_t hash)
{
    uint32_t i = hash & (names->n_slots - 1);

    for (; names->slots[i]; i = (i + 1) & (names->n_slots - 1)) {
        const struct gput__name *name = &names->list[names->slots[i] - 1];

        if (name->hash == hash && name->len == len && memcmp(name->text, text, len) == 0)
            break;
    }
    return &names->slots[i];
}

static int grow(struct gput__names *names)
{
    uint32_t cap = names->cap ? 2 * names->cap : 16;
    struct gput__name *list = realloc(names->list, cap * sizeof(*list));
    uint32_t *slots;

    if (!list)
        return -ENOMEM;
    names->list = list;
    slots = calloc(2 * (size_t)cap, sizeof(*slots));
    if (!slots)
        return -ENOMEM;
    free(names->slots);
    names->slots = slots;
    names->n_slots = 2 * cap;
    names->cap = cap;
    for (uint32_t i = 0; i < names->n; i++)
        *find(names, list[i].text, list[i].len, list[i].hash) = i + 1;
    return 0;
}

int gput__names_add(struct gput__names *names, const char *text, size_t len, uint32_t *ret)
{
    uint32_t hash = gput__hash(text, len);
    uint32_t *slot;
    char *copy;

    if (names->n == names->cap && grow(names) < 0)
        return -ENOMEM;
    slot = find(names, text, len, hash);
    if (!*slot) {
        copy = malloc(len + 1);
        if (!copy)
            return -ENOMEM;
        memcpy(copy, text, len);
        copy[len] = '\0';
        names->list[names->n] = (struct gput__name){ .text = copy, .len = len, .hash = hash };
        *slot = ++names->n;
    }
    *ret = *slot - 1;
    return 0;
}

void gput__names_free(struct gput__names *names)
{
    for (uint32_t i = 0; i < names->n; i++)
        free(names->list[i].text);
    free(names->list);
    free(names->slots);
    *names = (struct gput__names){ 0 };
}
