/* words.h - the string of -e as the words of a command. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "output/say.h"

/* Splits as a POSIX shell does, or hands the text to /bin/sh -c where only a shell can run it: an
 * unquoted | & ; < > ( ) $ ` * ? [ ~ # or newline ($ and ` within double quotes too), a leading
 * NAME=, or a first word that is a shell keyword or a builtin that is not in `path` (the value of
 * PATH; NULL: the system's default).  free() the result: words and their text are one block.
 * 0 or -EINVAL: nothing to run, or a quote without its end. */
int words_of_command(const char *text, const char *path, char ***ret_argv, struct refusal *ret_why);

#endif
