/* jansson.h - in the place of jansson's where a build must do without it: no JSON can be read, and
 * whoever tries is told why. */
#ifndef WITHOUT_JANSSON_H
#define WITHOUT_JANSSON_H

#include <stddef.h>
#include <stdio.h>

typedef struct json json_t;
typedef struct {
    int line, column, position;
    char text[160];
} json_error_t;

#define JSON_REJECT_DUPLICATES 1

static inline json_t *json_refuse(json_error_t *e)
{
    *e = (json_error_t){ .line = -1, .column = -1 };
    snprintf(e->text, sizeof(e->text), "this program was built without jansson, which reads JSON");
    return NULL;
}

#define json_loadf(file, flags, error) ((void)(file), json_refuse(error))
#define json_loadb(text, n, flags, error) ((void)(text), (void)(n), json_refuse(error))
#define json_decref(j) ((void)(j))
#define json_is_array(j) ((void)(j), 0)
#define json_is_boolean(j) ((void)(j), 0)
#define json_is_integer(j) ((void)(j), 0)
#define json_is_null(j) ((void)(j), 0)
#define json_is_number(j) ((void)(j), 0)
#define json_is_object(j) ((void)(j), 0)
#define json_is_string(j) ((void)(j), 0)
#define json_is_true(j) ((void)(j), 0)
#define json_array_get(j, i) ((void)(j), (void)(i), (json_t *)NULL)
#define json_array_size(j) ((void)(j), (size_t)0)
#define json_object_get(j, key) ((void)(j), (void)(key), (json_t *)NULL)
#define json_object_size(j) ((void)(j), (size_t)0)
#define json_number_value(j) ((void)(j), 0.0)
#define json_string_value(j) ((void)(j), (const char *)NULL)
#define json_string_length(j) ((void)(j), (size_t)0)
#define json_array_foreach(array, i, value)                                                        \
    for (i = 0, value = NULL; value && (array) && i != 0; i++)
#define json_object_foreach(object, key, value)                                                    \
    for (key = NULL, value = NULL; key && value && (object);)

#endif
