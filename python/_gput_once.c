/* _gput_once.c - for Python, what needs no run: recommendations, and figures until now. */
#include "_gput.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define LONGEST_ANSWER (4 << 20)

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

/* --- runs of the helper ------------------------------------------------------------------------ */

/* A GPU driver is loaded there, not here.  The text of its standard output; NULL: errno tells. */
static char *read_all(int fd)
{
    size_t len = 0, cap = 16384;
    char *text = malloc(cap + 1);

    while (text) {
        ssize_t n = read(fd, text + len, cap - len);
        char *bigger;

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        len += (size_t)n;
        if (len < cap)
            continue;
        cap *= 2;
        bigger = cap > LONGEST_ANSWER ? NULL : realloc(text, cap + 1);
        if (!bigger)
            free(text);
        text = bigger;
    }
    if (text)
        text[len] = '\0';
    return text;
}

static int launch(const char *path, char *const argv[], int out, pid_t *ret_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int r = posix_spawn_file_actions_init(&actions);

    if (r)
        return -r;
    r = posix_spawnattr_init(&attributes);
    if (r) {
        posix_spawn_file_actions_destroy(&actions);
        return -r;
    }
    sigemptyset(&none);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    (void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    r = posix_spawn(ret_pid, path, &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return -r;
}

/* 0, or a negative errno; -ECHILD: it said nothing and failed. */
static int run_helper(const char *path, char *const argv[], char **ret_text)
{
    int ends[2], status = 0, r;
    char *text = NULL;
    pid_t pid = 0;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    r = launch(path, argv, ends[1], &pid);
    close(ends[1]);
    if (r == 0)
        text = read_all(ends[0]);
    close(ends[0]);
    while (pid && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (r == 0 && !text)
        r = -ENOMEM;
    if (r == 0 && (status || !*text)) /* whoever waits for all children may have got its status */
        r = -ECHILD;
    if (r < 0)
        free(text);
    else
        *ret_text = text;
    return r;
}

/* `words` are what follows the name of the mode, at most six. */
static PyObject *ask_helper(const char *const *words, int no_answer, const char *why)
{
    struct gput_error e = { 0 };
    char *path = NULL, *text = NULL;
    const char *argv[9] = { "gpu-tracker", "gput-helper" };
    PyThreadState *gil;
    PyObject *result;
    int r = gput_helper_find(NULL, &path, &e);

    if (r < 0)
        return gput_python_raise(r, &e);
    for (size_t i = 0; i < 6 && words[i]; i++)
        argv[2 + i] = words[i];
    gil = PyEval_SaveThread();
    r = run_helper(path, (char *const *)argv, &text);
    PyEval_RestoreThread(gil);
    free(path);
    if (r == -ECHILD) {
        r = no_answer;
        snprintf(e.text, sizeof(e.text), "%s", why);
    }
    if (r < 0)
        return gput_python_raise(r, &e);
    result = gput_python_text(text);
    free(text);
    return result;
}

static PyObject *stats_once(PyObject *module, PyObject *args)
{
    const char *words[7] = { "once" };
    char number[16], why[64];
    int pid, children = 1;

    (void)module;
    if (!PyArg_ParseTuple(args, "i|p:stats_once", &pid, &children))
        return NULL;
    if (pid <= 0) {
        PyErr_Format(PyExc_ValueError, "pid: %d is not the id of a process", pid);
        return NULL;
    }
    snprintf(number, sizeof(number), "%d", pid);
    snprintf(why, sizeof(why), "there is no process %d", pid);
    words[1] = number;
    words[2] = children ? NULL : "main";
    return ask_helper(words, -ESRCH, why);
}

static PyObject *system_once(PyObject *module, PyObject *unused)
{
    const char *words[7] = { "once" };

    (void)module, (void)unused;
    return ask_helper(words, -EIO, "the helper failed");
}

static PyObject *discover(PyObject *module, PyObject *args)
{
    const char *words[7] = { "discover", "--format=json" };
    const char *what, *url = NULL;

    (void)module;
    if (!PyArg_ParseTuple(args, "s|z:discover", &what, &url))
        return NULL;
    if (strcmp(what, "server") != 0 && strcmp(what, "cloud") != 0) {
        PyErr_Format(PyExc_ValueError, "'%s' is not one of: server, cloud", what);
        return NULL;
    }
    words[2] = strcmp(what, "server") == 0 ? "--server" : "--cloud";
    words[3] = url ? "--metadata-url" : NULL;
    words[4] = url;
    return ask_helper(words, -EIO, "the helper failed");
}

static PyMethodDef functions[] = {
    { "stats_once", stats_once, METH_VARARGS,
      "stats_once(pid, children=True)\n\nWhat a process has used until now, as JSON." },
    { "system_once", system_once, METH_NOARGS, "What the machine has used until now, as JSON." },
    { "discover", discover, METH_VARARGS,
      "discover(what[, metadata_url])\n\nThe server or the cloud, as JSON." },
    { "recommend", recommend, METH_O,
      "recommend(runs)\n\nruns: (mean cores, peak memory in bytes, mean and most GPUs, peak GPU "
      "memory in bytes) of each. Returns (cores, MiB, GPUs, MiB of GPU memory)." },
    { "round_memory", round_memory, METH_O,
      "round_memory(mib)\n\nUp to 128, 256, 512, 1024, 2048 MiB or whole GiB." },
    { 0 },
};

int gput_python_add_once(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
