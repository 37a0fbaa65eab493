# What the continuous integration runs.
ci: test lint doc publish

test:
    cargo test --workspace

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

# Against the peers, on the corpora that are there.
bench:
    cargo run --release -p absolve-bench
