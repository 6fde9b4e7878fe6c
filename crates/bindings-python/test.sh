#!/usr/bin/env bash
# Builds the Python package as pip does and runs its tests, in a virtual environment of their own: target/venv. With that environment,
# `cargo test` runs them as well, on the library of its own build.
#
#     crates/bindings-python/test.sh            the tests, with the formats and lints of the crate
#     crates/bindings-python/test.sh --install  nothing but the virtual environment
#     crates/bindings-python/test.sh --engines  the examples on Ray Data and on Spark, which are installed first; needs Java 17 or later
#     crates/bindings-python/test.sh ARGUMENTS  arguments of pytest instead
#
# PROFILE is the profile of Cargo that the package is built with (default: release).
set -euo pipefail
cd "$(dirname "$0")"

python=${PYTHON:-python3}
profile=${PROFILE:-release}
root=$(cd ../.. && pwd)
venv=${CARGO_TARGET_DIR:-$root/target}/venv
# The mark tells that all of it was installed, and not only a part.
if [ ! -e "$venv/installed" ]; then
  mkdir -p "$(dirname "$venv")"
  "$python" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check \
    maturin pytest mypy pyright pyarrow polars pandas duckdb ruamel.yaml nbformat nbclient ipykernel
  touch "$venv/installed"
fi
[ "${1:-}" != --install ] || exit 0

if [ "${1:-}" = --engines ]; then
  "$venv/bin/pip" install --quiet --disable-pip-version-check 'ray[data]' pyspark
  # Workers are started by the name of a program, which is that of this environment.
  export PYSPARK_PYTHON=$venv/bin/python
  set -- tests/test_ray.py tests/test_spark.py
fi

if [ $# -eq 0 ]; then
  cargo fmt --check
  cargo clippy --profile "$profile" --locked -- -D warnings -A clippy::disallowed_methods
fi
VIRTUAL_ENV=$venv "$venv/bin/maturin" develop --profile "$profile" --locked --quiet
if [ $# -eq 0 ]; then
  "$venv/bin/mypy" --strict python tests/typed.py
  "$venv/bin/pyright" --pythonpath "$venv/bin/python" tests/typed.py
  "$venv/bin/stubtest" hieratic
fi
"$venv/bin/pytest" "$@"
