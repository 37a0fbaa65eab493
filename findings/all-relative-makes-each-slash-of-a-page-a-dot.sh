#!/usr/bin/env bash
# all-relative 0.1.8 (PyPI), which makes the links of a static site relative.
#
# For each link from the root it finds, it replaces that text in the whole page, not in the link. So after a link home, `<a href="/">`, each
# slash of the page is a dot: `</a>` becomes `<.a>`. With `<a href="/b.html">`, a link to https://k.example/b.html in the same page becomes
# https://k.exampleb.html. And all links are made relative to the root of the site, also in pages in folders.
#
# Why it matters: a link home is in each page of nearly all sites. The tool has written the files in place when one sees it.
set -euo pipefail

T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"

# Prints what was seen, and compares it with what is stated.
sees() {
  printf "%s: %s\n" "$1" "$2"
  [ "$2" = "$3" ] || { printf "DIFFERS: %s is stated\n" "$3" >&2; exit 1; }
}

python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check all-relative==0.1.8 2>pip.log || { echo "cannot install all-relative==0.1.8" >&2; exit 3; }

mkdir -p site/sub
page() { echo "$1" >site/sub/p.html; (cd site && ../venv/bin/all-relative --quiet .); cat site/sub/p.html; }
sees "other link" "$(page '<a href="/b.html">b</a> <i>and/or</i>')" '<a href="b.html">b</a> <i>and/or</i>'
sees "link home" "$(page '<a href="/">home</a> <i>and/or</i>')" '<a href=".">home<.a> <i>and.or<.i>'
sees "two links" "$(page '<a href="/b.html">b</a> <a href="https://k.example/b.html">k</a>')" \
  '<a href="b.html">b</a> <a href="https://k.exampleb.html">k</a>'
