/* _gput_recommend.c - for Python, what to ask for next time. */
#include "_gput.h"

#include <math.h>
#include <stdlib.h>

/* None is NAN: not known. */
static int to_number(PyObject *item, double *ret)
{
    *ret = item == Py_None ? NAN : PyFloat_AsDouble(item);
    return PyErr_Occurred() ? -1 : 0;
}

static int read_run(PyObject *run, struct gput_demand *ret)
{
    double *const fields[] = { &ret->cpu_mean, &ret->memory_peak, &ret->gpu_mean,
                               &ret->gpu_max,  &ret->vram_peak,   &ret->duration };
    const Py_ssize_t n = sizeof(fields) / sizeof(*fields);
    PyObject *tuple = PySequence_Tuple(run);
    int r = tuple ? 0 : -1;

    *ret = (struct gput_demand){
        .cpu_max = NAN, .memory_limit = NAN, .cores_limit = NAN, .ending = GPUT_GONE
    };
    if (r == 0 && PyTuple_Size(tuple) != n) {
        PyErr_SetString(PyExc_ValueError, "a run is six numbers");
        r = -1;
    }
    for (Py_ssize_t i = 0; r == 0 && i < n; i++)
        r = to_number(PyTuple_GetItem(tuple, i), fields[i]);
    Py_XDECREF(tuple);
    return r;
}

int gput_python_to_runs(PyObject *sequence, struct gput_demand **ret_runs, size_t *ret_n)
{
    PyObject *list = PySequence_List(sequence);
    Py_ssize_t n = list ? PyList_Size(list) : 0, i = 0;
    struct gput_demand *runs = calloc((size_t)n + 1, sizeof(*runs));

    if (list && !runs)
        PyErr_NoMemory();
    while (list && runs && i < n && read_run(PyList_GetItem(list, i), &runs[i]) == 0)
        i++;
    Py_XDECREF(list);
    if (PyErr_Occurred()) {
        free(runs);
        return -1;
    }
    *ret_runs = runs;
    *ret_n = (size_t)n;
    return 0;
}

static PyObject *recommend(PyObject *module, PyObject *sequence)
{
    struct gput_demand *runs;
    struct gput_resources ask;
    size_t n;

    (void)module;
    if (gput_python_to_runs(sequence, &runs, &n) < 0)
        return NULL;
    gput_recommend(runs, n, &ask);
    free(runs);
    return Py_BuildValue("(iKiK)", ask.cpu, (unsigned long long)ask.memory_mib, ask.gpu,
                         (unsigned long long)ask.vram_mib);
}

static PyObject *round_memory(PyObject *module, PyObject *value)
{
    double mib = PyFloat_AsDouble(value);

    (void)module;
    if (PyErr_Occurred())
        return NULL;
    return PyLong_FromUnsignedLongLong(gput_round_memory(mib));
}

static PyMethodDef functions[] = {
    { "recommend", recommend, METH_O,
      "recommend(runs)\n\nruns: (mean cores, peak memory in bytes, mean and most GPUs, peak GPU "
      "memory in bytes, seconds) of each. Returns (cores, MiB, GPUs, MiB of GPU memory)." },
    { "round_memory", round_memory, METH_O,
      "round_memory(mib)\n\nUp to 128, 256, 512, 1024, 2048 MiB or whole GiB." },
    { 0 },
};

int gput_python_add_recommend(PyObject *module)
{
    if (PyModule_AddFunctions(module, functions) < 0)
        return -1;
    return gput_python_add_report(module) < 0 ? -1 : gput_python_add_servers(module);
}
