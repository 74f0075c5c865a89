/* _gput_servers.c - for Python, servers to rent and what they cost. */
#include "_gput.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- recommendations ---------------------------------------------------------------------------- */

struct wishes {
    struct gput_recommend_servers_options o;
    struct gput_server_filters filters;
    PyObject *runs, *catalogue, *warn;
    int is_burstable;
};

static bool parse(PyObject *args, PyObject *kwargs, struct wishes *w)
{
    static char *names[] = {
        "runs",           "vendor",       "region",         "gpu_model", "gpu_brand", "arch",
        "max_price",      "burstable",    "limit",          "catalogue", "online",    "keeper_url",
        "current_vendor", "current_type", "current_region", "warn",      NULL
    };
    struct gput_server_filters *f = &w->filters;

    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "O|$zzzzzdpiO&pzzzzO:recommend_servers", names, &w->runs, &f->vendor,
            &f->region, &f->gpu_model, &f->gpu_brand, &f->arch, &f->max_usd_hour, &w->is_burstable,
            &w->o.limit, gput_python_to_path, &w->catalogue, &w->o.is_online, &w->o.keeper_url,
            &w->o.current_vendor, &w->o.current_type, &w->o.current_region, &w->warn))
        return false;
    f->flags = w->is_burstable ? GPUT_SERVERS_BURSTABLE : 0;
    w->o.filters = f;
    w->o.format = GPUT_JSON;
    w->o.catalogue = w->catalogue ? PyBytes_AsString(w->catalogue) : NULL;
    return true;
}

static PyObject *recommend_servers(PyObject *module, PyObject *args, PyObject *kwargs)
{
    struct wishes w = { .o = GPUT_RECOMMEND_SERVERS_OPTIONS_INIT,
                        .filters = GPUT_SERVER_FILTERS_INIT,
                        .warn = Py_None };
    char *text = NULL, *lines = NULL;
    const struct gput_callbacks on = { .ctx = &lines, .warn = gput_python_keep_warning };
    struct gput_error e = { 0 };
    struct gput_demand *runs;
    PyObject *result = NULL;
    size_t n;

    (void)module;
    if (parse(args, kwargs, &w) && gput_python_to_runs(w.runs, &runs, &n) == 0) {
        PyThreadState *gil = PyEval_SaveThread();
        int r = gput_recommend_servers_of(runs, n, &w.o, &on, &text, &e);

        PyEval_RestoreThread(gil);
        free(runs);
        gput_python_hand_on_warnings(w.warn, lines);
        result = gput_python_text_or_raise(r, &e, text);
    }
    Py_XDECREF(w.catalogue);
    return result;
}

static PyObject *server_price(PyObject *module, PyObject *args)
{
    const char *vendor, *type, *region = NULL;
    struct gput_catalogue *catalogue = NULL;
    struct gput_server_offer offer;
    struct gput_error e = { 0 };
    PyObject *result;
    int r;

    (void)module;
    if (!PyArg_ParseTuple(args, "ss|z:server_price", &vendor, &type, &region))
        return NULL;
    r = gput_catalogue_open(NULL, NULL, &catalogue, &e);
    if (r < 0)
        return gput_python_raise_file(r, &e);
    if (gput_catalogue_price(catalogue, vendor, type, region, &offer) < 0) {
        result = Py_None;
        Py_INCREF(result);
    } else {
        result = PyFloat_FromDouble(offer.usd_hour);
    }
    gput_catalogue_close(catalogue);
    return result;
}

/* --- the Keeper --------------------------------------------------------------------------------- */

static PyObject *keeper_get(PyObject *module, PyObject *args)
{
    const char *path, *url = NULL;
    struct gput_error e = { 0 };
    PyThreadState *gil;
    char *text = NULL;
    double timeout = 0;
    int r;

    (void)module;
    if (!PyArg_ParseTuple(args, "s|dz:keeper_get", &path, &timeout, &url))
        return NULL;
    gil = PyEval_SaveThread();
    r = gput_keeper_get(url, path, timeout, &text, &e);
    PyEval_RestoreThread(gil);
    return gput_python_text_or_raise(r, &e, text);
}

static PyObject *keeper_find(PyObject *module, PyObject *args)
{
    struct gput_server_needs needs = { 0 };
    struct gput_catalogue *found = NULL;
    struct gput_error e = { 0 };
    PyThreadState *gil;
    char *text = NULL;
    int n, r;

    (void)module;
    if (!PyArg_ParseTuple(args, "ddddi:keeper_find", &needs.vcpus, &needs.memory_mib, &needs.gpus,
                          &needs.vram_mib, &n))
        return NULL;
    gil = PyEval_SaveThread();
    r = gput_keeper_find(NULL, &needs, n, 0, &found, &text, &e);
    gput_catalogue_close(found);
    PyEval_RestoreThread(gil);
    return gput_python_text_or_raise(r, &e, text);
}

static PyObject *keeper_price(PyObject *module, PyObject *args)
{
    const char *vendor, *type, *region = NULL;
    struct gput_error e = { 0 };
    char where[64];
    PyThreadState *gil;
    double usd;
    int r;

    (void)module;
    if (!PyArg_ParseTuple(args, "ss|z:keeper_price", &vendor, &type, &region))
        return NULL;
    gil = PyEval_SaveThread();
    r = gput_keeper_price(NULL, vendor, type, region, 0, &usd, where, &e);
    PyEval_RestoreThread(gil);
    return r < 0 ? gput_python_raise_file(r, &e) : PyFloat_FromDouble(usd);
}

static PyMethodDef functions[] = {
    { "recommend_servers", GPUT_PYTHON_WITH_KEYWORDS(recommend_servers),
      METH_VARARGS | METH_KEYWORDS,
      "recommend_servers(runs, vendor=None, region=None, gpu_model=None, gpu_brand=None, arch=None, max_price=0, "
      "burstable=False, limit=5, catalogue=None, online=False, keeper_url=None, "
      "current_vendor=None, current_type=None, current_region=None, warn=None)\n\nThe cheapest "
      "servers for runs as of recommend(), as JSON. OSError with ENODATA: none fits." },
    { "server_price", server_price, METH_VARARGS,
      "server_price(vendor, type[, region])\n\nUSD an hour by the catalogue; None: not known." },
    { "keeper_get", keeper_get, METH_VARARGS,
      "keeper_get(path[, timeout[, url]])\n\nWhat the Keeper of Spare Cores answers." },
    { "keeper_find", keeper_find, METH_VARARGS,
      "keeper_find(vcpus, memory_mib, gpus, vram_mib, n)\n\nIts cheapest servers, as JSON." },
    { "keeper_price", keeper_price, METH_VARARGS,
      "keeper_price(vendor, type[, region])\n\nUSD an hour." },
    { 0 },
};

int gput_python_add_servers(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
