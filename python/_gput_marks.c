/* _gput_marks.c - code blocks for Python: marks in a sub-tracking file. */
#include "_gput.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A mark that took longer waited for somebody: the next one lets other threads run meanwhile.
 * Giving up the GIL always would be expensive: a thread that computes keeps it for 5 ms. */
#define SLOW_NS 1000000

struct marks {
    PyObject base;            /* PyObject_HEAD */
    struct gput_marks *marks; /* NULL: closed */
    PyObject *path;           /* bytes */
    struct stat file;         /* which was opened there */
    bool waits;               /* for locks of other processes: an SQLite file */
    bool was_slow;
    bool is_closing; /* who leaves last closes it */
    int n_inside;    /* threads in a call; those with the GIL free among them */
    int n_running;   /* code blocks that this process has begun and not ended */
    pid_t pid;       /* whose threads they are */
};

/* --- one mark -------------------------------------------------------------------------------- */

static bool enter(struct marks *self, pid_t pid)
{
    if (self->pid != pid) { /* a forked child has none of the other threads */
        self->pid = pid;
        self->n_inside = self->n_running = 0;
    }
    if (self->marks && !self->is_closing) {
        self->n_inside++;
        return true;
    }
    gput_python_raise(-EBADF, &(struct gput_error){ .text = "the sub-tracking file is closed" });
    return false;
}

/* 0, or what closing said. */
static int leave(struct marks *self)
{
    struct gput_marks *marks = self->marks;
    PyThreadState *gil;
    int r;

    if (--self->n_inside > 0 || !self->is_closing)
        return 0;
    self->marks = NULL;
    gil = PyEval_SaveThread();
    r = gput_marks_close(marks);
    PyEval_RestoreThread(gil);
    return r;
}

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int add_mark(struct marks *self, const struct gput_mark *mark)
{
    PyThreadState *gil = self->waits || self->was_slow ? PyEval_SaveThread() : NULL;
    int64_t began = now_ns();
    int r = gput_marks_add(self->marks, mark);
    bool was_slow = now_ns() - began > SLOW_NS;

    if (gil)
        PyEval_RestoreThread(gil);
    self->was_slow = was_slow;
    return r;
}

/* Who begins or ends a block: process and thread in one number. */
static long long who(void)
{
    return (long long)getpid() << 32 | (long long)gettid();
}

static pid_t process_of(long long someone)
{
    return (pid_t)(someone >> 32);
}

static pid_t thread_of(long long someone)
{
    return (pid_t)(someone & 0xffffffff);
}

/* False, with an exception: it was not written. */
static bool add_named(struct marks *self, long long me, PyObject *name, struct gput_mark *mark)
{
    PyObject *bytes = gput_python_encode(name);
    char *text = NULL;
    int r = 0;
    bool is_in =
        bytes && PyBytes_AsStringAndSize(bytes, &text, NULL) == 0 && enter(self, process_of(me));

    if (is_in) {
        mark->name = text;
        r = add_mark(self, mark);
        self->n_running += r < 0 ? 0 : mark->is_end ? -1 : 1;
        (void)leave(self); /* if the file is closed meanwhile, there is nobody to tell */
    }
    Py_XDECREF(bytes);
    if (r < 0) /* an OSError always: -EINVAL is a file in which another table stands by now */
        gput_python_raise(r == -EINVAL ? -EIO : r, &(struct gput_error){ 0 });
    return is_in && r == 0;
}

static PyObject *marks_begin(PyObject *self, PyObject *name)
{
    struct gput_mark mark = { .cpu_seconds = -1, .peak_rss_bytes = -1 };
    long long me = who();

    return add_named((struct marks *)self, me, name, &mark) ? PyLong_FromLongLong(me) : NULL;
}

/* From where the library has it: getrusage() counts in another way, and from before an exec. */
static double own_peak(void)
{
    FILE *file = fopen("/proc/self/status", "re");
    unsigned long long kib = 0;
    char line[256];

    if (!file)
        return 0;
    while (fgets(line, sizeof(line), file) && sscanf(line, "VmHWM: %llu", &kib) != 1)
        ;
    (void)fclose(file);
    return (double)kib * 1024;
}

