/* _gput_blocks.c - code blocks for Python: what the marks in sub-tracking files tell. */
#include "_gput.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- errors and names ------------------------------------------------------------------------ */

PyObject *gput_python_raise_file(int r, const struct gput_error *e)
{
    PyObject *text;

    if ((r != -EINVAL && r != -EBADMSG) || *e->field)
        return gput_python_raise(r, e);
    text = gput_python_text(e->text);
    if (text)
        PyErr_SetObject(PyExc_ValueError, text);
    Py_XDECREF(text);
    return NULL;
}

PyObject *gput_python_text_or_raise(int r, const struct gput_error *e, char *text)
{
    PyObject *result = NULL;

    if (!PyErr_Occurred())
        result = r < 0 ? gput_python_raise_file(r, e) : gput_python_text(text);
    free(text);
    return result;
}

PyObject *gput_python_encode(PyObject *name)
{
    PyObject *bytes;

    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "a name must be a str");
        return NULL;
    }
    bytes = PyUnicode_AsUTF8String(name);
    if (!bytes && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        PyErr_Clear();
        bytes = PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace");
    }
    return bytes;
}

/* --- analysis -------------------------------------------------------------------------------- */

static struct gput_analysis *analyze_files(PyObject *tracking_file, PyObject *sub_tracking_file,
                                           PyObject *warn)
{
    const char *records = tracking_file ? PyBytes_AsString(tracking_file) : NULL;
    const char *marks = sub_tracking_file ? PyBytes_AsString(sub_tracking_file) : NULL;
    char *lines = NULL;
    struct gput_callbacks on = { .ctx = &lines, .warn = gput_python_keep_warning };
    struct gput_analysis *a = NULL;
    struct gput_error e = { 0 };
    PyThreadState *gil = PyEval_SaveThread();
    int r = gput_sub_analyze(records, marks, &on, &a, &e);

    PyEval_RestoreThread(gil);
    gput_python_hand_on_warnings(warn, lines);
    if (r < 0)
        gput_python_raise_file(r, &e);
    return a;
}

static PyObject *format_analysis(const struct gput_analysis *a, enum gput_format format, int full)
{
    char *text = NULL;
    int r = gput_analysis_format(a, format, full, &text);

    return gput_python_text_or_raise(r, &(struct gput_error){ 0 }, text);
}

/* A tuple of objects, each of which is given away; NULL if one of them is. */
static PyObject *tuple_of(PyObject *a, PyObject *b, PyObject *c)
{
    PyObject *tuple = a && b && c ? PyTuple_Pack(3, a, b, c) : NULL;

    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    return tuple;
}

static PyObject *analyze(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "tracking_file", "sub_tracking_file", "warn", NULL };
    PyObject *tracking_file = NULL, *sub_tracking_file = NULL, *warn = Py_None, *result = NULL;
    struct gput_analysis *a;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&O&|O:analyze", names, gput_python_to_path,
                                     &tracking_file, gput_python_to_path, &sub_tracking_file,
                                     &warn))
        return NULL;
    a = analyze_files(tracking_file, sub_tracking_file, warn);
    if (a)
        result = tuple_of(format_analysis(a, GPUT_JSON, 1), format_analysis(a, GPUT_TEXT, 0),
                          format_analysis(a, GPUT_TEXT, 1));
    gput_analysis_close(a);
    Py_XDECREF(tracking_file);
    Py_XDECREF(sub_tracking_file);
    return result;
}

