# Orthant. `make demo` and `make test` install what is missing, build and run; everything else builds on them.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DATA ?= sprites
FUZZ_RUNS ?= 20000
LONG_FUZZ_RUNS ?= 2000000

.PHONY: all setup build demo test tests asan fuzz fuzz-smoke bench format lint install clean

all: build

setup:
	@scripts/setup.sh build

build: setup
	@cmake --preset program --log-level=WARNING
	@cmake --build build -j$(JOBS)

demo: build
	@scripts/demo.sh $(DATA)

# The whole check: unit, property, golden and end-to-end tests, the installed package, and every fuzz target on a
# bounded number of inputs under AddressSanitizer.
test: tests fuzz-smoke

tests:
	@scripts/setup.sh test
	@cmake --preset release --log-level=WARNING
	@cmake --build build -j$(JOBS)
	@ctest --test-dir build --output-on-failure -j$(JOBS)

fuzz-smoke:
	@scripts/setup.sh test
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build build/fuzz -j$(JOBS)
	@tests/fuzz/run.sh build/fuzz $(FUZZ_RUNS)

fuzz:
	@$(MAKE) fuzz-smoke FUZZ_RUNS=$(LONG_FUZZ_RUNS)

asan:
	@scripts/setup.sh test
	@cmake --preset asan --log-level=WARNING
	@cmake --build build/asan -j$(JOBS)
	@ctest --test-dir build/asan --output-on-failure -j$(JOBS)

bench:
	@scripts/setup.sh bench
	@cmake --preset bench --log-level=WARNING
	@cmake --build build -j$(JOBS)
	@bench/run.sh build

format:
	@scripts/format.sh

lint:
	@scripts/setup.sh test
	@scripts/lint.sh

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build
