#!/usr/bin/env bash
# lxml 6.1.3 (PyPI), lxml.html.make_links_absolute.
#
# `<meta http-equiv="refresh" content="5">` reloads the page every five seconds and has no URL. lxml takes the number for a URL, and writes
# content="http://h.example/d/5". A refresh with a URL keeps its seconds and comes out right.
#
# Why it matters: the page no longer reloads, because the value no longer begins with a number. Dashboards, live tickers and waiting pages
# have such a refresh. And `iterlinks` reports a link http://h.example/d/5 that crawlers then ask for.
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
page = lxml.html.document_fromstring('<html><head><meta http-equiv="refresh" content="%s"></head></html>' % sys.argv[1])
page.make_links_absolute("http://h.example/d/p.html")
print(page.find(".//meta").get("content"), *(link for _, _, link, _ in page.iterlinks()))
EOF
sees "seconds only" "$(venv/bin/python run.py 5)" "http://h.example/d/5 http://h.example/d/5"
sees "seconds and URL" "$(venv/bin/python run.py "5; url=m.html")" "5; url=http://h.example/d/m.html http://h.example/d/m.html"
