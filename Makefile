# PYTHON names another interpreter (3.11 or later): make run PYTHON=python3.12
PYTHON ?= python3

.PHONY: run test bench lint format build

run: ; @$(PYTHON) -m deploy.run

test: ; @$(PYTHON) -m tests.run $(ARGS)

bench: build ; @.venv/bin/python -m speed.run $(ARGS)

build: ; @$(PYTHON) -m deploy.preparation requirements-dev.txt

lint: build
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy .

format: build
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .
