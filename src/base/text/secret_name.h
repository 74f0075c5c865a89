/* secret_name.h - which names of options and variables promise a secret, and which texts look like one. */
#ifndef GPUT_BASE_SECRET_NAME_H
#define GPUT_BASE_SECRET_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum gput__secrecy {
    GPUT__NOT_SECRET,
    GPUT__RANDOM_SECRET, /* where its value looks like a key */
    GPUT__MAYBE_SECRET,  /* where its value is not trivial */
    GPUT__SECRET,
};

/* "--db-password", "AWS_SECRET_ACCESS_KEY", "apiKey"; not "--tokenizer", "--password-file". */
enum gput__secrecy gput__secret_name(const char *name, size_t n);
/* Whether the value of such a name is one: not an empty text, a small number, "true". */
bool gput__secret_value(enum gput__secrecy name, const char *value, size_t n);
/* How long a token of a well-known form is that begins here; 0: none does. */
size_t gput__secret_form(const char *text, size_t n);

#endif
