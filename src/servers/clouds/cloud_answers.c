/* cloud_answers.c - what the metadata services of clouds answer, read with suspicion. */
#include "servers/clouds/cloud_answers.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/text/json_tree.h"

#define LONGEST 63 /* what the facts have room for */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

/* A name of the kind that clouds give to types and regions. */
static int parse_word(const char *text, size_t n, char ret[LONGEST + 1])
{
    if (n == 0 || n > LONGEST || !isalnum((unsigned char)text[0]))
        return -EBADMSG;
    for (size_t i = 0; i < n; i++)
        if (!is_plain(text[i]))
            return -EBADMSG;
    memcpy(ret, text, n);
    ret[n] = '\0';
    return 0;
}

/* Without the newline that may stand at the end. */
static size_t trimmed(const char *text, size_t n)
{
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r'))
        n--;
    return n;
}

int gput__cloud_parse_type(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    return parse_word(text, trimmed(text, n), facts->instance_type);
}

int gput__cloud_parse_region(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    return parse_word(text, trimmed(text, n), facts->region);
}

int gput__cloud_parse_token(const char *text, size_t n, char *ret, size_t cap)
{
    n = trimmed(text, n);
    if (n == 0 || n >= cap)
        return -EBADMSG;
    for (size_t i = 0; i < n; i++)
        if (text[i] <= ' ' || text[i] >= 0x7F)
            return -EBADMSG;
    memcpy(ret, text, n);
    ret[n] = '\0';
    return 0;
}

/* "us-central1-a" is in "us-central1". */
static int parse_zone(const char *zone, size_t n, char ret[LONGEST + 1])
{
    const char *dash = memrchr(zone, '-', n);

    return dash ? parse_word(zone, (size_t)(dash - zone), ret) : -EBADMSG;
}

/* --- Google: projects/NUMBER/KIND/NAME ------------------------------------------------------ */

/* Returns the length of NAME, 0: of another form. */
static size_t find_name(const char *text, size_t n, const char *kind, const char **ret_name)
{
    static const char head[] = "projects/";
    const char *p = text + sizeof(head) - 1, *end;

    n = trimmed(text, n);
    end = text + n;
    if (n < sizeof(head) || memcmp(text, head, sizeof(head) - 1))
        return 0;
    while (p < end && *p != '/')
        p++;
    if ((size_t)(end - p) <= strlen(kind) || memcmp(p, kind, strlen(kind)))
        return 0;
    *ret_name = p + strlen(kind);
    return (size_t)(end - *ret_name);
}

int gput__cloud_parse_gcp_type(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    const char *name = NULL;
    size_t len = find_name(text, n, "/machineTypes/", &name);

    return parse_word(name, len, facts->instance_type);
}

int gput__cloud_parse_gcp_zone(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    const char *name = NULL;
    size_t len = find_name(text, n, "/zones/", &name);

    return len ? parse_zone(name, len, facts->region) : -EBADMSG;
}

/* --- JSON ----------------------------------------------------------------------------------- */

/* NULL: it is no JSON. */
static struct gput_json *load(const char *text, size_t n)
{
    struct gput_json *json = NULL;

    (void)gput__json_tree_of(text, n, false, &json, NULL);
    return json;
}

static int parse_member(const struct gput_json *object, const char *key, char ret[LONGEST + 1])
{
    const struct gput_json *value = gput__json_member_of(object, key, GPUT_JSON_STRING);

    return value ? parse_word(value->text, strlen(value->text), ret) : -EBADMSG;
}

static bool has_member(const struct gput_json *object, const char *key, const char *value)
{
    const struct gput_json *found = gput__json_member_of(object, key, GPUT_JSON_STRING);

    return found && !strcmp(found->text, value);
}

int gput__cloud_parse_azure(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    struct gput__cloud_facts found = *facts;
    struct gput_json *all = load(text, n);
    const struct gput_json *compute = gput_json_member(all, "compute");
    int r = parse_member(compute, "vmSize", found.instance_type);

    if (r == 0)
        r = parse_member(compute, "location", found.region);
    if (r == 0)
        *facts = found;
    gput_json_free(all);
    return r;
}

int gput__cloud_parse_upcloud(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    struct gput_json *all = load(text, n);
    int r = has_member(all, "cloud_name", "upcloud") ? parse_member(all, "region", facts->region)
                                                     : -EBADMSG;

    gput_json_free(all);
    return r;
}

/* --- OVH: OpenStack's own answers ----------------------------------------------------------- */

int gput__cloud_parse_ovh_network(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    static const char resolver[] = "213.186.33.99"; /* OVH's, which its instances are given */
    struct gput_json *all = load(text, n);
    const struct gput_json *services = gput__json_member_of(all, "services", GPUT_JSON_LIST);

    for (size_t i = 0; services && i < services->n; i++)
        if (has_member(&services->item[i], "type", "dns") &&
            has_member(&services->item[i], "address", resolver))
            facts->is_confirmed = true;
    gput_json_free(all);
    return services ? 0 : -EBADMSG;
}

/* "eu-west-par-a" is in "EU-WEST-PAR", as OVH writes its regions; "nova" is OpenStack's word for
 * no zone at all. */
int gput__cloud_parse_ovh_zone(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    char zone[LONGEST + 1], region[LONGEST + 1];
    struct gput_json *all = load(text, n);
    int r = parse_member(all, "availability_zone", zone);

    gput_json_free(all);
    if (r == 0 && strcmp(zone, "nova") != 0)
        r = parse_zone(zone, strlen(zone), region);
    else if (r == 0)
        return 0;
    if (r < 0)
        return r;
    for (size_t i = 0; i <= strlen(region); i++)
        facts->region[i] = (char)toupper((unsigned char)region[i]);
    return 0;
}

/* --- Hetzner: "key: value" in lines --------------------------------------------------------- */

/* The value behind a key that begins a line, without quotes; its length, 0: there is none. */
static size_t find_line(const char *text, const char *key, const char **ret_value)
{
    size_t n = strlen(key);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        const char *value, *end;

        line += *line == '\n';
        if (strncmp(line, key, n) || line[n] != ':')
            continue;
        value = line + n + 1;
        value += strspn(value, " ");
        end = value + strcspn(value, "\r\n");
        while (end > value && end[-1] == ' ')
            end--;
        if (end - value >= 2 && (*value == '\'' || *value == '"') && end[-1] == *value) {
            value++;
            end--;
        }
        *ret_value = value;
        return (size_t)(end - value);
    }
    return 0;
}

int gput__cloud_parse_hcloud(const char *text, size_t n, struct gput__cloud_facts *facts)
{
    const char *value = NULL;
    size_t len;

    if (strlen(text) != n || !find_line(text, "instance-id", &value))
        return -EBADMSG;
    len = find_line(text, "region", &value);
    return parse_word(value, len, facts->region);
}
