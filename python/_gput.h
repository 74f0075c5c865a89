/* _gput.h - what the parts of the extension module _gput share. */
#ifndef GPUT_PYTHON_H
#define GPUT_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "gput.h"

#define GPUT_PYTHON_WITH_KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))

/* The types that are a tracker of libgput's. */
struct gput_python_handle {
    PyObject base;                /* PyObject_HEAD */
    struct gput_tracker *tracker; /* NULL: closed */
    PyObject *warn;               /* called with each warning, or NULL */
    char *warnings;               /* that have come in and were not handed on, a line each */
    pthread_mutex_t lock;         /* libgput wants one thread at a time; some calls free the GIL */
    pid_t pid;                    /* whose threads the lock is about */
    enum gput_columns names;      /* of Streams */
};
PyObject *gput_python_new_handle(PyTypeObject *type);
int gput_python_handle_traverse(PyObject *object, visitproc visit, void *arg);
int gput_python_handle_clear(PyObject *object);
void gput_python_handle_dealloc(PyObject *object);
PyObject *gput_python_handle_start(PyObject *self, PyObject *unused);
PyObject *gput_python_handle_stop(PyObject *object, PyObject *args);
PyObject *gput_python_handle_close(PyObject *object, PyObject *unused);

/* Waits until no other thread is in a call.  False, with an exception: the handle is closed. */
bool gput_python_enter(struct gput_python_handle *self);
void gput_python_leave(struct gput_python_handle *self);

/* Text of the library's.  File names in it may be any bytes, and a long text is cut anywhere. */
PyObject *gput_python_text(const char *text);

/* For PyArg_Parse: None, which gives NULL, or a path of any kind. */
int gput_python_to_path(PyObject *value, void *ret_bytes);

/* Sets the exception for a negative errno; returns NULL. */
PyObject *gput_python_raise(int r, const struct gput_error *e);

/* The same for calls that read or write files of code blocks: one that is not what it should be is a
 * value that cannot be. */
PyObject *gput_python_raise_file(int r, const struct gput_error *e);
/* What such a call gave: `text`, which is freed, or the exception; that of a warning goes first. */
PyObject *gput_python_text_or_raise(int r, const struct gput_error *e, char *text);

/* The name of a code block or a session in UTF-8, as bytes.  What UTF-8 does not know (parts of a
 * path that is no text) is written as in a literal of Python. */
PyObject *gput_python_encode(PyObject *name);

/* For struct gput_callbacks, whose ctx is a char **: libgput may warn while the GIL is free, so
 * Python hears of it when the call is over. */
void gput_python_keep_warning(void *ctx, const char *line);
/* Calls `warn` with each line that was kept, and frees them.  There must be no exception. */
void gput_python_hand_on_warnings(PyObject *warn, char *lines);

/* Runs as a sequence of tuples, see _gput_recommend.c; free() them.  -1 with an exception. */
int gput_python_to_runs(PyObject *sequence, struct gput_demand **ret_runs, size_t *ret_n);

/* _gput_report.c: methods of all handles. */
PyObject *gput_python_handle_report(PyObject *object, PyObject *args, PyObject *kwargs);
PyObject *gput_python_handle_plot(PyObject *object, PyObject *args, PyObject *kwargs);

/* _gput_laps.c: methods of Tracker. */
PyObject *gput_python_handle_lap(PyObject *object, PyObject *args);
PyObject *gput_python_handle_judge(PyObject *object, PyObject *args);

/* What each part adds to the module: 0, or -1 with an exception. */
int gput_python_add_marks(PyObject *module);     /* _gput_marks.c */
int gput_python_add_blocks(PyObject *module);    /* _gput_blocks.c, and marks too */
int gput_python_add_streams(PyObject *module);   /* _gput_streams.c, and recommend too */
int gput_python_add_recommend(PyObject *module); /* _gput_recommend.c, and the following */
int gput_python_add_report(PyObject *module);    /* _gput_report.c */
int gput_python_add_servers(PyObject *module);   /* _gput_servers.c */
int gput_python_add_laps(PyObject *module);      /* _gput_laps.c */

#endif