static PyObject *calls_of(const struct gput_block *b)
{
    PyObject *list = PyList_New((Py_ssize_t)b->num_calls);

    for (uint64_t i = 0; list && i < b->num_calls; i++) {
        PyObject *call = Py_BuildValue("(dd)", b->calls[i].start, b->calls[i].stop);

        if (!call || PyList_SetItem(list, (Py_ssize_t)i, call) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static bool add_calls(PyObject *dict, const struct gput_block *b)
{
    PyObject *name = gput_python_text(b->name), *list = name ? calls_of(b) : NULL;
    bool is_in = list && PyDict_SetItem(dict, name, list) == 0;

    Py_XDECREF(name);
    Py_XDECREF(list);
    return is_in;
}

static PyObject *calls(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "sub_tracking_file", "warn", NULL };
    PyObject *file = NULL, *warn = Py_None, *dict = NULL;
    const struct gput_block *blocks;
    struct gput_analysis *a;
    size_t n = 0;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|O:calls", names, PyUnicode_FSConverter,
                                     &file, &warn))
        return NULL;
    a = analyze_files(NULL, file, warn);
    if (a) {
        blocks = gput_analysis_blocks(a, &n);
        dict = PyDict_New();
        for (size_t i = 0; dict && i < n; i++)
            if (!add_calls(dict, &blocks[i]))
                Py_CLEAR(dict);
    }
    gput_analysis_close(a);
    Py_DECREF(file);
    return dict;
}

/* --- records --------------------------------------------------------------------------------- */

struct span {
    double start, stop;
};

/* The records inside some spans, which are sorted and apart.  Read while the GIL is free. */
struct records {
    struct span *spans;
    size_t n_spans;
    size_t n_values; /* of a record */
    uint64_t *rows;
    double *values;
    size_t n, cap;
};

static size_t n_columns(void)
{
    unsigned n = 0;

    while (gput_column_name(n))
        n++;
    return n;
}

static bool is_inside(const struct records *all, double moment)
{
    size_t low = 0, high = all->n_spans; /* the first span that begins later */

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (all->spans[middle].start <= moment)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && moment <= all->spans[low - 1].stop;
}

static bool has_room(struct records *all)
{
    size_t cap = all->cap ? 2 * all->cap : 64;
    uint64_t *rows;
    double *values;

    if (all->n < all->cap)
        return true;
    rows = realloc(all->rows, cap * sizeof(*rows));
    all->rows = rows ? rows : all->rows;
    values = rows ? realloc(all->values, cap * all->n_values * sizeof(*values)) : NULL;
    all->values = values ? values : all->values;
    all->cap = values ? cap : all->cap;
    return values;
}

static int add_record(void *ctx, uint64_t row, const double *values)
{
    struct records *all = ctx;

    if (!is_inside(all, values[all->n_values - 1]))
        return 0;
    if (!has_room(all))
        return -ENOMEM;
    all->rows[all->n] = row;
    memcpy(all->values + all->n * all->n_values, values, all->n_values * sizeof(*values));
    all->n++;
    return 0;
}

static bool to_spans(PyObject *sequence, struct records *all)
{
    Py_ssize_t n = PySequence_Size(sequence);

    if (n < 0)
        return false;
    all->spans = calloc((size_t)n + 1, sizeof(*all->spans));
    if (!all->spans) {
        PyErr_NoMemory();
        return false;
    }
    for (; (Py_ssize_t)all->n_spans < n; all->n_spans++) {
        PyObject *pair = PySequence_GetItem(sequence, (Py_ssize_t)all->n_spans);
        struct span *span = &all->spans[all->n_spans];
        bool is_pair = pair && PyArg_ParseTuple(pair, "dd", &span->start, &span->stop);

        Py_XDECREF(pair);
        if (!is_pair)
            return false;
    }
    return true;
}

static PyObject *record_at(const struct records *all, size_t i)
{
    PyObject *values = PyTuple_New((Py_ssize_t)all->n_values), *record;

    for (size_t k = 0; values && k < all->n_values; k++) {
        PyObject *value = PyFloat_FromDouble(all->values[i * all->n_values + k]);

        if (!value || PyTuple_SetItem(values, (Py_ssize_t)k, value) < 0)
            Py_CLEAR(values);
    }
    record = values ? Py_BuildValue("(KO)", (unsigned long long)all->rows[i], values) : NULL;
    Py_XDECREF(values);
    return record;
}

