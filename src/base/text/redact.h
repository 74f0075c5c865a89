/* redact.h - command lines without their secrets, for what is sent or handed on. */
#ifndef GPUT_BASE_REDACT_H
#define GPUT_BASE_REDACT_H

#include "base/buf.h"

/* Adds the command, words quoted as a shell reads them.  What is masked: values of options, variables and
 * headers whose names say password, secret, token, API key and the like; URLs with credentials or a query;
 * keys in PEM; tokens of well-known forms; e-mail addresses.  What is masked already stays as it is. */
void gput__redact(struct gput__buf *out, const char *command);

/* The same as a text to be freed; NULL for NULL, or without memory. */
char *gput__redacted(const char *command);

#endif
