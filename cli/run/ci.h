/* ci.h - what a run leaves for a CI server: --github-summary and --junit. */
#ifndef CLI_RUN_CI_H
#define CLI_RUN_CI_H

#include "options/options.h"
#include "output/expand.h"
#include "output/output.h"

struct run_ci {
    char *junit_file;         /* %h and the like replaced; NULL: none */
    const char *summary_file; /* of the environment; NULL: none */
    struct output junit;
    char *junit_text, *summary_text;
    char junit_label[LABEL_SIZE];
};

/* Which files: before they are compared with others. */
int run_ci_expand(struct run_ci *ci, const struct options *o, const struct expansion *by,
                  struct refusal *ret_why);
/* Refuses one that cannot be written; what the server has not set is said. */
int run_ci_prepare(struct run_ci *ci, const struct options *o, struct refusal *ret_why);
/* The run is over: makes the texts, while its figures are there. */
void run_ci_record(struct run_ci *ci, const struct options *o, const struct gput_usage *u);
/* A failure is said, and changes nothing. */
void run_ci_write(const struct run_ci *ci);
void run_ci_free(struct run_ci *ci);

#endif
