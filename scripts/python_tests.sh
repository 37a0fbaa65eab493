#!/usr/bin/env bash
# Tests the Python package: builds the wheel, installs it in a clean environment with nothing else and runs the examples that need
# nothing else, then runs pytest (with mypy in it) where the test requirements are installed. With ABSOLVE_LONG=1, a third environment has
# the extra `spark` alone, for what docs/spark.md shows; ABSOLVE_SPARK_PYTHON names its Python. Environments are made again only if the
# requirements changed. The wheel is built by the profile that ABSOLVE_PROFILE names (release). Exits with 77 where Python 3.10 or later,
# venv or pip is absent. Arguments are those of pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
package=$PWD/crates/python
work=${CARGO_TARGET_DIR:-$PWD/target}/python
mkdir -p "$work"
work=$(cd "$work" && pwd)

python=${PYTHON:-python3}
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "skipped: Python 3.10 or later with venv and pip is absent, and with it the tests of the package"
    exit 77
fi

# Makes the environment $1 with the requirements in the file $2, unless it has them.
environment() {
    local folder=$work/$1 requirements=$2
    if ! cmp -s "$requirements" "$folder/requirements.txt" || ! "$folder/bin/python" -c '' 2>/dev/null; then
        rm -rf "$folder"
        "$python" -m venv "$folder"
        if ! "$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"; then
            echo "skipped: the requirements of $1 cannot be installed"
            rm -rf "$folder"
            exit 77
        fi
        cp "$requirements" "$folder/requirements.txt"
    fi
}

install() {
    "$work/$1/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall "$work"/wheels/absolve-*.whl
}

grep '^maturin' "$package/tests/requirements.txt" >"$work/maturin.txt"
environment build "$work/maturin.txt"
rm -rf "$work/wheels"
(cd "$package" && CARGO_TARGET_DIR=$(dirname "$work") "$work/build/bin/maturin" build --profile "${ABSOLVE_PROFILE:-release}" --quiet --out "$work/wheels" --interpreter "$python")

: >"$work/nothing.txt"
environment clean "$work/nothing.txt"
install clean
echo "the wheel with nothing else:"
(cd "$work" && clean/bin/python -I "$package/tests/documentation.py" && clean/bin/absolve --version)

# venv-pack is what docs/spark.md installs besides.
{ grep '^spark = ' "$package/pyproject.toml" | sed 's/^/# /'; echo venv-pack; echo "absolve[spark] @ file://$(echo "$work"/wheels/absolve-*.whl)"; } >"$work/spark.txt"
if [ -z "${ABSOLVE_LONG:-}" ]; then
    echo "skipped: docs/spark.md typed from top to bottom, which ABSOLVE_LONG=1 adds"
elif (environment spark "$work/spark.txt"); then
    install spark
    export ABSOLVE_SPARK_PYTHON=$work/spark/bin/python
fi

environment tests "$package/tests/requirements.txt"
install tests
cd "$package"
exec "$work/tests/bin/python" -m pytest "$@"
