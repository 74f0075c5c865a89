/* ages.h - how long ago something was, and when. */
#ifndef CLI_COMPARE_AGES_H
#define CLI_COMPARE_AGES_H

struct refusal;

/* "12h", "7d", "4w": seconds.  0 or -EINVAL. */
int age_parse(const char *text, double *ret_seconds, struct refusal *ret_why);
/* An age, or a date in local time such as 2026-11-01 or 2026-11-01T08:30: seconds since 1970. */
int moment_parse(const char *text, double *ret_since_1970, struct refusal *ret_why);

#endif
