#!/usr/bin/env bash
# lxml 6.1.3 (PyPI), lxml.html.make_links_absolute.
#
# HTML 4 (13.3) lets `archive` of an `object` list several URLs. lxml finds each URL with its place in the attribute, then replaces the
# first one, and uses the old places for the next one. `a.jar b.jar` becomes `http:/http://h.example/d/b.jarample/d/a.jar b.jar`. The
# attribute of an `applet` has commas between its URLs (13.4). lxml splits it at spaces, so `b.jar` of `a.jar, b.jar` stays relative.
#
# Why it matters: pages of the 1990s and 2000s have Java applets and plug-ins. A test with one name passes.
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
page = lxml.html.document_fromstring("<html><body>" + sys.argv[1] + "</body></html>")
page.make_links_absolute("http://h.example/d/p.html")
print(page.find(".//*[@archive]").get("archive"))
EOF
archive() { venv/bin/python run.py "$1"; }
sees "object, one name" "$(archive '<object archive="a.jar"></object>')" "http://h.example/d/a.jar"
sees "object, two names" "$(archive '<object archive="a.jar b.jar"></object>')" "http:/http://h.example/d/b.jarample/d/a.jar b.jar"
sees "applet, two names" "$(archive '<applet archive="a.jar, b.jar"></applet>')" "http://h.example/d/a.jar, b.jar"
