#!/usr/bin/env bash
# warcio 2.4.11 (npm, known as warcio.js, and the indexer within js-wacz) and pywb 2.10.0 with cdxj-indexer 1.5.0 (PyPI).
#
# Both sort an index by a key that they make of the URL. pywb drops a slash at the end of the path, joins double slashes, and decodes `%2F`
# and `%7E`. warcio.js does none of these: the key of http://h.example/a/ is `example,h)/a/`, where pywb looks for `example,h)/a`. So pywb
# answers 404 for each page whose URL ends with a slash in a folder, although index and WARC hold it.
#
# Why it matters: the home page and pages without a slash are there, so the archive looks whole. Index with cdxj-indexer instead.
set -euo pipefail

T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"

# Prints what was seen, and compares it with what is stated.
sees() {
  printf "%s: %s\n" "$1" "$2"
  [ "$2" = "$3" ] || { printf "DIFFERS: %s is stated\n" "$3" >&2; exit 1; }
}

npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --save-exact warcio@2.4.11 >npm.log 2>&1 || { echo "cannot install warcio@2.4.11" >&2; exit 3; }
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check 'setuptools<81' pywb==2.10.0 cdxj-indexer==1.5.0 webtest==3.0.7 2>pip.log || { echo "cannot install 'setuptools<81' pywb==2.10.0 cdxj-indexer==1.5.0 webtest==3.0.7" >&2; exit 3; }

cat >write.py <<'EOF'
import io
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
with open("site.warc.gz", "wb") as file:
    writer = WARCWriter(file, gzip=True)
    for path in ("", "b", "a/", "c//d", "e%2Ff", "%7Eg/h"):
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record("http://h.example/" + path, "response", payload=io.BytesIO(b"<p>page"),
                            http_headers=http, warc_headers_dict={"WARC-Date": "2024-01-01T00:00:00Z"}))
EOF
venv/bin/python write.py
for name in js py; do mkdir -p collections/$name/archive collections/$name/indexes; cp site.warc.gz collections/$name/archive; done
node_modules/.bin/warcio cdx-index site.warc.gz >collections/js/indexes/index.cdxj
venv/bin/cdxj-indexer site.warc.gz --sort >collections/py/indexes/index.cdxj
cat >replay.py <<'EOF'
from gevent.monkey import patch_all
patch_all()
import logging
logging.disable(logging.CRITICAL)
import sys
from pywb.apps.frontendapp import FrontEndApp
from webtest import TestApp
app = TestApp(FrontEndApp())
seen = [(path, app.get(f"/{sys.argv[1]}/20240101000000mp_/http://h.example/{path}", expect_errors=True).status_int)
        for path in ("", "b", "a/", "c//d", "e%2Ff", "%7Eg/h")]
print("SEEN", *(f"/{path}={status}" for path, status in seen))
EOF
replay() { venv/bin/python replay.py "$1" 2>/dev/null | sed -n "s/^SEEN //p"; }
sees "key by warcio.js" "$(sed -n "s/^\([^ ]*a\/\) .*/\1/p" collections/js/indexes/index.cdxj)" "example,h)/a/"
sees "index by Python" "$(replay py)" "/=200 /b=200 /a/=200 /c//d=200 /e%2Ff=200 /%7Eg/h=200"
sees "index by warcio.js" "$(replay js)" "/=200 /b=200 /a/=404 /c//d=404 /e%2Ff=404 /%7Eg/h=404"
