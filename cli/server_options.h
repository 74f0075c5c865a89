/* server_options.h - values of options that several subcommands have: amounts, and filters of
 * servers. */
#ifndef CLI_SERVER_OPTIONS_H
#define CLI_SERVER_OPTIONS_H

/* Each says what is wrong, with `label` and the option's name in front, and returns -1. */

/* A number from 0 on. */
int server_number(const char *label, const char *option, const char *text, double *ret);
/* A whole number from 0 on. */
int server_count(const char *label, const char *option, const char *text, int *ret);
/* An amount of memory: a number of GiB, or one with MiB, GiB or TiB behind it. */
int server_memory(const char *label, const char *option, const char *text, double *ret_mib);

#endif
