# make            build the command: build/gpu-tracker
# make run        install what the build needs, build, and track an example job
# make test       build with gcc and clang, run all tests plainly and under sanitizers
# make quick      build with gcc, run the unit and golden tests
# make check      what takes longer: the recipe for a new metric, packages of PyPI, make lint
# make lint       clang-tidy and cppcheck on src/ and cli/
# make bench      measure what the tracker costs and how right it is, beside other programs
# make coverage   which lines and branches of src/ the tests reach
# make sanitize   run the Python tests with the extension under sanitizers
# make fuzz       fuzz each parser for FUZZ_SECONDS (20)
# make faults     let every system call and allocation fail; kills, full disks, clock steps
# make soak       run for SOAK_MINUTES (30) among processes that come and go; 20,000 processes
# make wheel      build the sdist and the wheel for Python into dist/
# make wheel-check  try the wheel with every Python that is there
# make port-check  as root: unit and golden tests on Debian 11 and 13, aarch64, musl, with LTO
# make install    install below PREFIX (/usr/local); DESTDIR is put in front
# make format     lay out the C files as .clang-format says
# make clean      remove what was built
# make help       show this list

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20

all: build/build.ninja
	@ninja -C build installed

build/build.ninja:
	@tools/setup web
	@meson setup build --prefix=$(PREFIX)

run:
	@tools/setup build
	@$(MAKE) --no-print-directory all
	build/gpu-tracker -e 'sh examples/job.sh' --st 0.1 --ru megabytes --gru megabytes --tu seconds \
		--plot --report build/report.html
	@echo "Open build/report.html in a browser."

test quick check:
	@tools/test --$@

lint:
	@tools/setup check
	@tools/lint

bench: build/build.ninja
	@tools/setup bench || echo "make bench: goes on with what is there" >&2
	@ninja -C build
	@bench/run

coverage:
	@tools/setup test
	@tools/coverage

sanitize:
	@tools/setup test
	@tools/sanitize

fuzz:
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz

faults:
	@tools/setup test
	@tools/faults

soak:
	@tools/setup test
	@tools/soak

wheel:
	@tools/setup wheel
	@tools/wheel

wheel-check:
	@tools/wheel-check

port-check:
	@tools/port-check

# Compiles nothing after `make`, unless PREFIX is another one than then.
install: build/build.ninja
	@meson introspect build --buildoptions | grep -q '"name": "prefix", "value": "$(PREFIX)"' || \
		meson configure build -Dprefix=$(PREFIX)
	@ninja -C build installed
	@DESTDIR=$(DESTDIR) meson install -C build --no-rebuild

format:
	@tools/format

clean:
	@rm -rf build build-coverage build-test build-fuzz build-python dist

help:
	@sed -n '/^#/!q; s/^# //p' Makefile

.PHONY: all run test quick check lint bench coverage sanitize fuzz faults soak wheel wheel-check port-check install format clean help
