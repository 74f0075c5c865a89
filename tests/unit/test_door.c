/* test_door.c - who may see the live page. */
#include "api/serve/door.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static struct gput__door door;
static const char *name;

static enum gput__door_answer ask(const char *method, const char *path, const char *token)
{
    static struct gput__http_head head; /* the name is a part of it */

    head = (struct gput__http_head){ .method = "" };
    snprintf(head.method, sizeof(head.method), "%s", method);
    snprintf(head.path, sizeof(head.path), "%s", path);
    if (token)
        snprintf(head.query, sizeof(head.query), "x=1&token=%s", token);
    name = NULL;
    return gput__door_ask(&door, &head, &name);
}

static void a_token_that_opens_once(void)
{
    struct gput_error err;
    struct gput__door other;
    char token[GPUT__DOOR_SECRET], path[80];

    OK(gput__door_open(&door, &err) == 0 && strlen(gput__door_token(&door)) == 32 &&
           strlen(door.folder) == 32 && strcmp(door.folder, gput__door_token(&door)) != 0,
       "a token and a folder of 128 bits each");
    OK(gput__door_open(&other, &err) == 0 && strcmp(other.once, door.once) != 0 &&
           strcmp(other.folder, door.folder) != 0,
       "others for the next one");
    snprintf(token, sizeof(token), "%s", gput__door_token(&door));
    OK(ask("GET", "/", NULL) == GPUT__DOOR_SHUT && ask("GET", "/", "") == GPUT__DOOR_SHUT &&
           ask("GET", "/", other.once) == GPUT__DOOR_SHUT &&
           ask("GET", "/x", token) == GPUT__DOOR_SHUT,
       "without it nobody is let in");
    OK(ask("HEAD", "/", token) == GPUT__DOOR_OPENS && ask("GET", "/", token) == GPUT__DOOR_OPENS,
       "with it somebody is");
    OK(ask("GET", "/", token) == GPUT__DOOR_SHUT && ask("GET", "/", "") == GPUT__DOOR_SHUT,
       "once: then not even without one");
    snprintf(path, sizeof(path), "/%s/", door.folder);
    OK(ask("GET", path, NULL) == GPUT__DOOR_INSIDE && !strcmp(name, ""), "the folder is open");
    snprintf(path, sizeof(path), "/%s/events", door.folder);
    OK(ask("GET", path, NULL) == GPUT__DOOR_INSIDE && !strcmp(name, "events"),
       "with what is in it");
    path[5] ^= 1;
    OK(ask("GET", path, NULL) == GPUT__DOOR_SHUT, "another is not");
    snprintf(path, sizeof(path), "/%s", door.folder);
    OK(ask("GET", path, NULL) == GPUT__DOOR_SHUT && ask("GET", "//", NULL) == GPUT__DOOR_SHUT,
       "nor what is no folder");
    gput__door_close(&other);
    gput__door_close(&door);
}

static void a_kept_token(void)
{
    static const char *const bad[] = { "short", "a token with blanks", "percent%41aaaa",
                                       "a&b=cdefgh" };
    struct gput_error err;

    setenv("GPUT_SERVE_TOKEN", "mine-and.only_mine~", 1);
    OK(gput__door_open(&door, &err) == 0 && !strcmp(gput__door_token(&door), "mine-and.only_mine~"),
       "a token of one's own");
    OK(ask("GET", "/", "mine-and.only_mine~") == GPUT__DOOR_OPENS &&
           ask("GET", "/", "mine-and.only_mine~") == GPUT__DOOR_OPENS &&
           ask("GET", "/", "mine-and.only_mine") == GPUT__DOOR_SHUT,
       "opens as often as it is given");
    gput__door_close(&door);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        setenv("GPUT_SERVE_TOKEN", bad[i], 1);
        OK(gput__door_open(&door, &err) == -EINVAL && strstr(err.text, "GPUT_SERVE_TOKEN"),
           "'%s' is none", bad[i]);
        gput__door_close(&door);
    }
    unsetenv("GPUT_SERVE_TOKEN");
}

int main(void)
{
    a_token_that_opens_once();
    a_kept_token();
    return DONE();
}