static PyObject *list_of_records(const struct records *all)
{
    PyObject *list = PyList_New((Py_ssize_t)all->n);

    for (size_t i = 0; list && i < all->n; i++) {
        PyObject *record = record_at(all, i);

        if (!record || PyList_SetItem(list, (Py_ssize_t)i, record) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *read_records(const char *path, struct records *all, PyObject *warn)
{
    char *lines = NULL;
    struct gput_callbacks on = { .ctx = &lines, .warn = gput_python_keep_warning };
    struct gput_error e = { 0 };
    PyThreadState *gil = PyEval_SaveThread();
    int r = gput_records_read(path, &on, add_record, all, &e);

    PyEval_RestoreThread(gil);
    gput_python_hand_on_warnings(warn, lines);
    return r < 0 ? gput_python_raise_file(r, &e) : list_of_records(all);
}

static PyObject *records(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "tracking_file", "spans", "warn", NULL };
    PyObject *file = NULL, *spans, *warn = Py_None, *list = NULL;
    struct records all = { .n_values = n_columns() + 1 };

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&O|O:records", names, PyUnicode_FSConverter,
                                     &file, &spans, &warn))
        return NULL;
    if (to_spans(spans, &all))
        list = read_records(PyBytes_AsString(file), &all, warn);
    free(all.spans);
    free(all.rows);
    free(all.values);
    Py_DECREF(file);
    return list;
}

