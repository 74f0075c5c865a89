/* _gput.c - libgput for Python, as thin as it can be over gput.h: the module and its type Tracker.
 *
 * The package gpu_tracker is what users see; here a keyword is a field of struct gput_options and a
 * negative errno is an exception.  Limited API: one build serves Python 3.9 and all later ones. */
#include "_gput.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- text and errors ------------------------------------------------------------------------- */

PyObject *gput_python_text(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* Made here and not by PyErr_SetObject(): only OSError itself knows the subclass for an errno. */
static void set_os_error(int r, PyObject *text)
{
    PyObject *error = PyObject_CallFunction(PyExc_OSError, "iO", -r, text);

    if (error)
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
}

/* A value that cannot be, a call that comes too early or too late, or what the system said. */
PyObject *gput_python_raise(int r, const struct gput_error *e)
{
    const char *colon = *e->field ? ": " : "";
    char line[sizeof(e->field) + sizeof(e->text) + 2];
    PyObject *text;

    if (r == -ENOMEM)
        return PyErr_NoMemory();
    snprintf(line, sizeof(line), "%s%s%s", e->field, colon, *e->text ? e->text : strerror(-r));
    text = gput_python_text(gput_text_plain(line));
    if (!text)
        return NULL;
    if (r == -EALREADY || (r == -EINVAL && !*e->field))
        PyErr_SetObject(PyExc_RuntimeError, text);
    else if (r == -EINVAL)
        PyErr_SetObject(PyExc_ValueError, text);
    else
        set_os_error(r, text);
    Py_DECREF(text);
    return NULL;
}

/* --- warnings -------------------------------------------------------------------------------- */

void gput_python_keep_warning(void *ctx, const char *line)
{
    char **lines = ctx, *plain = gput_text_plain(strdup(line)), *longer;

    if (plain && asprintf(&longer, "%s%s\n", *lines ? *lines : "", plain) >= 0) {
        free(*lines);
        *lines = longer;
    }
    free(plain);
}

static void call_with_lines(PyObject *warn, PyObject *lines)
{
    for (Py_ssize_t i = 0; lines && i < PyList_Size(lines); i++) {
        PyObject *answer = PyObject_CallFunctionObjArgs(warn, PyList_GetItem(lines, i), NULL);

        if (!answer && !PyErr_ExceptionMatches(PyExc_Exception))
            return; /* Ctrl-C, or a handler that leaves: for the caller */
        if (!answer)
            PyErr_WriteUnraisable(warn);
        Py_XDECREF(answer);
    }
}

void gput_python_hand_on_warnings(PyObject *warn, char *lines)
{
    PyObject *text = NULL, *list = NULL;

    if (lines && warn && warn != Py_None) {
        text = gput_python_text(lines);
        list = text ? PyUnicode_Splitlines(text, 0) : NULL;
        if (!list)
            PyErr_WriteUnraisable(warn);
        call_with_lines(warn, list);
    }
    free(lines);
    Py_XDECREF(list);
    Py_XDECREF(text);
}

/* --- one thread at a time -------------------------------------------------------------------- */

bool gput_python_enter(struct gput_python_handle *self)
{
    if (self->pid != getpid()) { /* in a forked child nobody is left to unlock it */
        self->pid = getpid();
        self->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    }
    if (pthread_mutex_trylock(&self->lock)) {
        PyThreadState *gil = PyEval_SaveThread();

        pthread_mutex_lock(&self->lock);
        PyEval_RestoreThread(gil);
    }
    if (self->tracker)
        return true;
    pthread_mutex_unlock(&self->lock);
    PyErr_SetString(PyExc_RuntimeError, "the tracker is closed");
    return false;
}

void gput_python_leave(struct gput_python_handle *self)
{
    char *lines = self->warnings;

    self->warnings = NULL;
    pthread_mutex_unlock(&self->lock);
    gput_python_hand_on_warnings(self->warn, lines); /* which may call us again */
}

/* --- making and ending ----------------------------------------------------------------------- */

int gput_python_to_path(PyObject *value, void *ret_bytes)
{
    if (value != Py_None)
        return PyUnicode_FSConverter(value, ret_bytes);
    *(PyObject **)ret_bytes = NULL;
    return 1;
}

static const char *path_or_null(PyObject *bytes)
{
    return bytes ? PyBytes_AsString(bytes) : NULL;
}

/* Fills opts from keywords; the strings are borrowed from them and from ret_paths. */
static bool parse_options(PyObject *args, PyObject *kwargs, struct gput_options *opts,
                          PyObject **ret_warn, PyObject *ret_paths[3])
{
    static char *names[] = { "sleep_time",
                             "ram_unit",
                             "gpu_ram_unit",
                             "time_unit",
                             "gpu_uuids",
                             "gpu_brand",
                             "n_expected_cores",
                             "overwrite",
                             "process_id",
                             "tracking_file",
                             "warn",
                             "resource_usage_file",
                             "helper_path",
                             "keep_series",
                             "all_columns",
                             "job_name",
                             "tags",
                             "budget",
                             NULL };
    int overwrite = 0, keep_series = 0, all_columns = 0;

    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "|$dzzzzzipiO&OO&O&ppzzz:Tracker", names, &opts->sleep_time,
            &opts->ram_unit, &opts->gpu_ram_unit, &opts->time_unit, &opts->gpu_uuids,
            &opts->gpu_brand, &opts->n_expected_cores, &overwrite, &opts->process_id,
            gput_python_to_path, &ret_paths[0], ret_warn, gput_python_to_path, &ret_paths[1],
            gput_python_to_path, &ret_paths[2], &keep_series, &all_columns, &opts->job_name,
            &opts->tags, &opts->budget))
        return false;
    opts->tracking_file = path_or_null(ret_paths[0]);
    opts->resource_usage_file = path_or_null(ret_paths[1]);
    opts->helper_path = path_or_null(ret_paths[2]);
    opts->flags = (overwrite ? GPUT_OVERWRITE : 0u) | (keep_series ? GPUT_KEEP_SERIES : 0u) |
                  (all_columns ? GPUT_ALL_COLUMNS : 0u);
    return true;
}

