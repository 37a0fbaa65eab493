# What the continuous integration runs.
ci: test browser lint doc publish

test:
    cargo test --workspace

# Needs Chromium, else it says that it skipped it.
browser:
    cargo build
    scripts/check_browser.py --absolve target/debug/absolve || [ $? -eq 77 ]

lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

publish:
    cargo publish --dry-run --workspace --allow-dirty

# Licences, advisories, duplicate versions; needs cargo-deny, and the network for the advisories.
deny:
    cargo deny check

# Two targets at a time, ten minutes each; needs cargo-fuzz.
fuzz *targets:
    scripts/fuzz.sh {{targets}}

# What hostile input costs at two sizes.
bombs:
    cargo build --release -p absolve -p absolve-bench
    cargo run --release -p absolve-bench -- bombs

# Needs network namespaces or strace, else it says what it skipped.
no-network:
    cargo build --release
    scripts/no_network.sh

# Against the peers, on the corpora that are there.
bench:
    cargo run --release -p absolve-bench
