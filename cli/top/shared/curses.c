/* curses.c - the calls of ncurses, found when the full screen is asked for. */
#include "top/shared/curses.h"

#if TOP_HAS_CURSES
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static const char *const libraries[] = { "libncursesw.so.6", "libncursesw.so.5", NULL };

#define AT(field) offsetof(struct top_curses, field)

static const struct {
    size_t at;
    const char *name;
} symbols[] = {
    { AT(new_terminal), "newterm" },
    { AT(new_window), "newwin" },
    { AT(end), "endwin" },
    { AT(resize_terminal), "resizeterm" },
    { AT(resize), "wresize" },
    { AT(move), "wmove" },
    { AT(add), "waddnstr" },
    { AT(attributes), "wattrset" },
    { AT(erase), "werase" },
    { AT(refresh), "wrefresh" },
    { AT(redraw), "clearok" },
    { AT(key), "wgetch" },
    { AT(timeout), "wtimeout" },
    { AT(keypad), "keypad" },
    { AT(no_echo), "noecho" },
    { AT(cbreak), "cbreak" },
    { AT(cursor), "curs_set" },
    { AT(escape_delay), "set_escdelay" },
    { AT(has_colours), "has_colors" },
    { AT(start_colour), "start_color" },
    { AT(default_colours), "use_default_colors" },
    { AT(pair), "init_pair" },
    { AT(mouse), "mousemask" },
    { AT(mouse_event), "getmouse" },
};

static bool find_calls(void *library, struct top_curses *ret)
{
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        void *found = dlsym(library, symbols[i].name);

        if (!found)
            return false;
        memcpy((char *)ret + symbols[i].at, &found, sizeof(found));
    }
    return true;
}

const struct top_curses *top_curses_load(void)
{
    static struct top_curses calls;

    for (size_t i = 0; libraries[i]; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

        if (library && find_calls(library, &calls))
            return &calls;
        if (library)
            (void)dlclose(library);
    }
    return NULL;
}
#else
typedef int top_no_curses; /* a file must not be empty */
#endif
