#!/usr/bin/env bash
# Runs absolve without any network, and watches its system calls: scripts/no_network.sh [ABSOLVE]
#
# First in a network namespace with nothing in it, where a connection could only fail; then under strace, which shows each
# attempt. Says "skipped" of what this system does not allow. The input is that of fixtures/.
set -euo pipefail
cd "$(dirname "$0")/.."
absolve=$(realpath "${1:-target/release/absolve}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A web archive: one response.
block=$'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x><img src=http://h/i>'
printf 'WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/d/\r\nContent-Type: application/http\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' \
    "${#block}" "$block" >"$folder/a.warc"

# Everything that the program does, each as arguments in a line.
runs() {
    local input
    for input in fixtures/mirrors fixtures/mail fixtures/discovery "$folder/a.warc"; do
        echo "rewrite $input -o $folder/out-$RANDOM$RANDOM --quiet"
        echo "check $input --quiet"
        echo "links $input --json --quiet"
        echo "verify $input $input --quiet"
    done
    echo "base fixtures/mail"
    echo "resolve --base http://example.org/ x"
}
# check ends with 1 where it finds something, and so does a run of what is damaged on purpose.
run_all() {
    local line status
    while read -r line; do
        status=0
        # shellcheck disable=SC2086
        "$@" "$absolve" $line >/dev/null 2>&1 || status=$?
        [ "$status" -le 1 ] || { echo "absolve $line: exit $status" >&2; exit 1; }
    done < <(runs)
}

if unshare -rn true 2>/dev/null; then
    run_all unshare -rn
    echo "no network: $(runs | wc -l) runs do what they do without one"
else
    echo "skipped: no network namespaces here"
fi
# A shell that does ask is seen, so that silence means something.
seen() { strace -f -o "$folder/asked" -e trace=network bash -c ': </dev/tcp/127.0.0.1/9' 2>/dev/null || grep -q 'socket(AF_INET' "$folder/asked"; }
if command -v strace >/dev/null && seen; then
    run_all strace -f -A -o "$folder/calls" -e trace=network
    if calls=$(grep -E '(socket|connect|bind|sendto|recvfrom|getaddrinfo)\(' "$folder/calls"); then
        echo "the program asked for the network:" >&2
        head -5 <<<"$calls" >&2
        exit 1
    fi
    echo "no network: no system call of $(runs | wc -l) runs asks for one"
else
    echo "skipped: strace is not there, or may not watch"
fi
