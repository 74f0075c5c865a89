/* fuzz_http_head.c - heads of requests that the listener is asked. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "net/http_head.h"
#include "text.h"

/* A value is a part of the query, behind its name. */
static void query(const struct gput__http_head *head)
{
    char value[32] = "as it was";

    if (gput__http_query_value(head->query, "token", value, sizeof(value)))
        fuzz_must(!strchr(value, '&') && strstr(head->query, "token=") &&
                  strstr(head->query, value) && strlen(value) < sizeof(value));
    else
        fuzz_must(!strcmp(value, "as it was"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size ? size : 1);
    struct gput__http_head head;
    size_t n;
    int status;

    fuzz_must(text != NULL);
    memcpy(text, data, size);
    n = gput__http_head_length(text, size);
    fuzz_must(n <= size);
    status = gput__http_head_parse(text, n ? n : size, &head);
    fuzz_must(status == 0 || status == 400 || status == 431 || status == 505);
    if (status == 0) {
        fuzz_must(head.path[0] == '/' && head.method[0] && !strpbrk(head.host, "\r\n "));
        fuzz_must(!strpbrk(head.authorization, "\r\n") && (head.has_host || !head.is_http11));
        fuzz_must(!strpbrk(head.query, "\r\n ") && !strchr(head.path, '?'));
        query(&head);
    }
    free(text);
    return 0;
}
