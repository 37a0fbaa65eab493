#!/usr/bin/env bash
# lxml 6.1.3 with its libxml2 2.14.6 (PyPI), the property `base` of an element.
#
# A value of xml:base may have spaces and letters beyond ASCII (XML Base, second edition). At `xml:base="my docs/"` the property `base` is
# None, also for all elements within that have no absolute xml:base. At `xml:base="//k.example/p/"` the element has the right base. But
# `xml:base="q/"` within it has http://h.example/k.example/p/q/: the other host has become a folder of the host of the document.
#
# Why it matters: `base` is what programs pass to `urljoin`, and `urljoin(None, "a.html")` is "a.html", without an error.
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
from lxml import etree
text = '<a xml:base="http://h.example/d/"><b xml:base="%s"><c xml:base="q/"/></b></a>' % sys.argv[1]
print(*(element.base for element in etree.fromstring(text).iter()))
EOF
bases() { venv/bin/python run.py "$1"; }
sees "escapes" "$(bases my%20docs/)" "http://h.example/d/ http://h.example/d/my%20docs/ http://h.example/d/my%20docs/q/"
sees "space" "$(bases "my docs/")" "http://h.example/d/ None None"
sees "letter" "$(bases café/)" "http://h.example/d/ None None"
sees "other host" "$(bases //k.example/p/)" "http://h.example/d/ http://k.example/p/ http://h.example/k.example/p/q/"
sees "other host, with scheme" "$(bases http://k.example/p/)" "http://h.example/d/ http://k.example/p/ http://k.example/p/q/"
