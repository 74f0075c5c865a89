/* scan.h - reading numbers and words out of kernel text, without scanf. */
#ifndef GPUT_BASE_SCAN_H
#define GPUT_BASE_SCAN_H

#include <stddef.h>
#include <stdint.h>

/* Each moves *p behind what it took, or returns -EBADMSG and leaves *p and ret alone. */

/* A decimal number after any blanks; a blank, a newline or the end must follow it unless the
 * function's name says otherwise. */
int gput__scan_u64(const char **p, uint64_t *ret);
/* Likewise with an optional minus sign. */
int gput__scan_i64(const char **p, int64_t *ret);
/* A hexadecimal or decimal number of at least one digit, ended by exactly the byte `end`, which is
 * taken too. */
int gput__scan_hex_until(const char **p, char end, uint64_t *ret);
int gput__scan_dec_until(const char **p, char end, uint64_t *ret);
/* Leaves out n words. */
int gput__scan_skip(const char **p, unsigned n);

/* The number behind "key" at the start of a line of `text`, e.g. "MemTotal:" or "oom_kill".
 * -ENODATA: no such line. */
int gput__scan_key(const char *text, const char *key, uint64_t *ret);

/* How many CPUs a list such as "0-3,8" names.  -EBADMSG: not such a list. */
int gput__scan_cpu_list(const char *text, unsigned *ret);

#endif