static bool open_tracker(struct gput_python_handle *self, PyObject *args, PyObject *kwargs)
{
    struct gput_options opts = GPUT_OPTIONS_INIT;
    struct gput_error e = { 0 };
    PyObject *warn = Py_None, *paths[3] = { 0 };
    bool parsed = parse_options(args, kwargs, &opts, &warn, paths);
    int r = 0;

    if (parsed) {
        if (warn != Py_None) {
            Py_INCREF(warn);
            self->warn = warn;
            opts.on =
                (struct gput_callbacks){ .ctx = &self->warnings, .warn = gput_python_keep_warning };
        }
        r = gput_tracker_open(&opts, &self->tracker, &e);
        if (r < 0)
            gput_python_raise(r, &e);
    }
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
        Py_XDECREF(paths[i]);
    return parsed && r == 0;
}

PyObject *gput_python_new_handle(PyTypeObject *type)
{
    struct gput_python_handle *self = (struct gput_python_handle *)PyType_GenericAlloc(type, 0);

    if (!self)
        return NULL;
    self->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    self->pid = getpid();
    return (PyObject *)self;
}

static PyObject *handle_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *self = gput_python_new_handle(type);

    if (self && open_tracker((struct gput_python_handle *)self, args, kwargs))
        return self;
    Py_XDECREF(self);
    return NULL;
}

int gput_python_handle_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((struct gput_python_handle *)object)->warn);
    return 0;
}

int gput_python_handle_clear(PyObject *object)
{
    Py_CLEAR(((struct gput_python_handle *)object)->warn);
    return 0;
}

void gput_python_handle_dealloc(PyObject *object)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    PyTypeObject *type = Py_TYPE(object);

    PyObject_GC_UnTrack(object);
    gput_tracker_close(self->tracker);
    free(self->warnings);
    (void)gput_python_handle_clear(object);
    PyObject_GC_Del(object);
    Py_DECREF(type);
}

