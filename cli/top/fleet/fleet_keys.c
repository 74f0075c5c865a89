/* fleet_keys.c - what each key changes of the grid of ranks. */
#include "top/fleet/fleet_keys.h"

#include "top/shared/actions.h"
#include "top/shared/curses.h"

#if TOP_HAS_CURSES
#include <stdio.h>
#include <string.h>

const char top_fleet_keys_line[] =
    "q:quit ?:help /:search \\:filter S:state N:rank M:mem P:cpu T:time g:map Z:pause";
const char *const top_fleet_help[] = {
    "q F10         leave; the job goes on",
    "arrows        select a rank (also h j k l, page up, page down, the mouse)",
    "S             missing and failed ranks first",
    "N M P T       by number, memory, CPU use, time",
    "g             a map: each rank a character, by memory, CPU use or time",
    "/ F3          search a number, or a node; n: the next one",
    "\\ F4          only nodes or states that have a word; an empty word: all",
    "Tab           the next job of the folder",
    "Z Space       pause; the job goes on",
    "? F1          this help; any key leaves it",
    "",
    "S: - missing, F failed, ? no news for minutes, R running, E ended.",
    "Memory is the most so far, CPU and GPU use are means, as the files of the",
    "nodes tell them; while ranks run these are written once a minute.",
    NULL,
};

static void go_to(struct top_fleet_ui *ui, int at, int n)
{
    int lines = ui->across > 0 ? (n + ui->across - 1) / ui->across : 0, line;

    ui->at = at < 0 || n == 0 ? 0 : at >= n ? n - 1 : at;
    line = ui->across > 0 ? ui->at / ui->across : 0;
    if (line >= ui->first + ui->page)
        ui->first = line - ui->page + 1;
    if (ui->first > lines - ui->page)
        ui->first = lines - ui->page;
    if (ui->first > line)
        ui->first = line;
    if (ui->first < 0)
        ui->first = 0;
}

void top_fleet_select(struct top_fleet_ui *ui, int at, const struct gput_fleet_rank *const *ranks,
                      int n)
{
    go_to(ui, at, n);
    ui->is_selected = n > 0;
    if (n == 0)
        return;
    ui->rank = ranks[ui->at]->rank;
    snprintf(ui->node, sizeof(ui->node), "%s", ranks[ui->at]->node);
}

/* One that was missing has a node now. */
static bool is_selected(const struct top_fleet_ui *ui, const struct gput_fleet_rank *r)
{
    return r->rank == ui->rank && (!ui->node[0] || !r->node[0] || strcmp(r->node, ui->node) == 0);
}

void top_fleet_follow(struct top_fleet_ui *ui, const struct gput_fleet_rank *const *ranks, int n)
{
    int at = ui->at;

    for (int i = 0; ui->is_selected && i < n; i++)
        if (is_selected(ui, ranks[i])) {
            at = i;
            break;
        }
    go_to(ui, at, n);
}

static void search(struct top_fleet_ui *ui, int from, const struct gput_fleet_rank *const *ranks,
                   int n)
{
    int found = ui->search[0] ? top_ranks_search(ranks, n, from, ui->search) : -1;

    if (found >= 0)
        top_fleet_select(ui, found, ranks, n);
}

/* --- keys -------------------------------------------------------------------------------------- */

/* True: it moves the selection. */
static bool move_selection(struct top_fleet_ui *ui, int key,
                           const struct gput_fleet_rank *const *ranks, int n)
{
    const struct {
        int key, other, to;
    } moves[] = {
        { KEY_LEFT, 'h', ui->at - 1 },
        { KEY_RIGHT, 'l', ui->at + 1 },
        { KEY_UP, 'k', ui->at >= ui->across ? ui->at - ui->across : ui->at },
        { KEY_DOWN, 'j', ui->at + ui->across < n ? ui->at + ui->across : ui->at },
        { KEY_PPAGE, KEY_PPAGE, ui->at - ui->across * ui->page },
        { KEY_NPAGE, KEY_NPAGE, ui->at + ui->across * ui->page },
        { KEY_HOME, KEY_HOME, 0 },
        { KEY_END, KEY_END, n - 1 },
    };

    for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++)
        if (moves[i].key == key || moves[i].other == key) {
            top_fleet_select(ui, moves[i].to, ranks, n);
            return true;
        }
    return false;
}

/* True: it changes the order; what comes first is what is asked for. */
static bool order(struct top_fleet_ui *ui, int key)
{
    static const char keys[] = { [TOP_RANKS_BY_STATE] = 'S',
                                 [TOP_RANKS_BY_NUMBER] = 'N',
                                 [TOP_RANKS_BY_CPU] = 'P',
                                 [TOP_RANKS_BY_MEMORY] = 'M',
                                 [TOP_RANKS_BY_TIME] = 'T' };

    for (size_t i = 0; i < sizeof(keys); i++)
        if (keys[i] == key) {
            ui->wish.order = (enum top_rank_order)i;
            ui->at = ui->first = 0;
            ui->is_selected = false;
            return true;
        }
    return false;
}

static void act(struct top_fleet_ui *ui, int key, const struct gput_fleet_rank *const *ranks, int n)
{
    switch (top_action_of(key)) {
    case TOP_QUIT:
        ui->quits = true;
        break;
    case TOP_HELP:
        ui->has_help = true;
        break;
    case TOP_ASK_SEARCH:
        top_prompt_begin(&ui->prompt, TOP_SEARCH, "");
        break;
    case TOP_ASK_FILTER:
        top_prompt_begin(&ui->prompt, TOP_FILTER, ui->wish.filter);
        break;
    case TOP_FIND_NEXT:
        search(ui, ui->at + 1, ranks, n);
        break;
    case TOP_PAUSE:
        ui->is_paused = !ui->is_paused;
        break;
    case TOP_NEXT_JOB:
        ui->wants_next = true;
        break;
    case TOP_NO_ACTION:
        ui->is_map ^= key == 'g';
    }
}

void top_fleet_key(struct top_fleet_ui *ui, int key, const struct gput_fleet_rank *const *ranks,
                   int n)
{
    if (ui->has_help) {
        ui->has_help = false;
    } else if (ui->prompt.what) {
        if (top_prompt_key(&ui->prompt, key, ui->search, ui->wish.filter))
            search(ui, ui->at, ranks, n);
    } else if (!move_selection(ui, key, ranks, n) && !order(ui, key)) {
        act(ui, key, ranks, n);
    }
}
#else
typedef int top_no_fleet_keys; /* a file must not be empty */
#endif
