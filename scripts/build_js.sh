#!/usr/bin/env bash
# Builds the npm package into target/js/package; `npm pack` makes a tarball of it.
#
# Needs the target (rustup target add wasm32-unknown-unknown), and wasm-opt of npm's package binaryen: on the PATH, in the folder that
# ABSOLVE_NPM names, or from npm. Ends with 77 if one of them cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
package=$target/js/package

# Without rustup the compiler may still have the target.
sysroot=$(rustc --print sysroot)
if [ ! -d "$sysroot/lib/rustlib/wasm32-unknown-unknown" ] && ! rustup target add wasm32-unknown-unknown >/dev/null 2>&1; then
    echo "skipped: the Rust target wasm32-unknown-unknown cannot be had" >&2
    exit 77
fi
wasm_opt=$(command -v wasm-opt || true)
for modules in "${ABSOLVE_NPM:-.}" "$target/js/tools"; do
    [ -n "$wasm_opt" ] || [ ! -x "$modules/node_modules/.bin/wasm-opt" ] || wasm_opt=$modules/node_modules/.bin/wasm-opt
done
if [ -z "$wasm_opt" ]; then
    if ! npm install --silent --no-audit --no-fund --prefix "$target/js/tools" binaryen@132 >&2; then
        echo "skipped: neither wasm-opt nor npm's package binaryen can be had" >&2
        exit 77
    fi
    wasm_opt=$target/js/tools/node_modules/.bin/wasm-opt
fi

CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128" \
    cargo build --quiet --profile javascript --target wasm32-unknown-unknown -p absolve-js
rm -rf "$package"
mkdir -p "$package"
cargo run --quiet -p absolve-js-bindings --features wasm-bindgen-cli-support -- \
    "$target/wasm32-unknown-unknown/javascript/absolve_js.wasm" "$package"
"$wasm_opt" -O2 --enable-simd --enable-bulk-memory --enable-reference-types --enable-nontrapping-float-to-int --enable-sign-ext \
    --enable-mutable-globals "$package/glue_bg.wasm" -o "$package/absolve.wasm"
rm "$package/glue_bg.wasm"
cp crates/js/package/* LICENSE-MIT LICENSE-APACHE "$package/"
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
sed -i "s/\"version\": \".*\"/\"version\": \"$version\"/" "$package/package.json"
echo "$package"