/* --- methods --------------------------------------------------------------------------------- */

static PyObject *call_without_gil(PyObject *object,
                                  int (*call)(struct gput_tracker *, struct gput_error *))
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    struct gput_error e = { 0 };
    PyThreadState *gil;
    int r;

    if (!gput_python_enter(self))
        return NULL;
    gil = PyEval_SaveThread();
    r = call(self->tracker, &e);
    PyEval_RestoreThread(gil);
    gput_python_leave(self);
    if (PyErr_Occurred())
        return NULL;
    if (r < 0)
        return gput_python_raise(r, &e);
    Py_RETURN_NONE;
}

static PyObject *handle_check(PyObject *self, PyObject *unused)
{
    (void)unused;
    return call_without_gil(self, gput_tracker_check);
}

PyObject *gput_python_handle_start(PyObject *self, PyObject *unused)
{
    (void)unused;
    return call_without_gil(self, gput_tracker_start);
}

PyObject *gput_python_handle_stop(PyObject *object, PyObject *args)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    struct gput_error e = { 0 };
    PyThreadState *gil;
    double patience = 0;
    int r;

    if (!PyArg_ParseTuple(args, "|d:stop", &patience) || !gput_python_enter(self))
        return NULL;
    gil = PyEval_SaveThread();
    r = gput_tracker_stop(self->tracker, patience, &e);
    PyEval_RestoreThread(gil);
    gput_python_leave(self);
    if (PyErr_Occurred())
        return NULL;
    if (r < 0)
        return gput_python_raise(r, &e);
    Py_RETURN_NONE;
}

static PyObject *format_usage(struct gput_python_handle *self, PyObject *args, PyObject *kwargs,
                              enum gput_format format)
{
    static char *names[] = { "full", NULL };
    struct gput_usage usage = { .size = sizeof(usage) };
    PyObject *result;
    char *text = NULL;
    int full = 0, r;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|p", names, &full) || !gput_python_enter(self))
        return NULL;
    r = gput_tracker_usage(self->tracker, &usage);
    if (r == 0)
        r = gput_usage_format(&usage, format, full, &text);
    gput_python_leave(self);
    if (PyErr_Occurred()) {
        free(text);
        return NULL;
    }
    if (r < 0)
        return gput_python_raise(r, &(struct gput_error){ 0 });
    result = gput_python_text(text);
    free(text);
    return result;
}

static PyObject *handle_usage_json(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return format_usage((struct gput_python_handle *)self, args, kwargs, GPUT_JSON);
}

static PyObject *handle_usage_text(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return format_usage((struct gput_python_handle *)self, args, kwargs, GPUT_TEXT);
}

static PyObject *handle_now(PyObject *object, PyObject *unused)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    struct gput_now now;

    (void)unused;
    if (!gput_python_enter(self))
        return NULL;
    gput_tracker_now(self->tracker, &now);
    gput_python_leave(self);
    if (PyErr_Occurred())
        return NULL;
    return Py_BuildValue("(ddddi)", now.elapsed, now.ram, now.ram_peak, now.cpu_percent,
                         now.n_processes);
}

PyObject *gput_python_handle_close(PyObject *object, PyObject *unused)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    PyThreadState *gil;

    (void)unused;
    if (!gput_python_enter(self)) {
        PyErr_Clear(); /* it was closed before */
        Py_RETURN_NONE;
    }
    gil = PyEval_SaveThread(); /* a helper that runs is waited for */
    self->tracker = gput_tracker_close(self->tracker);
    PyEval_RestoreThread(gil);
    gput_python_leave(self);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

/* --- the module ------------------------------------------------------------------------------ */

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyUnicode_FromString(gput_version());
}

