/* say.h - the lines on standard error, and the reason why something was refused. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

/* Why an input was refused: one line without the program's name. */
struct refusal {
    char text[1000];
};

/* Keeps the reason; always returns -EINVAL, so that a check can end in `return refuse(...)`. */
__attribute__((format(printf, 2, 3))) int refuse(struct refusal *ret, const char *format, ...);

/* "gpu-tracker: ..." and a newline on standard error, in one write so that it does not mix with
 * what the job writes there.  By gput_text_plain(): it stays one line. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

/* The same without the program's name in front. */
__attribute__((format(printf, 1, 2))) void say_bare(const char *format, ...);

/* The warn() of struct gput_callbacks; `ctx` is not used. */
void say_warning(void *ctx, const char *line);

#endif
