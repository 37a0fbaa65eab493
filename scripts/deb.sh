#!/usr/bin/env bash
# Makes the Debian package: the program of profile `dist`, completions and man pages. Needs cargo-deb.
set -euo pipefail
cd "$(dirname "$0")/.."
built="${CARGO_TARGET_DIR:-target}/dist"
made=target/package-files

cargo build --profile dist --features parquet --bin absolve
rm -rf "$made"
mkdir -p "$made"
"$built/absolve" man "$made/man"
for shell in bash zsh fish; do
    "$built/absolve" completions "$shell" >"$made/absolve.$shell"
done
cargo deb --no-build "$@"
