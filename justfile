# What the continuous integration runs.
ci:
    .ci/run

test:
    cargo test --workspace

# All laws in full, and with the most rounds; all pages in the browser, all of the Python package, and the packages as they would be
# published.
laws: && browser package
    ABSOLVE_LONG=1 ABSOLVE_PROFILE=laws scripts/python_tests.sh -q || [ $? -eq 77 ]
    ABSOLVE_LONG=1 cargo test --profile laws --features parquet --workspace --exclude absolve-bench --tests -- --include-ignored

# Needs Chromium, else it says that it skipped it.
browser:
    cargo build
    scripts/check_browser.py --absolve "${CARGO_TARGET_DIR:-target}/debug/absolve" || [ $? -eq 77 ]

# A page that Chromium saved as MHTML, rewritten and unpacked. Without Chromium it says that it skipped it.
saved-pages:
    cargo build
    scripts/check_saved_pages.py --absolve "${CARGO_TARGET_DIR:-target}/debug/absolve" || [ $? -eq 77 ]

# What Chromium, Firefox and WebKitGTK load of pages before and after. It skips an engine that is not installed, and says so.
engines *arguments:
    cargo build
    scripts/check_engines.py --absolve "${CARGO_TARGET_DIR:-target}/debug/absolve" {{arguments}} || [ $? -eq 77 ]

# Pages, mailboxes and archives by programs of others. It skips a program that is not installed, and says so.
tools modules="." python="python3" *names:
    cargo build
    scripts/check_tools.py --absolve "${CARGO_TARGET_DIR:-target}/debug/absolve" --modules {{modules}} --python {{python}} {{names}} || [ $? -eq 77 ]

# Made-up Markdown, read by commonmark.js, markdown-it and micromark before and after. Needs npm packages in `modules`, else it says that it skipped it.
markdown-readers modules="." *arguments:
    cargo build --release
    scripts/check_markdown_readers.mjs --absolve "${CARGO_TARGET_DIR:-target}/release/absolve" --modules {{modules}} {{arguments}} || [ $? -eq 77 ]

# Faults in Markdown, JSON Feeds, maps and unpacked sites, each of which `verify` has to find.
planted *arguments:
    cargo build --release
    scripts/check_planted.mjs --absolve "${CARGO_TARGET_DIR:-target}/release/absolve" {{arguments}}

# Graphs of links, compared with what DuckDB makes of the rows. Needs `pip install duckdb tldextract`, else it says that it skipped it.
graphs *inputs:
    cargo build --release --features parquet
    scripts/check_graphs.py --absolve "${CARGO_TARGET_DIR:-target}/release/absolve" {{inputs}} || [ $? -eq 77 ]

# Web archives of a site of ours, unpacked, in Chromium from disk without network. Needs Chromium and `pip install warcio`, else it says that it
# skipped it; uses wget, wacz and Node where they are.
unpacked *archives:
    cargo build
    scripts/check_unpack.py --program "${CARGO_TARGET_DIR:-target}/debug/absolve" {{archives}} || [ $? -eq 77 ]

# What Thunderbird and Roundcube show of messages, compared with docs/email.md. Without them it says that it skipped them.
mail-programs:
    cargo build
    scripts/check_mail_programs.py --absolve "${CARGO_TARGET_DIR:-target}/debug/absolve" || [ $? -eq 77 ]

# Five readers of MHTML; needs `npm install --prefix MODULES mhtml2html mhtml-to-html fast-mhtml`, `pip install unmhtml` and ripmime, and
# says which of them it skipped.
mhtml-readers modules="." python="python3":
    cargo build
    scripts/check_mhtml_readers.py --absolve "${CARGO_TARGET_DIR:-target}/debug/absolve" --modules {{modules}} --python {{python}} || [ $? -eq 77 ]

# The Python package, in environments of its own in target/python; without Python it says that it skipped it.
python *arguments:
    scripts/python_tests.sh {{arguments}} || [ $? -eq 77 ]

# The page of `--report FILE.html` in Chromium. Needs Chromium and two npm packages in `modules`, else it says that it skipped it.
page modules=".":
    cargo build --release
    scripts/check_report.mjs --absolve "${CARGO_TARGET_DIR:-target}/release/absolve" --modules {{modules}} || [ $? -eq 77 ]

# The npm package. Needs what it is built with, and looks for Chromium, runtimes and packages of others in `modules`, which it names if absent.
javascript modules=".":
    cargo build --release
    scripts/build_js.sh && scripts/check_js.mjs --absolve "${CARGO_TARGET_DIR:-target}/release/absolve" --package "${CARGO_TARGET_DIR:-target}/js/package" --modules {{modules}} || [ $? -eq 77 ]

# The page to try it in. Needs what the npm package is built with, and what `page` needs, else it says that it skipped it.
try modules=".":
    cargo build --release
    scripts/build_js.sh && scripts/build_try.mjs && scripts/check_try.mjs --absolve "${CARGO_TARGET_DIR:-target}/release/absolve" --modules {{modules}} || [ $? -eq 77 ]

lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    scripts/count_lines.py functions

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Each package is compiled from what is in it. The packages of an older run have the same names and versions.
package:
    rm -rf "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/absolve-*-0.*
    cargo package --workspace --allow-dirty --exclude absolve-bench --exclude absolve-laws --exclude absolve-testing

# The program as it is packaged: slow to build, with link-time optimisation of everything.
dist:
    cargo build --profile dist --features parquet

# A Debian package with completions and man pages; needs cargo-deb.
deb:
    scripts/deb.sh

# What docs/ci.md shows; needs `pip install jsonschema check-jsonschema pre-commit`, else it says that it skipped it.
services:
    cargo build
    scripts/check_ci.py --absolve "${CARGO_TARGET_DIR:-target}/debug/absolve" || [ $? -eq 77 ]

# Licences, advisories, duplicate versions; needs cargo-deny, and the network for the advisories.
deny:
    cargo deny --workspace check

# Two targets at a time, ten minutes each; needs cargo-fuzz.
fuzz *targets:
    scripts/fuzz.sh {{targets}}

# What hostile input costs at two sizes.
bombs:
    cargo run --release -p absolve-bench -- bombs

# Needs network namespaces or strace, else it says what it skipped.
no-network:
    cargo build --release
    scripts/no_network.sh

# Against the peers, on the corpora that are there; writes the tables of docs/performance.md. PYTHON names the Python of those in it.
bench:
    cargo run --release -p absolve-bench -- all