/* For a thread that may have ended: its process's figures are ours. */
static void set_process(struct gput_mark *mark, pid_t thread)
{
    struct timespec cpu = { 0 };

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    mark->process_id = thread;
    mark->cpu_seconds = (double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9;
    mark->peak_rss_bytes = own_peak();
}

static PyObject *marks_end(PyObject *self, PyObject *args)
{
    struct gput_mark mark = { .is_end = 1, .cpu_seconds = -1, .peak_rss_bytes = -1 };
    long long me = who(), begun_by = me;
    PyObject *name;

    if (!PyArg_ParseTuple(args, "O|L:end", &name, &begun_by))
        return NULL;
    if (process_of(begun_by) != process_of(me)) /* the parent's, which will end it */
        Py_RETURN_NONE;
    if (begun_by != me)
        set_process(&mark, thread_of(begun_by));
    if (!add_named((struct marks *)self, me, name, &mark))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *marks_close(PyObject *object, PyObject *unused)
{
    struct marks *self = (struct marks *)object;
    int r;

    (void)unused;
    if (!enter(self, getpid())) { /* it was closed before */
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    self->is_closing = true;
    r = leave(self);
    if (r < 0)
        return gput_python_raise(r == -EINVAL ? -EIO : r, &(struct gput_error){ 0 });
    Py_RETURN_NONE;
}

/* A file may be removed and another one made in its place while this one is open. */
static bool is_same_file(const struct marks *self)
{
    struct stat st;

    return stat(PyBytes_AsString(self->path), &st) == 0 && st.st_dev == self->file.st_dev &&
           st.st_ino == self->file.st_ino;
}

static PyObject *marks_is_there(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(is_same_file((struct marks *)self));
}

/* Of a parent nothing runs here. */
static PyObject *marks_is_idle(PyObject *object, PyObject *unused)
{
    struct marks *self = (struct marks *)object;

    (void)unused;
    return PyBool_FromLong(self->pid != getpid() || (self->n_inside == 0 && self->n_running <= 0));
}

static bool open_marks(struct marks *self, uint32_t flags, int64_t since_ns)
{
    const char *name = PyBytes_AsString(self->path);
    size_t n = name ? strlen(name) : 0;
    struct gput_error e = { 0 };
    PyThreadState *gil;
    int r;

    if (!name)
        return false;
    self->waits = n > 7 && strcmp(name + n - 7, ".sqlite") == 0;
    gil = PyEval_SaveThread(); /* who else is making the file is waited for */
    r = gput_marks_open_since(name, flags, since_ns, &self->marks, &e);
    if (r == 0)
        (void)stat(name, &self->file);
    PyEval_RestoreThread(gil);
    if (r < 0)
        gput_python_raise_file(r, &e);
    return r == 0;
}

static PyObject *marks_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = { "path", "overwrite", "append", "exact", "since", NULL };
    int overwrite = 0, append = 0, exact = 0;
    long long since = 0;
    struct marks *self = NULL;
    PyObject *path = NULL;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|$pppL:Marks", names, PyUnicode_FSConverter,
                                     &path, &overwrite, &append, &exact, &since))
        return NULL;
    self = (struct marks *)PyType_GenericAlloc(type, 0);
    if (!self) {
        Py_DECREF(path);
        return NULL;
    }
    self->pid = getpid();
    self->path = path;
    if (!open_marks(self,
                    (overwrite ? GPUT_MARKS_OVERWRITE : 0U) | (append ? GPUT_MARKS_APPEND : 0U) |
                        (exact ? GPUT_MARKS_EXACT : 0U),
                    since))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void marks_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

    (void)gput_marks_close(((struct marks *)object)->marks);
    Py_XDECREF(((struct marks *)object)->path);
    release(object);
    Py_DECREF(type);
}

static PyMethodDef marks_methods[] = {
    { "begin", marks_begin, METH_O,
      "begin(name)\n\nThe calling thread enters a block. Returns who that is, for end()." },
    { "end", marks_end, METH_VARARGS,
      "end(name[, begun_by])\n\nThe block ends. Nothing is written for one that was begun in "
      "another process, before a fork." },
    { "is_there", marks_is_there, METH_NOARGS, "Whether the file is still found by its name." },
    { "is_idle", marks_is_idle, METH_NOARGS, "Whether no code block runs that was begun here." },
    { "close", marks_close, METH_NOARGS, "Write what still waits and give back the file." },
    { 0 },
};

static PyType_Slot marks_slots[] = {
    { Py_tp_doc, "Marks(path, *, overwrite=False, append=False, exact=False, since=0)\n\nA "
                 "sub-tracking file of libgput; the keywords are those of enum gput_marks_flag and "
                 "of gput_marks_open_since()." },
    { Py_tp_new, marks_new },
    { Py_tp_dealloc, marks_dealloc },
    { Py_tp_methods, marks_methods },
    { 0 },
};

static PyType_Spec marks_spec = {
    .name = "_gput.Marks",
    .basicsize = sizeof(struct marks),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = marks_slots,
};

static PyObject *here(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyLong_FromLongLong(who());
}

static PyMethodDef functions[] = {
    { "here", here, METH_NOARGS, "What Marks.begin() returns to this thread." },
    { 0 },
};

int gput_python_add_marks(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&marks_spec);

    if (type && PyModule_AddObject(module, "Marks", type) == 0)
        return PyModule_AddFunctions(module, functions);
    Py_XDECREF(type);
    return -1;
}