static PyObject *columns(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const char *name;

    (void)module, (void)unused;
    for (unsigned i = 0; list && (name = gput_column_name(i)); i++) {
        PyObject *text = gput_python_text(name);

        if (!text || PyList_Append(list, text) < 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

/* --- comparison and combination -------------------------------------------------------------- */

/* Takes a list, or NULL, and makes it one of bytes; its objects are paths or names of sessions. */
static PyObject *bytes_of(PyObject *list, bool are_names)
{
    for (Py_ssize_t i = 0; list && i < PyList_Size(list); i++) {
        PyObject *object = PyList_GetItem(list, i), *bytes = NULL;

        if (are_names)
            bytes = gput_python_encode(object);
        else
            (void)PyUnicode_FSConverter(object, &bytes);
        if (!bytes || PyList_SetItem(list, i, bytes) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static const char *item(PyObject *list, size_t i)
{
    return PyBytes_AsString(PyList_GetItem(list, (Py_ssize_t)i));
}

static bool to_statistic(const char *name, enum gput_statistic *ret)
{
    static const char *const names[] = { "min", "max", "mean", "std" };

    for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (strcmp(name, names[i]) == 0) {
            *ret = (enum gput_statistic)i;
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError, "statistic: '%s' is not one of min, max, mean, std", name);
    return false;
}

static PyObject *compare_sessions(const struct gput_session *sessions, size_t n,
                                  enum gput_statistic statistic, enum gput_format format,
                                  PyObject *warn)
{
    char *lines = NULL, *text = NULL;
    struct gput_callbacks on = { .ctx = &lines, .warn = gput_python_keep_warning };
    struct gput_error e = { 0 };
    PyThreadState *gil = PyEval_SaveThread();
    int r = gput_sub_compare(sessions, n, statistic, format, &on, &text, &e);
    PyObject *result;

    PyEval_RestoreThread(gil);
    gput_python_hand_on_warnings(warn, lines);
    if (r < 0)
        return gput_python_raise_file(r, &e);
    result = gput_python_text(text);
    free(text);
    return result;
}

static PyObject *compare_lists(PyObject *names, PyObject *files, enum gput_statistic statistic,
                               enum gput_format format, PyObject *warn)
{
    size_t n = (size_t)PyList_Size(files);
    struct gput_session *sessions = calloc(n + 1, sizeof(*sessions));
    PyObject *result;

    if (!sessions)
        return PyErr_NoMemory();
    for (size_t i = 0; i < n; i++)
        sessions[i] = (struct gput_session){ item(names, i), item(files, i) };
    result = compare_sessions(sessions, n, statistic, format, warn);
    free(sessions);
    return result;
}

static PyObject *compare(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = { "file_path_map", "statistic", "text", "warn", NULL };
    PyObject *map, *warn = Py_None, *names, *files, *result = NULL;
    enum gput_statistic statistic;
    const char *wanted;
    int text = 0;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!s|pO:compare", keywords, &PyDict_Type, &map,
                                     &wanted, &text, &warn) ||
        !to_statistic(wanted, &statistic))
        return NULL;
    names = bytes_of(PyDict_Keys(map), true);
    files = bytes_of(PyDict_Values(map), false);
    if (names && files)
        result = compare_lists(names, files, statistic, text ? GPUT_TEXT : GPUT_JSON, warn);
    Py_XDECREF(names);
    Py_XDECREF(files);
    return result;
}

static int combine_lists(const char *into, PyObject *list, PyObject *warn)
{
    size_t n = (size_t)PyList_Size(list);
    const char **files = calloc(n + 1, sizeof(*files));
    char *lines = NULL;
    struct gput_callbacks on = { .ctx = &lines, .warn = gput_python_keep_warning };
    struct gput_error e = { 0 };
    PyThreadState *gil;
    int r = -ENOMEM;

    for (size_t i = 0; files && i < n; i++)
        files[i] = item(list, i);
    gil = PyEval_SaveThread();
    if (files)
        r = gput_sub_combine(into, files, n, &on, &e);
    PyEval_RestoreThread(gil);
    free(files);
    gput_python_hand_on_warnings(warn, lines);
    if (r < 0)
        gput_python_raise_file(r, &e);
    return r;
}

static PyObject *combine(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "into", "files", "warn", NULL };
    PyObject *into = NULL, *files, *warn = Py_None, *list;
    int r = -1;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&O|O:combine", names, PyUnicode_FSConverter,
                                     &into, &files, &warn))
        return NULL;
    list = bytes_of(PySequence_List(files), false);
    if (list)
        r = combine_lists(PyBytes_AsString(into), list, warn);
    Py_XDECREF(list);
    Py_DECREF(into);
    if (r < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* --- the module ------------------------------------------------------------------------------ */

static PyMethodDef functions[] = {
    { "analyze", GPUT_PYTHON_WITH_KEYWORDS(analyze), METH_VARARGS | METH_KEYWORDS,
      "analyze(tracking_file, sub_tracking_file, warn=None)\n\nWhat each code block took: JSON with "
      "all that is known, text, and text with all that is known." },
    { "calls", GPUT_PYTHON_WITH_KEYWORDS(calls), METH_VARARGS | METH_KEYWORDS,
      "calls(sub_tracking_file, warn=None)\n\n{name: [(start, stop), ...]}, names sorted." },
    { "columns", columns, METH_NOARGS, "The names of the measurements of a record." },
    { "records", GPUT_PYTHON_WITH_KEYWORDS(records), METH_VARARGS | METH_KEYWORDS,
      "records(tracking_file, spans, warn=None)\n\n[(row, values and timestamp), ...] of the "
      "records inside the spans, which must be sorted and must not overlap." },
    { "compare", GPUT_PYTHON_WITH_KEYWORDS(compare), METH_VARARGS | METH_KEYWORDS,
      "compare(file_path_map, statistic, text=False, warn=None)\n\nThe sessions by each "
      "measurement, as JSON or text." },
    { "combine", GPUT_PYTHON_WITH_KEYWORDS(combine), METH_VARARGS | METH_KEYWORDS,
      "combine(into, files, warn=None)\n\nPut the marks of several files into a new one." },
    { 0 },
};

int gput_python_add_blocks(PyObject *module)
{
    return gput_python_add_marks(module) < 0 ? -1 : PyModule_AddFunctions(module, functions);
}
