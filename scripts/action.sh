#!/usr/bin/env bash
# The steps of action.yml. Paths and options come as lines in variables, so that none of them is a command.
set -euo pipefail

# Prints the lines of a variable that are not empty.
lines() {
    printf '%s\n' "$1" | tr -d '\r' | sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' -e '/^$/d'
}

case "${1:-}" in
install)
    if command -v absolve >/dev/null; then
        absolve --version
    else
        cargo install --locked --path "$(dirname "$0")/.."
        echo "${CARGO_HOME:-$HOME/.cargo}/bin" >>"$GITHUB_PATH"
    fi
    ;;
check)
    mapfile -t options < <(lines "${CHECK_OPTIONS:-}")
    mapfile -t paths < <(lines "$CHECK_PATHS")
    if [ "${#paths[@]}" -eq 0 ]; then
        echo "::error::absolve: the input \`paths\` of the action is empty"
        exit 2
    fi
    exec absolve check --format github "${options[@]}" -- "${paths[@]}"
    ;;
*)
    echo "usage: action.sh install|check" >&2
    exit 2
    ;;
esac
