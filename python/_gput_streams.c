/* _gput_streams.c - the streams of libgput for Python: the types Streams and Rows. */
#include "_gput.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rows {
    PyObject base;
    struct gput_rows *rows;
    enum gput_stream kind;
    enum gput_columns names;
};

static PyTypeObject *rows_type; /* made with the module, and as old as it */

static bool kind_of(const char *name, enum gput_stream *ret)
{
    if (strcmp(name, "process") != 0 && strcmp(name, "system") != 0) {
        PyErr_Format(PyExc_ValueError, "'%s' is not one of: process, system", name);
        return false;
    }
    *ret = strcmp(name, "system") == 0 ? GPUT_STREAM_SYSTEM : GPUT_STREAM_PROCESS;
    return true;
}

static PyObject *number(double value, int is_whole)
{
    if (isnan(value))
        Py_RETURN_NONE;
    return is_whole ? PyLong_FromDouble(value) : PyFloat_FromDouble(value);
}

static PyObject *bytes_or_raise(int r, char *text)
{
    PyObject *bytes = r < 0 ? gput_python_raise(r, &(struct gput_error){ 0 })
                            : PyBytes_FromStringAndSize(text, (Py_ssize_t)strlen(text));

    free(text);
    return bytes;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void rows_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);

    gput_rows_close(((struct rows *)object)->rows);
    PyObject_Free(object);
    Py_DECREF(type);
}

static Py_ssize_t rows_length(PyObject *object)
{
    return (Py_ssize_t)gput_rows_count(((struct rows *)object)->rows);
}

