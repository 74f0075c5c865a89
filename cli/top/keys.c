/* keys.c - what each key changes of what is shown. */
#include "top/keys.h"

#include "top/history.h"
#include "top/shared/actions.h"
#include "top/shared/curses.h"

#if TOP_HAS_CURSES

enum { NEWLINE = '\n', RETURN = '\r' };

const char top_keys_line[] =
    "q:quit ?:help /:search \\:filter t:tree P:cpu M:mem T:time -:fold Z:pause";
const char *const top_help[] = {
    "q F10         leave; the job goes on",
    "up down       select a process (also j k, page up, page down, the mouse)",
    "t F5          tree of processes",
    "P M T N G     flat, by CPU use, memory, CPU time, process id, GPU memory",
    "F6 > I        the next order; the other way round",
    "- + Enter     fold or unfold the children of the selected process",
    "/ F3          search a name; n: the next one",
    "\\ F4          show only names that have a word; an empty word: all",
    "w c           charts of the last five minutes, or of all that was seen; others",
    "Tab           the next job (with --all)",
    "Z Space       pause; the job goes on",
    "? h F1        this help; any key leaves it",
    "",
    "PSS: the process's share of the job's memory; RSS: all that it has in memory.",
    "CPU %: since the screen before, 100 is one core.",
    NULL,
};

/* The row is in sight. */
static void go_to(struct top_ui *ui, int at, int n)
{
    ui->at = at < 0 || n == 0 ? 0 : at >= n ? n - 1 : at;
    if (ui->page > 0 && ui->at >= ui->first + ui->page)
        ui->first = ui->at - ui->page + 1;
    if (ui->first > n - ui->page)
        ui->first = n - ui->page;
    if (ui->first > ui->at)
        ui->first = ui->at;
    if (ui->first < 0)
        ui->first = 0;
}

void top_select(struct top_ui *ui, int at, const struct top_row *rows, int n)
{
    go_to(ui, at, n);
    ui->selected = n ? rows[ui->at].process->is.pid : 0;
}

void top_follow(struct top_ui *ui, const struct top_row *rows, int n)
{
    int at = ui->at;

    for (int i = 0; ui->selected && i < n; i++)
        if (rows[i].process->is.pid == ui->selected)
            at = i;
    go_to(ui, at, n);
}

static void search(struct top_ui *ui, int from, const struct top_row *rows, int n)
{
    int found = ui->search[0] ? top_rows_search(rows, n, from, ui->search) : -1;

    if (found >= 0)
        top_select(ui, found, rows, n);
}

static void ask(struct top_ui *ui, enum top_prompt_kind what)
{
    top_prompt_begin(&ui->prompt, what, what == TOP_FILTER ? ui->wish.filter : "");
}

/* --- keys -------------------------------------------------------------------------------------- */

/* True: it moves the selection. */
static bool move_selection(struct top_ui *ui, int key, const struct top_row *rows, int n)
{
    int to;

    switch (key) {
    case KEY_UP:
    case 'k':
        to = ui->at - 1;
        break;
    case KEY_DOWN:
    case 'j':
        to = ui->at + 1;
        break;
    case KEY_PPAGE:
        to = ui->at - ui->page;
        break;
    case KEY_NPAGE:
        to = ui->at + ui->page;
        break;
    case KEY_HOME:
        to = 0;
        break;
    case KEY_END:
        to = n - 1;
        break;
    default:
        return false;
    }
    top_select(ui, to, rows, n);
    return true;
}

/* True: it changes the order. */
static bool order(struct top_ui *ui, int key)
{
    static const struct {
        int key;
        enum top_order order;
    } orders[] = {
        { 't', TOP_TREE },    { KEY_F(5), TOP_TREE }, { 'P', TOP_BY_CPU }, { 'M', TOP_BY_MEMORY },
        { 'T', TOP_BY_TIME }, { 'N', TOP_BY_PID },    { 'G', TOP_BY_GPU },
    };
    int to = key == KEY_F(6) || key == '>' ? ((int)ui->wish.order + 1) % TOP_ORDERS : -1;

    for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
        if (orders[i].key == key)
            to = (int)orders[i].order;
    if (to < 0 && key != 'I')
        return false;
    ui->wish.is_inverted = key == 'I' && !ui->wish.is_inverted;
    if (to >= 0)
        ui->wish.order = (enum top_order)to;
    ui->at = ui->first = 0; /* who comes first is what is asked for */
    ui->selected = 0;
    return true;
}

static void fold(struct top_ui *ui, const struct top_row *rows, int n)
{
    if (ui->at < n && rows[ui->at].process->has_children && ui->wish.order == TOP_TREE)
        top_fold(&ui->wish, rows[ui->at].process->is.pid);
}

/* Keys of this screen alone. */
static void act_here(struct top_ui *ui, int key, const struct top_row *rows, int n)
{
    switch (key) {
    case 'h':
        ui->has_help = true;
        break;
    case '-':
    case '+':
    case NEWLINE:
    case RETURN:
    case KEY_ENTER:
        fold(ui, rows, n);
        break;
    case 'c':
        ui->first_chart = (ui->first_chart + 2) % TOP_N_SERIES;
        break;
    case 'w':
        ui->is_whole_run = !ui->is_whole_run;
        break;
    default:
        break;
    }
}

static void act(struct top_ui *ui, int key, const struct top_row *rows, int n)
{
    switch (top_action_of(key)) {
    case TOP_QUIT:
        ui->quits = true;
        break;
    case TOP_HELP:
        ui->has_help = true;
        break;
    case TOP_ASK_SEARCH:
        ask(ui, TOP_SEARCH);
        break;
    case TOP_ASK_FILTER:
        ask(ui, TOP_FILTER);
        break;
    case TOP_FIND_NEXT:
        search(ui, ui->at + 1, rows, n);
        break;
    case TOP_PAUSE:
        ui->is_paused = !ui->is_paused;
        break;
    case TOP_NEXT_JOB:
        ui->next_job = 1;
        break;
    case TOP_NO_ACTION:
        act_here(ui, key, rows, n);
    }
}

void top_key(struct top_ui *ui, int key, const struct top_row *rows, int n)
{
    if (ui->has_help) {
        ui->has_help = false;
    } else if (ui->prompt.what) {
        if (top_prompt_key(&ui->prompt, key, ui->search, ui->wish.filter))
            search(ui, ui->at, rows, n);
    } else if (!move_selection(ui, key, rows, n) && !order(ui, key)) {
        act(ui, key, rows, n);
    }
}
#endif
