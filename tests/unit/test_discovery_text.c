/* test_discovery_text.c - what `discover` says where less is known than usual. */
#include "report/discovery.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static char *text_of(const struct gput__discovered *d, int as_json)
{
    struct gput__buf out = { 0 };
    char *text = NULL;

    if (as_json)
        gput__discovery_json(d, &out);
    else
        gput__discovery_text(d, &out);
    OK(gput__buf_detach(&out, &text) == 0, "written");
    return text ? text : strdup("");
}

static int says(const char *text, const char *want)
{
    if (strstr(text, want))
        return 1;
    printf("# no <%s> in: %s\n", want, text);
    return 0;
}

static void nothing_yet(void)
{
    struct gput__discovered d = { .has_server = true, .has_cloud = true };
    char *text = text_of(&d, 0), *json = text_of(&d, 1);

    OK(!strcmp(text, "Server: not known yet\nCloud: not known yet\n"), "text");
    OK(says(json, "\"server\": null") && says(json, "\"cloud\": null"), "JSON");
    free(text);
    free(json);
    d = (struct gput__discovered){ .has_cloud = true };
    text = text_of(&d, 0);
    OK(!strcmp(text, "Cloud: not known yet\n"), "what was not asked for is not said");
    free(text);
}

static void a_machine_that_tells_little(void)
{
    struct gput_server server = { .n_gpus = -1,
                                  .gpu_why = "the GPU driver did not answer in time",
                                  .memory = NAN,
                                  .memory_cgroup = NAN,
                                  .memory_effective = NAN,
                                  .cores_cgroup = 1.5,
                                  .cores_effective = 1.5,
                                  .gpu_memory = NAN };
    struct gput_server_gpu gpu = {
        .name = "A GPU", .uuid = "GPU-1", .brand = "intel", .memory = NAN
    };
    struct gput__discovered d = { .has_server = true, .server = &server };
    char *text = text_of(&d, 0);

    OK(says(text, "GPUs                unknown: the GPU driver did not answer in time\n"),
       "GPUs that nobody knows of are not none");
    OK(says(text, "host name           unknown\n") && says(text, "memory              unknown\n") &&
           says(text, "memory, cgroup      none\n") && says(text, "cores, cgroup       1.5\n") &&
           says(text, "disks               none is shown\n"),
       "the rest likewise");
    OK(!strstr(text, "nan") && !strstr(text, "(null)"), "no number that is none");
    free(text);
    server.n_gpus = 0;
    server.gpu_why = NULL;
    text = text_of(&d, 0);
    OK(says(text, "GPUs                none: none was found\n"), "none, without a reason");
    free(text);
    server.n_gpus = 1;
    server.gpus = &gpu;
    text = text_of(&d, 0);
    OK(says(text, "GPUs                A GPU (memory unknown), GPU-1\n"),
       "one whose memory is not told");
    free(text);
}

int main(void)
{
    nothing_yet();
    a_machine_that_tells_little();
    return DONE();
}