static PyObject *list_of(const double *values, size_t n, int is_whole)
{
    PyObject *list = PyList_New((Py_ssize_t)n);

    for (size_t i = 0; list && i < n; i++) {
        PyObject *item = number(values[i], is_whole);

        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *rows_column(PyObject *object, PyObject *args)
{
    struct rows *self = (struct rows *)object;
    Py_ssize_t first = 0, last = rows_length(object), count = last;
    unsigned column;
    int is_whole = 0, r;
    double *values;
    PyObject *list;

    if (!PyArg_ParseTuple(args, "I|nn:column", &column, &first, &last))
        return NULL;
    if (first < 0 || last > count || first > last ||
        !gput_stream_column(self->kind, self->names, column, &is_whole)) {
        PyErr_SetString(PyExc_IndexError, "there are no such rows or columns");
        return NULL;
    }
    values = malloc((size_t)(last - first + 1) * sizeof(*values));
    if (!values)
        return PyErr_NoMemory();
    r = gput_rows_values(self->rows, self->names, column, (size_t)first, (size_t)(last - first),
                         values);
    list = r < 0 ? gput_python_raise(r, &(struct gput_error){ 0 })
                 : list_of(values, (size_t)(last - first), is_whole);
    free(values);
    return list;
}

static PyObject *rows_csv(PyObject *object, PyObject *args)
{
    struct rows *self = (struct rows *)object;
    Py_ssize_t first = 0, n = rows_length(object);
    PyObject *whole = PyBytes_FromStringAndSize(NULL, 0);

    if (!PyArg_ParseTuple(args, "|n:csv", &first)) {
        Py_XDECREF(whole);
        return NULL;
    }
    for (Py_ssize_t i = first < 0 ? 0 : first; whole && i < n; i++) {
        char *text = NULL;
        int r = gput_rows_line(self->rows, self->names, GPUT_LINE_CSV, (size_t)i, &text);

        PyBytes_ConcatAndDel(&whole, bytes_or_raise(r, text));
    }
    return whole;
}

static PyMethodDef rows_methods[] = {
    { "column", rows_column, METH_VARARGS,
      "column(i[, first[, last]])\n\nThe values of a column as a list, None where not known." },
    { "csv", rows_csv, METH_VARARGS, "csv([first])\n\nThe rows from the first on as lines." },
    { 0 },
};

static PyType_Slot rows_slots[] = {
    { Py_tp_doc, "The rows of a stream as they were when they were asked for." },
    { Py_tp_dealloc, rows_dealloc },
    { Py_sq_length, rows_length },
    { Py_tp_methods, rows_methods },
    { 0 },
};

static PyType_Spec rows_spec = {
    .name = "_gput.Rows",
    .basicsize = sizeof(struct rows),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = rows_slots,
};

/* --- Streams: making ---------------------------------------------------------------------------- */

struct wishes {
    struct gput_options opts;
    const char *columns;
    enum gput_columns names;
    int children, process, system, server, cloud;
    PyObject *warn, *helper_path;
};

static bool names_of(const char *columns, enum gput_columns *ret)
{
    static const struct {
        const char *columns;
        enum gput_columns names;
    } all[] = { { "seed", GPUT_COLUMNS_KIB },
                { "mib", GPUT_COLUMNS_MIB },
                { "all", GPUT_COLUMNS_ALL },
                { "all,mib", GPUT_COLUMNS_ALL_MIB } };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (strcmp(all[i].columns, columns) != 0)
            continue;
        *ret = all[i].names;
        return true;
    }
    return false;
}

static bool parse(PyObject *args, PyObject *kwargs, struct wishes *w)
{
    static char *names[] = {
        "pid",         "interval", "children",        "process",        "system",
        "start_time",  "columns",  "nvml_path",       "proc_root",      "sys_root",
        "helper_path", "warn",     "discover_server", "discover_cloud", "metadata_url",
        NULL
    };

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|idpppdszzzO&Oppz:Streams", names,
                                     &w->opts.process_id, &w->opts.sleep_time, &w->children,
                                     &w->process, &w->system, &w->opts.start_time, &w->columns,
                                     &w->opts.nvml_path, &w->opts.proc_root, &w->opts.sys_root,
                                     gput_python_to_path, &w->helper_path, &w->warn, &w->server,
                                     &w->cloud, &w->opts.metadata_url))
        return false;
    if (!names_of(w->columns, &w->names)) {
        PyErr_Format(PyExc_ValueError, "columns: '%s' is not one of: seed, mib, all, all,mib",
                     w->columns);
        return false;
    }
    if (w->opts.sleep_time == 0) {
        PyErr_SetString(PyExc_ValueError, "interval: 0 is not a number of seconds");
        return false;
    }
    if (w->helper_path)
        w->opts.helper_path = PyBytes_AsString(w->helper_path);
    w->opts.flags = GPUT_ALIGN | (w->process ? GPUT_STREAM_OF_PROCESS : 0u) |
                    (w->system ? GPUT_STREAM_OF_SYSTEM : 0u) | (w->children ? 0u : GPUT_MAIN_ONLY) |
                    (w->names & GPUT_COLUMNS_ALL ? GPUT_ALL_COLUMNS : 0u);
    w->opts.discover =
        (w->server ? GPUT_DISCOVER_SERVER : 0u) | (w->cloud ? GPUT_DISCOVER_CLOUD : 0u);
    return true;
}

static bool open_streams(struct gput_python_handle *self, PyObject *args, PyObject *kwargs)
{
    struct wishes w = { .opts = GPUT_OPTIONS_INIT, .columns = "seed", .warn = Py_None };
    struct gput_error e = { 0 };
    bool done = false;
    int r;

    w.opts.sleep_time = 1;
    w.children = w.process = w.system = 1;
    if (parse(args, kwargs, &w)) {
        if (w.warn != Py_None) {
            Py_INCREF(w.warn);
            self->warn = w.warn;
            w.opts.on =
                (struct gput_callbacks){ .ctx = &self->warnings, .warn = gput_python_keep_warning };
        }
        self->names = w.names;
        r = gput_tracker_open(&w.opts, &self->tracker, &e);
        done = r == 0;
        if (r < 0)
            gput_python_raise(r, &e);
    }
    Py_XDECREF(w.helper_path);
    return done;
}

static PyObject *streams_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *self = gput_python_new_handle(type);

    if (self && open_streams((struct gput_python_handle *)self, args, kwargs))
        return self;
    Py_XDECREF(self);
    return NULL;
}

/* --- Streams: reading --------------------------------------------------------------------------- */

/* A stream's kind as the only argument, and the handle for us alone. */
static struct gput_python_handle *begin(PyObject *object, PyObject *args,
                                        enum gput_stream *ret_kind)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    const char *name;

    if (!PyArg_ParseTuple(args, "s", &name) || !kind_of(name, ret_kind) || !gput_python_enter(self))
        return NULL;
    return self;
}

