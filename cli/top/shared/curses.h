/* curses.h - the calls of ncurses, found when the full screen is asked for: a run does not load it. */
#ifndef CLI_TOP_CURSES_H
#define CLI_TOP_CURSES_H

#include <stdbool.h>
#include <stdio.h>

#if defined(__has_include) && __has_include(<curses.h>)
#define TOP_HAS_CURSES 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#else /* built without its headers: there are pages of text only */
#define TOP_HAS_CURSES 0
#endif

#if TOP_HAS_CURSES
struct top_curses {
    SCREEN *(*new_terminal)(const char *type, FILE *out, FILE *in);
    WINDOW *(*new_window)(int rows, int columns, int row, int column);
    int (*end)(void);
    int (*resize_terminal)(int rows, int columns);
    int (*resize)(WINDOW *w, int rows, int columns);
    int (*move)(WINDOW *w, int row, int column);
    int (*add)(WINDOW *w, const char *text, int n);
    int (*attributes)(WINDOW *w, int a);
    int (*erase)(WINDOW *w);
    int (*refresh)(WINDOW *w);
    int (*redraw)(WINDOW *w, bool all);
    int (*key)(WINDOW *w);
    void (*timeout)(WINDOW *w, int ms);
    int (*keypad)(WINDOW *w, bool on);
    int (*no_echo)(void);
    int (*cbreak)(void);
    int (*cursor)(int visible);
    int (*escape_delay)(int ms);
    bool (*has_colours)(void);
    int (*start_colour)(void);
    int (*default_colours)(void);
    int (*pair)(short pair, short foreground, short background);
    mmask_t (*mouse)(mmask_t wanted, mmask_t *ret_before);
    int (*mouse_event)(MEVENT *ret);
};

/* NULL: it is not there. */
const struct top_curses *top_curses_load(void);
#endif

#endif
