#!/usr/bin/env bash
# lxml 6.1.3 (PyPI), lxml.html.make_links_absolute.
#
# CSS allows spaces between the parenthesis and the quotes of `url( "c.png" )`. lxml then takes the quotes for a part of the URL and writes
# url(http://h.example/d/"c.png"), which is a syntax error in CSS. `@import 'a.css'` stays relative, while `@import "a.css"` comes out
# right.
#
# Why it matters: a relative URL can still work where the page lies. A browser drops a declaration with a syntax error in any place.
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
venv/bin/pip install --quiet --disable-pip-version-check lxml==6.1.3 2>pip.log || { echo "cannot install lxml==6.1.3" >&2; exit 3; }

cat >run.py <<'EOF'
import sys
import lxml.html
page = lxml.html.document_fromstring("<html><head><style>" + sys.argv[1] + "</style></head></html>")
page.make_links_absolute("http://h.example/d/p.html")
print(page.find(".//style").text)
EOF
css() { venv/bin/python run.py "$1"; }
sees "no spaces" "$(css 'p{background:url("c.png")}')" 'p{background:url("http://h.example/d/c.png")}'
sees "spaces" "$(css 'p{background:url( "c.png" )}')" 'p{background:url(http://h.example/d/"c.png")}'
sees "double quotes" "$(css '@import "a.css";')" '@import "http://h.example/d/a.css";'
sees "single quotes" "$(css "@import 'a.css';")" "@import 'a.css';"
