/* _gput_laps.c - parts of a run that its program chooses, and limits for their figures. */
#include "_gput.h"

#include <math.h>

enum { MOST_LEFT = 32 };

static const char *const figures[] = { "ram",       "gpu_ram", "cpu",     "time",
                                       "processes", "threads", "leftover" };

static const char *source_name(enum gput_source source)
{
    static const char *const names[] = {
        [GPUT_UNAVAILABLE] = "unavailable",
        [GPUT_SAMPLED] = "sampled",
        [GPUT_EXACT] = "exact",
        [GPUT_ESTIMATED] = "estimated",
    };

    return names[source];
}

static PyObject *number_or_none(const struct gput_figure *f)
{
    if (f->source != GPUT_UNAVAILABLE)
        return PyFloat_FromDouble(f->value);
    Py_RETURN_NONE;
}

/* --- the lap --------------------------------------------------------------------------------- */

static bool add(PyObject *to, const char *name, PyObject *value)
{
    bool added = value && PyDict_SetItemString(to, name, value) == 0;

    Py_XDECREF(value);
    return added;
}

static PyObject *left_of(const struct gput_tracker *t)
{
    pid_t pids[MOST_LEFT];
    int n = gput_lap_left(t, pids, MOST_LEFT);
    PyObject *list = PyList_New(0);

    for (int i = 0; list && i < n && i < MOST_LEFT; i++) {
        PyObject *pid = PyLong_FromLong(pids[i]);

        if (!pid || PyList_Append(list, pid) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pid);
    }
    return list;
}

static PyObject *describe(const struct gput_tracker *t)
{
    struct gput_usage u = { .size = sizeof(u) };
    PyObject *result = PyDict_New();
    bool fine = result && gput_lap_usage(t, &u) == 0;

    for (size_t i = 0; fine && i < sizeof(figures) / sizeof(*figures); i++) {
        struct gput_figure f = { 0, GPUT_UNAVAILABLE, NULL };

        (void)gput_usage_figure(&u, figures[i], &f);
        fine = add(result, figures[i],
                   Py_BuildValue("(Nsz)", number_or_none(&f), source_name(f.source), f.why));
    }
    if (fine && add(result, "left", left_of(t)))
        return result;
    Py_XDECREF(result);
    return NULL;
}

PyObject *gput_python_handle_lap(PyObject *object, PyObject *args)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    struct gput_error e = { 0 };
    int wait_for_gpus = 0, r;
    PyObject *result = NULL;
    PyThreadState *gil;

    if (!PyArg_ParseTuple(args, "|p:lap", &wait_for_gpus) || !gput_python_enter(self))
        return NULL;
    gil = PyEval_SaveThread();
    r = gput_tracker_lap(self->tracker, wait_for_gpus, &e);
    PyEval_RestoreThread(gil);
    if (r == 0)
        result = describe(self->tracker);
    gput_python_leave(self);
    if (r < 0 && !PyErr_Occurred())
        return gput_python_raise(r, &e);
    return result;
}

/* --- its budget ------------------------------------------------------------------------------ */

static PyObject *line_of(const struct gput_budget_line *l)
{
    char words[600];

    gput_budget_words(l, words, sizeof(words));
    return Py_BuildValue("{s:s,s:s,s:s,s:d,s:N,s:O,s:s}", "figure", l->figure, "op", l->op, "unit",
                         l->unit, "limit", l->limit, "measured", number_or_none(&l->measured), "ok",
                         l->is_met ? Py_True : Py_False, "words", words);
}

static PyObject *judge(const struct gput_tracker *t, struct gput_budget *b, int leftover)
{
    struct gput_usage u = { .size = sizeof(u) };
    const struct gput_budget_line *lines;
    PyObject *list = PyList_New(0);
    int n = 0;

    if (gput_lap_usage(t, &u) == 0) {
        u.job.n_left = leftover >= 0 ? leftover : u.job.n_left;
        n = gput_budget_judge(b, &u, &lines);
    }
    for (int i = 0; list && i < n; i++) {
        PyObject *line = line_of(&lines[i]);

        if (!line || PyList_Append(list, line) < 0)
            Py_CLEAR(list);
        Py_XDECREF(line);
    }
    return list;
}

PyObject *gput_python_handle_judge(PyObject *object, PyObject *args)
{
    struct gput_python_handle *self = (struct gput_python_handle *)object;
    struct gput_error e = { 0 };
    struct gput_budget *b;
    const char *limits;
    int leftover = -1, r;
    PyObject *result;

    if (!PyArg_ParseTuple(args, "s|i:judge", &limits, &leftover))
        return NULL;
    r = gput_budget_open(limits, &b, &e);
    if (r < 0)
        return gput_python_raise(r, &e);
    result = NULL;
    if (gput_python_enter(self)) {
        result = judge(self->tracker, b, leftover);
        gput_python_leave(self);
    }
    gput_budget_close(b);
    return result;
}

static PyObject *check_budget(PyObject *module, PyObject *args)
{
    struct gput_error e = { 0 };
    struct gput_budget *b;
    const char *limits;
    int r;

    (void)module;
    if (!PyArg_ParseTuple(args, "s:check_budget", &limits))
        return NULL;
    r = gput_budget_open(limits, &b, &e);
    if (r < 0)
        return gput_python_raise(r, &e);
    gput_budget_close(b);
    Py_RETURN_NONE;
}

static PyObject *figure_noise(PyObject *module, PyObject *args)
{
    const char *name;
    double base, noise;

    (void)module;
    if (!PyArg_ParseTuple(args, "sd:figure_noise", &name, &base))
        return NULL;
    noise = gput_figure_noise(name, base);
    if (isnan(noise))
        return PyErr_Format(PyExc_ValueError, "'%s' is not the name of a figure", name);
    return PyFloat_FromDouble(noise);
}

static PyMethodDef functions[] = {
    { "check_budget", check_budget, METH_VARARGS,
      "check_budget(limits)\n\nRaise ValueError where they are no limits." },
    { "figure_noise", figure_noise, METH_VARARGS,
      "figure_noise(name, base)\n\nWhat two equal runs may differ by in that figure." },
    { 0 },
};

int gput_python_add_laps(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
