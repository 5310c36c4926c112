# On a machine with git, make and Python 3.11 or newer: `make run` and `make test`. What they install stays in the checkout.

.PHONY: help run test check fix wheel clean

help:
	@echo "make run    install, build the page, open the demo (ARGS='--port 8080' is handed on)"
	@echo "make test   install and run every test"
	@echo "make check  what every change must pass, in under a minute"
	@echo "make fix    format and repair"
	@echo "make wheel  a wheel with the built page, in dist/"
	@echo "make clean  remove what was installed and built here"

run:
	@scripts/install run
	@exec .venv/bin/idea demo $(ARGS)

test:
	@scripts/test

check:
	@scripts/check

fix:
	@scripts/fix

wheel:
	@scripts/install run
	@.venv/bin/python -m hatchling build -t wheel

clean:
	rm -rf .venv .cache web/node_modules src/idea/static dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