static PyObject *streams_rows(PyObject *object, PyObject *args)
{
    enum gput_stream kind;
    struct gput_python_handle *self = begin(object, args, &kind);
    struct gput_rows *rows = NULL;
    struct rows *result;
    int r;

    if (!self)
        return NULL;
    r = gput_rows_read(self->tracker, kind, &rows);
    gput_python_leave(self);
    if (r < 0)
        return gput_python_raise(r, &(struct gput_error){ 0 });
    result = PyObject_New(struct rows, rows_type);
    if (!result) {
        gput_rows_close(rows);
        return NULL;
    }
    result->rows = rows;
    result->kind = kind;
    result->names = self->names;
    return (PyObject *)result;
}

static PyObject *dict_of(enum gput_stream kind, enum gput_columns names,
                         const struct gput_column_stats *stats)
{
    PyObject *dict = PyDict_New();
    const char *name;

    for (unsigned i = 0; dict && (name = gput_stream_column(kind, names, i, NULL)); i++) {
        const struct gput_column_stats *s = &stats[i];
        PyObject *value =
            Py_BuildValue("(Kdddd)", (unsigned long long)s->n, s->min, s->max, s->mean, s->sum);

        if (!value || PyDict_SetItemString(dict, name, value) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *streams_stats(PyObject *object, PyObject *args)
{
    enum gput_stream kind;
    struct gput_python_handle *self = begin(object, args, &kind);
    struct gput_column_stats *stats;
    PyObject *dict;
    unsigned n = 0;
    int r;

    if (!self)
        return NULL;
    while (gput_stream_column(kind, self->names, n, NULL))
        n++;
    stats = calloc(n, sizeof(*stats));
    r = stats ? gput_stream_stats(self->tracker, kind, self->names, stats, NULL) : -ENOMEM;
    gput_python_leave(self);
    dict =
        r < 0 ? gput_python_raise(r, &(struct gput_error){ 0 }) : dict_of(kind, self->names, stats);
    free(stats);
    return dict;
}

static PyObject *streams_n_samples(PyObject *object, PyObject *args)
{
    enum gput_stream kind;
    struct gput_python_handle *self = begin(object, args, &kind);
    uint64_t n;

    if (!self)
        return NULL;
    n = gput_stream_count(self->tracker);
    gput_python_leave(self);
    return PyLong_FromUnsignedLongLong(n);
}

static PyObject *streams_column_names(PyObject *object, PyObject *args)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    PyObject *list = PyList_New(0), *tuple;
    enum gput_stream kind;
    const char *kind_name, *name;

    if (!list || !PyArg_ParseTuple(args, "s", &kind_name) || !kind_of(kind_name, &kind)) {
        Py_XDECREF(list);
        return NULL;
    }
    for (unsigned i = 0; (name = gput_stream_column(kind, self->names, i, NULL)); i++) {
        PyObject *text = PyUnicode_FromString(name);

        if (!text || PyList_Append(list, text) < 0) {
            Py_XDECREF(text);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(text);
    }
    tuple = PyList_AsTuple(list);
    Py_DECREF(list);
    return tuple;
}

static PyObject *streams_header(PyObject *object, PyObject *args)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    enum gput_stream kind;
    const char *name;
    char *text = NULL;
    int r;

    if (!PyArg_ParseTuple(args, "s", &name) || !kind_of(name, &kind))
        return NULL;
    r = gput_stream_header(kind, self->names, &text);
    return bytes_or_raise(r, text);
}

static bool read_usage(PyObject *object, struct gput_usage *u)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    int r;

    u->size = sizeof(*u);
    if (!gput_python_enter(self))
        return false;
    r = gput_tracker_usage(self->tracker, u);
    gput_python_leave(self);
    if (r < 0 && !PyErr_Occurred())
        gput_python_raise(r, &(struct gput_error){ 0 });
    return r == 0 && !PyErr_Occurred();
}

static PyObject *streams_peak_memory(PyObject *object, PyObject *unused)
{
    struct gput_usage u;

    (void)unused;
    return read_usage(object, &u) ? PyFloat_FromDouble(u.max_ram.combined.total_rss.value) : NULL;
}

static PyObject *streams_duration(PyObject *object, PyObject *unused)
{
    struct gput_usage u;

    (void)unused;
    return read_usage(object, &u) ? PyFloat_FromDouble(u.compute_time.time.value) : NULL;
}

static PyObject *streams_discovered(PyObject *object, PyObject *unused)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    PyObject *result;
    char *text = NULL;
    int r;

    (void)unused;
    if (!gput_python_enter(self))
        return NULL;
    r = gput_tracker_discovered(self->tracker, &text);
    gput_python_leave(self);
    if (r < 0)
        Py_RETURN_NONE;
    result = gput_python_text(text);
    free(text);
    return result;
}

