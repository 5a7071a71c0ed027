# `make rehearsal` and `make test` need git, make and Python 3.11 or newer; .ci/setup fetches the rest into .venv.
#   PYTHON=/path/to/python3   the interpreter to use        PACE=N      how many times faster than life to rehearse
#   CURTAIN_NO_SYSTEM=1       install no Debian packages    STUDY=DIR   the study of `make session`
#   QUESTIONS=FILE DATABASE=URL PRINCIPLES=SET  requests with SQL for `make bench BENCHES=understanding.confidence`
#   BROWSER=1                 `make session` with the subject's page in a browser

PACE ?= 8
STUDY ?= my-study
BIN := .venv/bin
BENCHES = $(filter-out english example torture,$(basename $(notdir $(shell grep -l '^if __name__' benchmarks/*.py)))) understanding.confidence

export PYTHON
unexport PYTHONPATH PYTHONHOME
# Images of machines often set it; every process of a test would then compile all that it imports anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup rehearsal test session example lint types bench torture demonstration docs lock clean

help:  ## what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-10s %s\n", $$1, $$2}' Makefile

setup:  ## .venv from requirements.lock; at once when nothing changed
	@.ci/setup

rehearsal: setup  ## a whole session with scripted people: hub, wire, capture, database, export, verification
	@$(BIN)/curtain rehearse --out "rehearsal-out/$$(date +%Y%m%d-%H%M%S)" --pace $(PACE)

test: setup  ## all tests that this machine can run; `make test ARGS='-k curtain'` for some
	@$(BIN)/pytest -n logical --maxprocesses 8 --dist worksteal $(ARGS)

session: setup  ## a live session: the wizard and the subject side by side in tmux
	@.ci/session $(if $(filter command,$(origin BROWSER)),--browser) "$(STUDY)"

example: setup  ## the corpus of 1989: scores a toy system on it and prints every table
	@$(BIN)/python -m benchmarks.example $(ARGS)

lint: setup  ## style, formatting and the layers of the design
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-logo

types: setup  ## mypy, strict
	@$(BIN)/mypy

bench: setup  ## the figures of the design, measured; `make bench BENCHES=table` for one
	@for each in $(BENCHES); do echo "== $$each" && $(BIN)/python -m "benchmarks.$$each" || exit 1; done

torture: setup  ## kills, cuts and stalls a session at random for minutes, then looks for what was lost
	@$(BIN)/python -m benchmarks.torture.run $(ARGS)

demonstration: setup  ## the demonstration corpus as a release file, dist/curtain-demonstration-VERSION.tar.xz
	@.ci/demonstration

docs: setup  ## the documentation as a site, build/site
	@.ci/docs

lock: setup  ## requirements*.lock anew from pyproject.toml (wants uv)
	@.ci/lock

clean:  ## removes .venv, caches and build products; never a study or a rehearsal
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
