#!/usr/bin/env bash
# har2warc 1.0.4 with warcio 1.8.1 (PyPI).
#
# A HAR holds the text of a page as Unicode. har2warc writes it as UTF-8, and keeps the field Content-Type of the response with, say,
# charset=ISO-8859-1. So a player decodes the UTF-8 as ISO-8859-1. If a HAR joins several cookies of a response by line breaks in one value,
# har2warc copies the line breaks, and the second cookie is a line of the header without a name.
#
# Why it matters: pages in another encoding than UTF-8 show wrong letters in each player, also in links with such letters. The digests of
# the WARC fit, so no check finds it.
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
venv/bin/pip install --quiet --disable-pip-version-check 'setuptools<81' har2warc==1.0.4 2>pip.log || { echo "cannot install 'setuptools<81' har2warc==1.0.4" >&2; exit 3; }

cat >run.py <<'EOF'
import json, subprocess
from warcio.archiveiterator import ArchiveIterator
entry = {
    "startedDateTime": "2024-01-01T00:00:00.000Z", "time": 1, "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0},
    "request": {"method": "GET", "url": "http://h.example/", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [], "queryString": [],
                "headersSize": -1, "bodySize": 0},
    "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "redirectURL": "", "headersSize": -1, "bodySize": 9,
                 "headers": [{"name": "Content-Type", "value": "text/html; charset=ISO-8859-1"}, {"name": "Set-Cookie", "value": "a=1\nb=2"}],
                 "content": {"size": 9, "mimeType": "text/html", "text": "<p>caf\u00e9"}}}
with open("page.har", "w") as file:
    json.dump({"log": {"version": "1.2", "creator": {"name": "c", "version": "1"}, "pages": [], "entries": [entry]}}, file)
subprocess.run(["venv/bin/har2warc", "page.har", "page.warc"], check=True, capture_output=True)
with open("page.warc", "rb") as file:
    for record in ArchiveIterator(file):
        if record.rec_type == "response":
            print(record.http_headers.get_header("Content-Type"), record.content_stream().read())
EOF
venv/bin/python run.py >seen
sees "text" "$(sed -n 1p seen)" "text/html; charset=ISO-8859-1 b'<p>caf\\xc3\\xa9'"
sees "cookies" "$(zcat <page.warc | grep -a -A1 "^Set-Cookie" | tr -d "\r" | tr "\n" "|")" "Set-Cookie: a=1|b=2|"
