/* fuzz_words.c - the string of -e as words. */
#include "options/words.h"

#include "fuzz.h"
#include "text.h"

/* Words are never longer together than the text, unless a shell is put in front of it. */
static void check(char *const *argv, const char *text)
{
    size_t length = 0, n = 0;

    fuzz_must(argv[0] && argv[0][0]);
    if (!strcmp(argv[0], "/bin/sh") && argv[1] && !strcmp(argv[1], "-c"))
        return;
    for (; argv[n]; n++)
        length += strlen(argv[n]);
    fuzz_must(length <= strlen(text) && n <= strlen(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct refusal why = { "" };
    char **argv = NULL;

    if (words_of_command(text, "/nowhere", &argv, &why) < 0)
        fuzz_must(!argv && why.text[0]);
    else
        check(argv, text);
    free(argv);
    free(text);
    return 0;
}
