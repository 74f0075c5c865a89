"""Builds the distribution gput: the extension _gput, the Python packages, the command gpu-tracker.

The engine is compiled once, as a static library, and linked into the extension and the command.
A C compiler and Python's headers are enough; meson builds everything else (docs/PACKAGING.md).
"""
import functools
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from glob import glob

from setuptools import Extension, find_packages, setup
from setuptools.command.build_clib import build_clib
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

# after setuptools, which brings distutils where Python has none
from distutils.ccompiler import new_compiler
from distutils.command.build_scripts import build_scripts
from distutils.errors import CompileError, LinkError
from distutils.sysconfig import customize_compiler

if sys.maxsize < 2**32:
    raise SystemExit("gpu-tracker needs a 64-bit system")
os.chdir(os.path.dirname(os.path.abspath(__file__)))  # every path below is relative to here

# The libraries that are linked in: the name for pkg-config, for the linker, a header, a function,
# and the macro that is set where it is missing; python/without/ has a header in its place.
LIBRARIES = [
    ("sqlite3", "sqlite3", "sqlite3.h", "sqlite3_open_v2", "GPUT_WITHOUT_SQLITE"),
    ("zlib", "z", "zlib.h", "compress2", "GPUT_WITHOUT_ZLIB"),
]

# Those that are loaded when they are used: name for pkg-config and ours, a header, and the macro.
LOADED = [
    ("libcurl", "curl", "curl/curl.h", "GPUT_WITHOUT_CURL"),
]

# The npm package uPlot, for the charts of reports; without it they stand still.
UPLOT = "web/node_modules/uplot"

BUILD = "build-python"  # setuptools' own choice, build/, is meson's
HEADERS = glob("include/*.h") + glob("src/**/*.h", recursive=True) + glob("cli/**/*.h", recursive=True) + glob("python/*.h")
ASSETS = BUILD + "/html_assets.c"  # style and scripts of the report
ENGINE_SOURCES = sorted(glob("src/**/*.c", recursive=True)) + [ASSETS]
COMMAND_SOURCES = sorted(glob("cli/**/*.c", recursive=True))
EXTENSION_SOURCES = sorted(glob("python/*.c"))

with open("meson.build", encoding="utf-8") as text:
    VERSION = re.search(r"^\s*version: '([^']+)'", text.read(), re.MULTILINE).group(1)

MACROS = [("_GNU_SOURCE", ""), ("GPUT_VERSION", '"%s"' % VERSION)]
COMPILE_ARGS = ["-std=gnu11", "-fvisibility=hidden", "-fstack-protector-strong",
                "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-ffunction-sections", "-fdata-sections"]
LINK_ARGS = ["-Wl,-z,relro,-z,now", "-Wl,-z,noexecstack", "-Wl,--as-needed", "-Wl,--gc-sections"]
SYSTEM_LIBRARIES = ["-lm", "-ldl", "-lpthread"]  # after the engine, which needs them
# One extension for all Pythons from 3.9 on; those without a GIL know no such thing.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")


def c_compiler():
    compiler = new_compiler()
    customize_compiler(compiler)  # CC, CFLAGS, LDFLAGS
    return compiler


def hardening():
    """What the compiler knows of this: large frames are touched page by page, shadow stacks."""
    return [arg for arg in ("-fstack-clash-protection", "-fcf-protection=return")
            if can_include("stdio.h", ["-Werror", arg])]


def pkg_config(*words):
    """What pkg-config answers, in words; none where it or the library is missing."""
    command = [os.environ.get("PKG_CONFIG", "pkg-config"), *words]
    try:
        return subprocess.check_output(command, stderr=subprocess.DEVNULL, text=True).split()
    except (OSError, subprocess.CalledProcessError):
        return []


def can_link(header, function, compile_args, link_args, shared):
    """Whether a small program, or shared library, with the function in it can be made."""
    compiler = c_compiler()
    link = compiler.link_shared_object if shared else compiler.link_executable
    link_args = link_args + SYSTEM_LIBRARIES
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "probe.c")
        with open(source, "w") as file:
            file.write("#include <stdio.h>\n#include <%s>\n" % header)
            file.write("void *probe = (void *)%s;\nint main(void) { return 0; }\n" % function)
        try:
            objects = compiler.compile([source], output_dir=folder, extra_postargs=compile_args)
            link(objects, os.path.join(folder, "probe"), extra_postargs=link_args)
        except (CompileError, LinkError):
            return False
    return True