static PyObject *helper_path(PyObject *module, PyObject *unused)
{
    struct gput_error e = { 0 };
    PyObject *result;
    char *path = NULL;
    int r = gput_helper_find(NULL, &path, &e);

    (void)module, (void)unused;
    if (r < 0)
        return gput_python_raise(r, &e);
    result = PyUnicode_DecodeFSDefault(path);
    free(path);
    return result;
}

static PyMethodDef handle_methods[] = {
    { "check", handle_check, METH_NOARGS,
      "Check the gpu_uuids, which takes a helper process that loads the driver." },
    { "start", gput_python_handle_start, METH_NOARGS,
      "Start the helper process; return when it measures." },
    { "stop", gput_python_handle_stop, METH_VARARGS,
      "stop([patience])\n\nEnd the measuring. The figures are there after BrokenPipeError (the "
      "helper had died) and TimeoutError (it was killed) too." },
    { "usage_json", GPUT_PYTHON_WITH_KEYWORDS(handle_usage_json), METH_VARARGS | METH_KEYWORDS,
      "usage_json(full=False)\n\nThe figures so far, or of the whole time, as JSON." },
    { "usage_text", GPUT_PYTHON_WITH_KEYWORDS(handle_usage_text), METH_VARARGS | METH_KEYWORDS,
      "usage_text(full=False)\n\nThe figures so far, or of the whole time, as text." },
    { "now", handle_now, METH_NOARGS,
      "(elapsed seconds, RAM in bytes, its peak, CPU percent, number of processes) just now." },
    { "lap", gput_python_handle_lap, METH_VARARGS,
      "lap([wait_for_gpus])\n\nEnd a lap and begin the next: {figure: (value, source, why)} of what "
      "it used above what there was, and the pids that are \"left\"." },
    { "judge", gput_python_handle_judge, METH_VARARGS,
      "judge(limits, [leftover])\n\nThe lines of a budget, for the last lap." },
    { "close", gput_python_handle_close, METH_NOARGS, "Give back all that the tracker holds." },
    { "report", GPUT_PYTHON_WITH_KEYWORDS(gput_python_handle_report), METH_VARARGS | METH_KEYWORDS,
      "report(title=None, failed=False, runs=(), sub_tracking_file=None, current_vendor=None, "
      "current_type=None, current_region=None)\n\nWhat was measured so far as an HTML page." },
    { "plot", GPUT_PYTHON_WITH_KEYWORDS(gput_python_handle_plot), METH_VARARGS | METH_KEYWORDS,
      "plot(width=0, unicode=True, colour=False, title=None)\n\nThe same as charts of text." },
    { 0 },
};

static PyType_Slot handle_slots[] = {
    { Py_tp_doc, "A tracker of libgput; its keywords are the fields of struct gput_options." },
    { Py_tp_new, handle_new },
    { Py_tp_dealloc, gput_python_handle_dealloc },
    { Py_tp_traverse, gput_python_handle_traverse },
    { Py_tp_clear, gput_python_handle_clear },
    { Py_tp_methods, handle_methods },
    { 0 },
};

static PyType_Spec handle_spec = {
    .name = "_gput.Tracker",
    .basicsize = sizeof(struct gput_python_handle),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = handle_slots,
};

static int fill_module(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&handle_spec);

    if (type && PyModule_AddObject(module, "Tracker", type) == 0)
        return gput_python_add_blocks(module) < 0 || gput_python_add_laps(module) < 0
                   ? -1
                   : gput_python_add_streams(module);
    Py_XDECREF(type);
    return -1;
}

static PyMethodDef module_methods[] = {
    { "version", version, METH_NOARGS, "The version of libgput." },
    { "helper_path", helper_path, METH_NOARGS, "Where the command gpu-tracker was found." },
    { 0 },
};

static PyModuleDef_Slot module_slots[] = {
    { Py_mod_exec, fill_module },
    { 0 },
};

static PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_gput",
    .m_doc = "What a job uses of RAM, CPU, GPUs and time: libgput, for the package gpu_tracker.",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__gput(void);
PyMODINIT_FUNC PyInit__gput(void)
{
    return PyModuleDef_Init(&module_def);
}
