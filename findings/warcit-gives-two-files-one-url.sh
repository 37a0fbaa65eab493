#!/usr/bin/env bash
# warcit 0.4.0 (PyPI).
#
# The URL of a file is its path, with escapes for some characters only: `?`, `=`, `#` and spaces are escaped, and `%` is not. So
# ` .html` (a space) and `%20.html` get one URL, and `100%.html` gets a URL with an invalid escape. Names that are not ASCII are
# written as they are.
#
# Why it matters: mirrors by wget have such names, since wget escapes characters of URLs in names of files. In the archive one page
# hides the other, and links to the hidden one show the wrong page.
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
venv/bin/pip install --quiet --disable-pip-version-check 'setuptools<81' warcit==0.4.0 2>pip.log || { echo "cannot install 'setuptools<81' warcit==0.4.0" >&2; exit 3; }

mkdir site
echo space >"site/ .html"
echo percent >"site/%20.html"
echo hundred >"site/100%.html"
echo query >"site/list?p=1.html"
venv/bin/warcit --name out.warc --no-gzip --overwrite http://h.example/ site/ >warcit.log 2>&1
seen=$(tr -d "\r" <out.warc | sed -n "s/^WARC-Target-URI: //p" | sort | tr "\n" " ")
sees "URLs" "$seen" "http://h.example/%20.html http://h.example/%20.html http://h.example/100%.html http://h.example/list%3fp%3d1.html "
