#!/usr/bin/env bash
# Fuzzes the targets of fuzz/, two at a time: scripts/fuzz.sh [-s SECONDS] [-j JOBS] [-c CORPORA] [TARGET …]
#
# Needs cargo-fuzz (cargo install cargo-fuzz) and a C++ compiler; a stable toolchain will do. The programs are built once
# and copied, so that the sources may change while they run. Logs, corpora and what breaks a law are in fuzz/; a table
# is printed at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=600 jobs=2 corpora=../shared/corpora
while getopts s:j:c: option; do
    case $option in
    s) seconds=$OPTARG ;;
    j) jobs=$OPTARG ;;
    c) corpora=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(cargo fuzz list)
export RUSTC_BOOTSTRAP=1 RAYON_NUM_THREADS=1
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
cargo fuzz build --release --sanitizer none --no-trace-compares >&2
for target in "${targets[@]}"; do
    cp "${CARGO_TARGET_DIR:-fuzz/target}/$(rustc -vV | sed -n 's/^host: //p')/release/$target" "$built/"
done

# The endings of the files that a target begins with, and its dictionary.
endings_of() {
    case $1 in
    css) echo css html ;;
    markdown) echo md markdown ;;
    xml) echo xml svg xhtml rss atom rdf opml ;;
    message | base | mbox | mmdf | babyl | emlx | unpack | bundle) echo eml mhtml mbox msg txt ;;
    warc | warc_gzip | http) echo warc gz arc ;;
    wacz) echo wacz warc ;;
    urls) echo csv json jsonl cdx cdxj log ;;
    resolver) ;;
    *) echo html htm svg ;;
    esac
}
words_of() {
    case $1 in
    resolver) echo references ;;
    css | srcset) echo css ;;
    markdown) echo markdown ;;
    xml) echo xml ;;
    message | base | mbox | mmdf | babyl | emlx | unpack | bundle) echo messages ;;
    warc | warc_gzip | http | wacz) echo archives ;;
    urls) echo tables ;;
    *) echo html ;;
    esac
}

run() {
    local target=$1 corpus=fuzz/corpus/$1 log=fuzz/logs/$1.log
    mkdir -p "$corpus" "fuzz/artifacts/$target" fuzz/logs
    for ending in $(endings_of "$target"); do
        while read -r file; do
            cp "$file" "$corpus/seed-$(cksum <<<"$file" | cut -d' ' -f1)"
        done < <(find fixtures "$corpora" -type f -size -4k -name "*.$ending" 2>/dev/null | shuf -n 200 --random-source=Cargo.lock)
    done
    [ ! -d "fixtures/fuzz/$target" ] || cp "fixtures/fuzz/$target"/* "$corpus/"
    nice -n 19 "$built/$target" "$corpus" -dict="fuzz/dictionaries/$(words_of "$target").dict" -max_len=4096 \
        -artifact_prefix="fuzz/artifacts/$target/" -max_total_time="$seconds" -rss_limit_mb=4096 -timeout=20 \
        -print_final_stats=1 >"$log" 2>&1 || echo "$target: see $log" >&2
}

for target in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
    run "$target" &
done
wait
printf '| target | executions | minutes | ended |\n|---|---:|---:|---|\n'
for target in "${targets[@]}"; do
    log=fuzz/logs/$target.log
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    time=$(sed -n 's/^Done .* in \([0-9]*\) second.*/\1/p' "$log" | tail -1)
    if [ -n "$time" ]; then ended="at the end of its time"; else ended="by what it found"; fi
    printf '| %s | %s | %s | %s |\n' "$target" "${executions:-?}" "$((${time:-0} / 60))" "$ended"
done
