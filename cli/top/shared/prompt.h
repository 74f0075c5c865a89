/* prompt.h - a word that is typed in the lowest row. */
#ifndef CLI_TOP_PROMPT_H
#define CLI_TOP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

enum { TOP_WORD_SIZE = 64 };

enum top_prompt_kind { TOP_NO_PROMPT, TOP_SEARCH, TOP_FILTER };

struct top_prompt {
    enum top_prompt_kind what;
    char word[TOP_WORD_SIZE];
};

/* Asks for a word, `word` is there already.  `what` is TOP_SEARCH or TOP_FILTER. */
void top_prompt_begin(struct top_prompt *p, enum top_prompt_kind what, const char *word);
/* A key for it.  A word that is ready goes to one of the two, which hold TOP_WORD_SIZE; true: it is to be
 * searched for.  Then, and where it is given up, `what` is TOP_NO_PROMPT. */
bool top_prompt_key(struct top_prompt *p, int key, char *search, char *filter);
/* The row. */
void top_prompt_write(const struct top_prompt *p, char *ret, size_t size);

#endif
