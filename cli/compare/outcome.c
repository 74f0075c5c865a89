/* outcome.c - a comparison, written where the result goes, and what it says of a build. */
#include "compare/outcome.h"

#include "output/exit_codes.h"
#include "output/output.h"
#include "output/say.h"

#include <stdlib.h>

int outcome_write(const struct gput_comparison *c, enum gput_comparison_format format,
                  const struct output *output, const char *command)
{
    char *text = NULL;
    int r = gput_comparison_format(c, format, &text);

    if (r == 0)
        r = output_finish(output, text);
    free(text);
    if (r < 0)
        say("%s: cannot write '%s': %s", command, output->name, output_why(r));
    return r;
}

static void say_failed(void *ctx, const char *line)
{
    say("%s: %s", (const char *)ctx, line);
}

int outcome_judge(const struct gput_comparison *c, const char *command, bool with_lines)
{
    return gput_comparison_failed(c, with_lines ? say_failed : NULL, (void *)command) > 0
               ? EXIT_FAILED
               : 0;
}
