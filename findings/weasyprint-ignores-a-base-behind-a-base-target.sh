#!/usr/bin/env bash
# WeasyPrint 70.0 (PyPI).
#
# In `<base target="_top"><base href="/b/">` the second BASE is the first one with a href, and the HTML Standard (4.2.3) gives it to the
# page. WeasyPrint looks at the first BASE only, finds no href, and resolves links at the URL of the page. At a BASE on another host, it
# reads `#s` as a place in its own document, where browsers leave the page. A BASE in `noscript` applies, as it runs no scripts.
#
# Why it matters: a PDF that is made for the record has links that the page did not have.
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
venv/bin/pip install --quiet --disable-pip-version-check weasyprint==70.0 2>pip.log || { echo "cannot install weasyprint==70.0" >&2; exit 3; }
cat >run.py <<'PY'
import sys, weasyprint
pages = weasyprint.HTML(string=sys.argv[1] + '<a href="x">x</a><a href="#s">s</a><p id="s">t', base_url="http://h.example/d/p.html").render().pages
print(*(f"{link[0]}={link[1]}" for page in pages for link in page.links))
PY
links() { venv/bin/python run.py "$1" 2>/dev/null; }
sees "target, then href" "$(links '<base target="_top"><base href="/b/">')" "external=http://h.example/d/x internal=s"
sees "another host" "$(links '<base href="http://o.example/e/">')" "external=http://o.example/e/x internal=s"
sees "noscript" "$(links '<noscript><base href="/n/"></noscript>')" "external=http://h.example/n/x internal=s"
