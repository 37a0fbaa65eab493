#!/usr/bin/env bash
# js-wacz 0.1.6 (npm) and wacz 0.6.0 (PyPI).
#
# Both put each WARC into the WACZ under archive/ and its name without folders. Crawls of two days, each with rec-00000.warc.gz in a folder
# of its own, become two ZIP members of one name. Both tools end with status 0. The index names the same file for records of either crawl,
# and programs that read a ZIP by name get only the last member. `wacz validate` refuses the file that `wacz create` has made.
#
# Why it matters: crawlers number their files from zero in each run, so this is what putting several crawls together means. All pages of one
# crawl are lost, or worse, offsets of one file are read in the other one.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact @harvard-lil/js-wacz@0.1.6 >npm.log 2>&1 || { echo "cannot install @harvard-lil/js-wacz@0.1.6" >&2; exit 3; }
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check 'setuptools<81' wacz==0.6.0 2>pip.log || { echo "cannot install 'setuptools<81' wacz==0.6.0" >&2; exit 3; }

cat >write.py <<'EOF'
import io, os
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter
for day in ("monday", "tuesday"):
    os.mkdir(day)
    with open(day + "/rec-00000.warc.gz", "wb") as file:
        writer = WARCWriter(file, gzip=True)
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(f"http://{day}.example/", "response", payload=io.BytesIO(b"<p>" + day.encode()),
                            http_headers=http, warc_headers_dict={"WARC-Date": "2024-01-01T00:00:00Z"}))
EOF
venv/bin/python write.py
cat >members.py <<'EOF'
import gzip, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wacz:
    names = [name for name in wacz.namelist() if name.startswith("archive/")]
    warc = gzip.decompress(wacz.read(names[0])).decode()
    print(*names, sum(f"http://{day}.example/" in warc for day in ("monday", "tuesday")), "of 2 crawls by name")
EOF
status=0; node_modules/.bin/js-wacz create --file "$T/*day/*.warc.gz" --output js.wacz >js.log 2>&1 || status=$?
sees "js-wacz" "$status $(venv/bin/python members.py js.wacz)" "0 archive/rec-00000.warc.gz archive/rec-00000.warc.gz 1 of 2 crawls by name"
status=0; venv/bin/wacz create --output py.wacz monday/rec-00000.warc.gz tuesday/rec-00000.warc.gz >py.log 2>&1 || status=$?
sees "wacz" "$status $(venv/bin/python members.py py.wacz)" "0 archive/rec-00000.warc.gz archive/rec-00000.warc.gz 1 of 2 crawls by name"
venv/bin/wacz create --output one.wacz monday/rec-00000.warc.gz >one.log 2>&1
valid() { if venv/bin/wacz validate --file "$1" >validate.log 2>&1; then echo valid; else echo not valid; fi; }
sees "validate" "one: $(valid one.wacz), two: $(valid py.wacz)" "one: valid, two: not valid"
