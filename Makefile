# A thin wrapper for people who want one command; Meson does the work.
BUILD ?= build
JOBS ?= 2
MESON_FLAGS ?=
PYTHON ?= python3

.PHONY: all release bench demo check check-all format lint clean
all: $(BUILD)/build.ninja
	ninja -C $(BUILD) -j$(JOBS)

$(BUILD)/build.ninja:
	meson setup $(BUILD) $(MESON_FLAGS)

# As fast as the host's compiler can make it: optimised at link time and by a profile. Takes minutes.
release:
	$(PYTHON) tools/dev/build_release.py $(BUILD)-release

# Demonstrates Heddle on an example shader: installs missing packages, builds, compiles, runs, draws.
demo:
	tools/install-deps.sh
	$(MAKE) all
	./examples/demo.sh $(BUILD)/tools/heddle/heddle $(BUILD)/demo

# Everything a change must pass: build with warnings as errors, lint, all kinds of tests. Takes minutes.
check:
	tools/install-deps.sh
	@$(PYTHON) tools/dev/check.py --build $(BUILD) --jobs $(JOBS)

# The same with the other compiler, with the sanitizers, and as a release build. Takes longer.
check-all:
	tools/install-deps.sh
	@$(PYTHON) tools/dev/check.py --build $(BUILD) --jobs $(JOBS) --all

# Compares time and code with RADV's compiler ACO: writes docs/performance.md. Takes minutes; needs an idle machine.
bench:
	$(PYTHON) tests/bench/compare_anchor.py --build $(BUILD)-release

lint: all
	$(PYTHON) tools/dev/lint.py --build $(BUILD)

format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf $(BUILD) $(BUILD)-clang $(BUILD)-san $(BUILD)-release