/* The tracked process has ended, or was left: no more rows come. */
static PyObject *streams_ended(PyObject *object, PyObject *unused)
{
    struct gput_usage u;

    (void)unused;
    return read_usage(object, &u) ? PyBool_FromLong(u.job.ending != GPUT_RUNNING) : NULL;
}

/* --- the module ------------------------------------------------------------------------------ */

static PyMethodDef streams_methods[] = {
    { "start", gput_python_handle_start, METH_NOARGS,
      "Start the helper process; return when it measures." },
    { "stop", gput_python_handle_stop, METH_VARARGS,
      "stop([patience])\n\nEnd the measuring; the last row is there." },
    { "close", gput_python_handle_close, METH_NOARGS, "Give back all that is held." },
    { "rows", streams_rows, METH_VARARGS, "rows(kind)\n\nAll rows so far." },
    { "stats", streams_stats, METH_VARARGS,
      "stats(kind)\n\n(n, min, max, mean, sum) of each column over all rows ever made." },
    { "n_samples", streams_n_samples, METH_VARARGS, "n_samples(kind)\n\nHow many rows were made." },
    { "column_names", streams_column_names, METH_VARARGS, "column_names(kind)" },
    { "header", streams_header, METH_VARARGS, "header(kind)\n\nThe names as a line of CSV." },
    { "peak_memory", streams_peak_memory, METH_NOARGS,
      "The most memory that the process and its descendants had, bytes." },
    { "discovered", streams_discovered, METH_NOARGS,
      "What is known of the server and the cloud as JSON; None: not yet." },
    { "duration", streams_duration, METH_NOARGS, "Seconds tracked so far." },
    { "ended", streams_ended, METH_NOARGS, "Whether the tracked process has ended." },
    { "report", GPUT_PYTHON_WITH_KEYWORDS(gput_python_handle_report), METH_VARARGS | METH_KEYWORDS,
      "report(title=None, failed=False, runs=(), sub_tracking_file=None, current_vendor=None, "
      "current_type=None, current_region=None)\n\nWhat was measured so far as an HTML page." },
    { "plot", GPUT_PYTHON_WITH_KEYWORDS(gput_python_handle_plot), METH_VARARGS | METH_KEYWORDS,
      "plot(width=0, unicode=True, colour=False, title=None)\n\nThe same as charts of text." },
    { 0 },
};

static PyType_Slot streams_slots[] = {
    { Py_tp_doc, "What the machine and a process do, a row for each interval." },
    { Py_tp_new, streams_new },
    { Py_tp_dealloc, gput_python_handle_dealloc },
    { Py_tp_traverse, gput_python_handle_traverse },
    { Py_tp_clear, gput_python_handle_clear },
    { Py_tp_methods, streams_methods },
    { 0 },
};

static PyType_Spec streams_spec = {
    .name = "_gput.Streams",
    .basicsize = sizeof(struct gput_python_handle),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = streams_slots,
};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **ret)
{
    PyObject *type = PyType_FromSpec(spec);

    if (!type)
        return -1;
    Py_INCREF(type);
    if (PyModule_AddObject(module, name, type) < 0) {
        Py_DECREF(type);
        Py_DECREF(type);
        return -1;
    }
    if (ret)
        *ret = (PyTypeObject *)type;
    return 0;
}

int gput_python_add_streams(PyObject *module)
{
    if (add_type(module, "Rows", &rows_spec, &rows_type) < 0)
        return -1;
    if (add_type(module, "Streams", &streams_spec, NULL) < 0)
        return -1;
    return gput_python_add_recommend(module);
}
