/* actions.h - what a key asks for, whatever is shown. */
#ifndef CLI_TOP_ACTIONS_H
#define CLI_TOP_ACTIONS_H

enum top_action {
    TOP_NO_ACTION,
    TOP_QUIT,
    TOP_HELP,
    TOP_ASK_SEARCH,
    TOP_ASK_FILTER,
    TOP_FIND_NEXT,
    TOP_PAUSE,
    TOP_NEXT_JOB,
};

/* `key` as ncurses has it. */
enum top_action top_action_of(int key);

#endif
