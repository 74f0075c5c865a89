/* _gput_report.c - for Python, a run as a page and as charts of text: of a tracker or of a file. */
#include "_gput.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Who makes it: a page or charts of what is in `o`. */
typedef int maker(const void *o, char **ret_text, struct gput_error *ret_err);

static int make_page(const void *o, char **ret_text, struct gput_error *ret_err)
{
    return gput_report_html(o, ret_text, ret_err);
}

static int make_charts(const void *o, char **ret_text, struct gput_error *ret_err)
{
    return gput_report_text(o, ret_text, ret_err);
}

/* Nobody else has the tracker meanwhile. */
static PyObject *of_tracker(struct gput_python_handle *self, maker *make, const void *o,
                            struct gput_callbacks *on, struct gput_tracker **tracker)
{
    struct gput_error e = { 0 };
    PyThreadState *gil;
    char *text = NULL;
    int r;

    if (!gput_python_enter(self))
        return NULL;
    *on = (struct gput_callbacks){ .ctx = &self->warnings, .warn = gput_python_keep_warning };
    *tracker = self->tracker;
    gil = PyEval_SaveThread();
    r = make(o, &text, &e);
    PyEval_RestoreThread(gil);
    gput_python_leave(self);
    return gput_python_text_or_raise(r, &e, text);
}

static PyObject *of_file(PyObject *warn, maker *make, const void *o, struct gput_callbacks *on)
{
    struct gput_error e = { 0 };
    char *text = NULL, *lines = NULL;
    PyThreadState *gil;
    int r;

    *on = (struct gput_callbacks){ .ctx = &lines, .warn = gput_python_keep_warning };
    gil = PyEval_SaveThread();
    r = make(o, &text, &e);
    PyEval_RestoreThread(gil);
    gput_python_hand_on_warnings(warn, lines);
    return gput_python_text_or_raise(r, &e, text);
}

static const char *path_in(PyObject *bytes)
{
    return bytes ? PyBytes_AsString(bytes) : NULL;
}

/* Of a tracker, or, without one, of the file that is named. */
static PyObject *report(struct gput_python_handle *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {
        "title",        "failed",         "runs", "sub_tracking_file", "file", "current_vendor",
        "current_type", "current_region", "warn", "fragment",          NULL
    };
    struct gput_report_options o = GPUT_REPORT_OPTIONS_INIT;
    PyObject *runs = NULL, *marks = NULL, *file = NULL, *warn = Py_None, *result = NULL;
    struct gput_demand *earlier = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$zpOO&O&zzzOp:report", names, &o.title,
                                     &o.has_failed, &runs, gput_python_to_path, &marks,
                                     gput_python_to_path, &file, &o.current_vendor, &o.current_type,
                                     &o.current_region, &warn, &o.is_fragment))
        return NULL;
    o.sub_tracking_file = path_in(marks);
    o.file = path_in(file);
    if (!runs || gput_python_to_runs(runs, &earlier, &o.n_earlier) == 0) {
        o.earlier = earlier;
        result = self ? of_tracker(self, make_page, &o, &o.on, &o.tracker)
                      : of_file(warn, make_page, &o, &o.on);
    }
    free(earlier);
    Py_XDECREF(marks);
    Py_XDECREF(file);
    return result;
}

static PyObject *plot(struct gput_python_handle *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "width", "unicode", "colour", "title", "file", "warn", NULL };
    struct gput_plot_options o = GPUT_PLOT_OPTIONS_INIT;
    PyObject *file = NULL, *warn = Py_None, *result;

    o.use_unicode = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$ippzO&O:plot", names, &o.width,
                                     &o.use_unicode, &o.use_colour, &o.title, gput_python_to_path,
                                     &file, &warn))
        return NULL;
    o.file = path_in(file);
    result = self ? of_tracker(self, make_charts, &o, &o.on, &o.tracker)
                  : of_file(warn, make_charts, &o, &o.on);
    Py_XDECREF(file);
    return result;
}

PyObject *gput_python_handle_report(PyObject *object, PyObject *args, PyObject *kwargs)
{
    return report((struct gput_python_handle *)object, args, kwargs);
}

PyObject *gput_python_handle_plot(PyObject *object, PyObject *args, PyObject *kwargs)
{
    return plot((struct gput_python_handle *)object, args, kwargs);
}

static PyObject *report_file(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    return report(NULL, args, kwargs);
}

static PyObject *plot_file(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    return plot(NULL, args, kwargs);
}

static PyObject *replace_file(PyObject *module, PyObject *args)
{
    PyObject *path = NULL;
    const char *text;
    int r;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&s:replace_file", PyUnicode_FSConverter, &path, &text))
        return NULL;
    r = gput_file_replace(PyBytes_AsString(path), text);
    Py_DECREF(path);
    if (r < 0) {
        errno = -r;
        return PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, PyTuple_GetItem(args, 0));
    }
    Py_RETURN_NONE;
}

/* Emptied once it is known to be ours. */
static int open_emptied(const char *path)
{
    int fd = gput_file_open(path, O_WRONLY | O_CREAT), r;

    if (fd < 0)
        return fd;
    r = ftruncate(fd, 0) < 0 && errno != EINVAL ? -errno : 0; /* EINVAL: a pipe or device */
    if (r < 0)
        close(fd);
    return r < 0 ? r : fd;
}

static PyObject *open_file(PyObject *module, PyObject *args)
{
    PyObject *path;
    int fd;

    (void)module;
    if (!PyArg_ParseTuple(args, "O&:open_file", PyUnicode_FSConverter, &path))
        return NULL;
    /* clang-format off */
    Py_BEGIN_ALLOW_THREADS /* it may be a pipe that nobody reads yet */
    fd = open_emptied(PyBytes_AsString(path));
    Py_END_ALLOW_THREADS
        /* clang-format on */
        Py_DECREF(path);
    if (fd < 0) {
        errno = -fd;
        return PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, PyTuple_GetItem(args, 0));
    }
    return PyLong_FromLong(fd);
}

static PyMethodDef functions[] = {
    { "report", GPUT_PYTHON_WITH_KEYWORDS(report_file), METH_VARARGS | METH_KEYWORDS,
      "report(file, title=None, failed=False, runs=(), sub_tracking_file=None, current_vendor=None, "
      "current_type=None, current_region=None, warn=None, fragment=False)\n\nThe run that is in a "
      "file as an HTML page, or as a part of one." },
    { "plot", GPUT_PYTHON_WITH_KEYWORDS(plot_file), METH_VARARGS | METH_KEYWORDS,
      "plot(file, width=0, unicode=True, colour=False, title=None, warn=None)\n\nThe same as charts of text." },
    { "replace_file", replace_file, METH_VARARGS,
      "replace_file(path, text)\n\nReaders find the old or the new text, never a part." },
    { "open_file", open_file, METH_VARARGS,
      "open_file(path)\n\nThe descriptor of an emptied file; not of one that another user has laid "
      "there." },
    { 0 },
};

int gput_python_add_report(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