def can_include(header, compile_args):
    compiler = c_compiler()
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "probe.c")
        with open(source, "w") as file:
            file.write("#include <%s>\n" % header)
        try:
            compiler.compile([source], output_dir=folder, extra_postargs=compile_args)
        except CompileError:
            return False
    return True


def find_library(module, name, header, function, shared):
    """(compile_args, link_args), with the static library where there is one; None: not found."""
    compile_args = pkg_config("--cflags", module)
    archives = [os.path.join(folder, "lib%s.a" % name)
                for folder in pkg_config("--variable=libdir", module)]
    ways = [[path] for path in archives if os.path.exists(path)]
    ways += [pkg_config("--libs", module), ["-l" + name]]
    for link_args in filter(None, ways):
        if can_link(header, function, compile_args, link_args, shared):
            return compile_args, link_args
    return None


@functools.lru_cache(maxsize=None)
def libraries(shared=False):
    """(macros, compile_args, link_args) that the table of libraries adds.

    Many a static library can go into a program but not into a shared one."""
    macros, compile_args, link_args = [], [], []
    for module, name, header, function, without in LIBRARIES:
        found = find_library(module, name, header, function, shared)
        if found:
            print("gput: %s: %s" % (name, " ".join(found[1])))
            compile_args += found[0]
            link_args += found[1]
        elif not os.environ.get("GPUT_ALL_LIBRARIES"):  # set for a release
            print("gput: %s was not found: it is built without" % name)
            macros.append((without, "1"))
            compile_args.append("-Ipython/without/" + name)
        else:
            raise SystemExit("gput: the library %s and its header %s are needed" % (name, header))
    for module, name, header, without in LOADED:
        found = pkg_config("--cflags", module)
        if can_include(header, found):
            compile_args += found
        elif not os.environ.get("GPUT_ALL_LIBRARIES"):
            print("gput: the headers of %s were not found: it is built without" % name)
            macros.append((without, "1"))
            compile_args.append("-Ipython/without/" + name)
        else:
            raise SystemExit("gput: the header %s is needed" % header)
    return macros, compile_args, link_args


def embedded_catalogue(macros):
    """data/catalogue.csv as a C file, deflated where it can be unpacked again."""
    out = os.path.join(BUILD, "catalogue_data.c")
    plain = ["--plain"] if ("GPUT_WITHOUT_ZLIB", "1") in macros else []
    subprocess.check_call([sys.executable, "tools/embed-catalogue", *plain, "data/catalogue.csv", out])
    return out


def embedded_manual():
    """The manual page as a C file, for `gpu-tracker help`."""
    out = os.path.join(BUILD, "manual.c")
    subprocess.check_call([sys.executable, "tools/embed-manual", "man/gpu-tracker.1.scd", out])
    return out


def fetch_uplot():
    """Whether it is there, at last: npm gets what web/package-lock.json names."""
    script = UPLOT + "/dist/uPlot.iife.min.js"
    command = ["npm", "ci", "--prefix", "web", "--omit=dev", "--ignore-scripts", "--loglevel=error",
               "--fetch-retries=1", "--fetch-timeout=20000"]
    if not os.path.exists(script):
        try:
            subprocess.call(command, stdout=sys.stderr, timeout=120)
        except (OSError, subprocess.TimeoutExpired):
            pass
    return os.path.exists(script)


def say(line):
    """To whoever installs: pip keeps what a build prints to itself, so on the terminal too."""
    print(line, file=sys.stderr)
    try:
        with open("/dev/tty", "w") as terminal:
            terminal.write("\n" + line + "\n")
    except OSError:
        pass


class build_engine(build_clib):
    def build_libraries(self, engines):
        macros, compile_args, _ = libraries()
        for _, info in engines:
            info["sources"] = info["sources"] + [embedded_catalogue(macros)]
            info["macros"] = info["macros"] + macros
            info["cflags"] = info["cflags"] + compile_args + hardening()
        super().build_libraries(engines)


