# Everything runs in an environment of its own, .venv, made from the lock file on first use.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: verify test check lint bench certificates lock clean

verify: $(VENV)/.ready
	$(BIN)/forgetting verify $(NAMES)

test: $(VENV)/.ready
	$(BIN)/python -m pytest -n 2 -q $(ARGS)

check: lint test

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.ready
	$(BIN)/python -m benchmarks

# of every declared order that is proved over its box within moderate bounds; the tests replay them
certificates: $(VENV)/.ready
	$(BIN)/forgetting certify --all --out proofs_check/certificates

$(VENV)/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# needs uv; the lock file serves every platform and carries no index address
lock:
	uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
	  --extra test --group build --custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) build dist *.egg-info .hypothesis .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
