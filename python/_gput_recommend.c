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

static int take_run(PyObject *run, struct gput_demand *ret)
{
    double *const fields[] = { &ret->cpu_mean, &ret->memory_peak, &ret->gpu_mean, &ret->gpu_max,
                               &ret->vram_peak };
    PyObject *tuple = PySequence_Tuple(run);
    int r = tuple ? 0 : -1;

    *ret = (struct gput_demand){
        .cpu_max = NAN, .duration = NAN, .memory_limit = NAN, .cores_limit = NAN
    };
    if (r == 0 && PyTuple_Size(tuple) != 5) {
        PyErr_SetString(PyExc_ValueError, "a run is five numbers");
        r = -1;
    }
    for (Py_ssize_t i = 0; r == 0 && i < 5; i++)
        r = to_number(PyTuple_GetItem(tuple, i), fields[i]);
    Py_XDECREF(tuple);
    return r;
}

static PyObject *recommend(PyObject *module, PyObject *runs)
{
    PyObject *list = PySequence_List(runs), *result = NULL;
    Py_ssize_t n = list ? PyList_Size(list) : 0;
    struct gput_demand *demands = calloc((size_t)n + 1, sizeof(*demands));
    struct gput_resources rec;
    Py_ssize_t i = 0;

    (void)module;
    if (!demands)
        PyErr_NoMemory();
    while (list && demands && i < n && take_run(PyList_GetItem(list, i), &demands[i]) == 0)
        i++;
    if (list && demands && i == n) {
        gput_recommend(demands, (size_t)n, &rec);
        result = Py_BuildValue("(iKiK)", rec.cpu, (unsigned long long)rec.memory_mib, rec.gpu,
                               (unsigned long long)rec.vram_mib);
    }
    free(demands);
    Py_XDECREF(list);
    return result;
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
      "memory in bytes) of each. Returns (cores, MiB, GPUs, MiB of GPU memory)." },
    { "round_memory", round_memory, METH_O,
      "round_memory(mib)\n\nUp to 128, 256, 512, 1024, 2048 MiB or whole GiB." },
    { 0 },
};

int gput_python_add_recommend(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