class build_extension(build_ext):
    """The extension, linked with the libraries that may be part of a shared one."""

    def build_extension(self, ext):
        ext.extra_link_args = (LINK_ARGS + ["-Wl,--version-script=python/_gput.map"]
                               + libraries(shared=True)[2] + SYSTEM_LIBRARIES)
        ext.extra_compile_args = ext.extra_compile_args + hardening()
        # some Pythons have every extension look for libraries in their own folder
        self.compiler.linker_so = [word for word in self.compiler.linker_so
                                   if not word.startswith("-Wl,-rpath")]
        super().build_extension(ext)


class build_packages(build_py):
    """The packages, and the type stubs of the extension, which belongs to none."""

    def run(self):
        super().run()
        if not getattr(self, "editable_mode", False):
            for stub in glob("python/*.pyi"):
                self.copy_file(stub, self.build_lib)


class build_command(build_scripts):
    """The command, compiled, in the place of scripts: a wheel has no other that ends up in bin/."""

    def initialize_options(self):
        super().initialize_options()
        self.build_temp = None

    def finalize_options(self):
        super().finalize_options()
        self.set_undefined_options("build", ("build_temp", "build_temp"))

    def run(self):
        self.run_command("build_clib")
        engine = self.get_finalized_command("build_clib").build_clib
        macros, compile_args, link_args = libraries()
        compiler = c_compiler()
        objects = compiler.compile(
            COMMAND_SOURCES + [embedded_manual()], output_dir=self.build_temp, include_dirs=["include", "cli"],
            macros=MACROS + macros, extra_postargs=COMPILE_ARGS + ["-fPIE"] + compile_args + hardening())
        compiler.link_executable(
            objects, "gpu-tracker", output_dir=self.build_dir, library_dirs=[engine],
            libraries=["gput"],
            extra_postargs=LINK_ARGS + ["-pie"] + link_args + SYSTEM_LIBRARIES)
        if self.get_finalized_command("build_ext").inplace:  # pip install -e: beside the extension
            self.copy_file(os.path.join(self.build_dir, "gpu-tracker"), "python")


engine = ("gput", {
    "sources": ENGINE_SOURCES,
    "obj_deps": {"": HEADERS},
    "include_dirs": ["include", "src"],
    "macros": MACROS,
    "cflags": COMPILE_ARGS,
})
extension = Extension(
    "_gput",
    sources=EXTENSION_SOURCES,
    depends=HEADERS + ENGINE_SOURCES,
    include_dirs=["include", "src"],
    define_macros=MACROS + ([("Py_LIMITED_API", "0x03090000")] if LIMITED else []),
    extra_compile_args=COMPILE_ARGS,
    py_limited_api=LIMITED,
)

os.makedirs(BUILD, exist_ok=True)
has_uplot = fetch_uplot()
if not has_uplot and os.environ.get("GPUT_ALL_LIBRARIES"):
    raise SystemExit("gput: %s is needed: run tools/setup web" % UPLOT)
if not has_uplot:
    say("gput: uPlot could not be had from npm: the charts of reports will stand still. With npm and a network, "
        "install again")
subprocess.check_call([sys.executable, "tools/embed", "web", ASSETS] + [UPLOT] * has_uplot)
setup(
    version=VERSION,
    license="MIT",
    license_files=["LICENSE", "data/NOTICE"],
    package_dir={"": "python"},
    packages=find_packages("python"),
    package_data={"": ["py.typed", "*.pyi"]},
    libraries=[engine],
    ext_modules=[extension],
    scripts=["cli/main.c"],  # not read as a script: see build_command
    zip_safe=False,
    cmdclass={
        "build_clib": build_engine,
        "build_ext": build_extension,
        "build_py": build_packages,
        "build_scripts": build_command,
    },
    options={
        "build": {"build_base": BUILD},
        "egg_info": {"egg_base": BUILD},
        **({"bdist_wheel": {"py_limited_api": "cp39"}} if LIMITED else {}),
    },
)
