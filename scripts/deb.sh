#!/usr/bin/env bash
# Makes the Debian package: the program of profile `dist`, completions and man pages. Needs cargo-deb.
set -euo pipefail
cd "$(dirname "$0")/.."
made=target/package-files

cargo build --profile dist --features parquet --bin absolve
rm -rf "$made"
cargo run --quiet -p absolve-packaging -- "$made"
cargo deb --no-build "$@"
