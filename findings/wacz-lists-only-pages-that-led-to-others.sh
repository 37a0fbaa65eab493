#!/usr/bin/env bash
# wacz 0.6.0 (PyPI), with a WARC by GNU Wget 1.21.3 (Debian).
#
# `wacz create --detect-pages` makes the list of pages. A page gets into it only if another request in the WARC names the page in its field
# Referer. In a mirror of a home page with two articles, the list has the home page only, because no request came from the articles. In a
# WARC without requests, such as one by warcit, the list is empty, and the WACZ has no pages.jsonl at all.
#
# Why it matters: players of WACZ show this list as the content of the archive, and search it. The ends of the paths of a site, which are
# mostly its articles, seem not to be archived. Pass the pages by `--pages`.
set -euo pipefail

T=$(mktemp -d)
trap 'kill ${SERVER:-} 2>/dev/null || true; rm -rf "$T"' EXIT
cd "$T"

# Prints what was seen, and compares it with what is stated.
sees() {
  printf "%s: %s\n" "$1" "$2"
  [ "$2" = "$3" ] || { printf "DIFFERS: %s is stated\n" "$3" >&2; exit 1; }
}

# Stops if a Debian package has another version than the one this script was written for.
version() {
  local seen
  seen=$(dpkg-query --show --showformat="\${Version}" "$1")
  [ "$seen" = "$2" ] || { echo "this script was written for $1 $2, and $seen is installed" >&2; exit 3; }
}

# Serves the folder `site` on loopback; sets PORT.
serve() {
  python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >server.log 2>&1 &
  SERVER=$!
  for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; grep -q port server.log && break; done
  PORT=$(sed -n "s/.* port \([0-9]*\).*/\1/p" server.log)
}

apt-get install --yes --quiet --no-install-recommends wget >apt.log 2>&1 || { echo "cannot install wget" >&2; exit 3; }
version wget 1.21.3-1+deb12u1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check 'setuptools<81' wacz==0.6.0 2>pip.log || { echo "cannot install 'setuptools<81' wacz==0.6.0" >&2; exit 3; }

mkdir -p site
echo '<title>Home</title><a href="one.html">1</a> <a href="two.html">2</a>' >site/index.html
echo '<title>One</title>first article' >site/one.html
echo '<title>Two</title>second article' >site/two.html
serve
wget --quiet --recursive --warc-file=crawl "http://127.0.0.1:$PORT/"
pages() {
  venv/bin/wacz create --detect-pages --output "$2" "$1" >wacz.log 2>&1
  python3 -c 'import json, sys, zipfile
wacz = zipfile.ZipFile(sys.argv[1])
lines = wacz.read("pages/pages.jsonl").decode().splitlines()[1:] if "pages/pages.jsonl" in wacz.namelist() else []
print(len(lines), *(json.loads(line)["url"] for line in lines))' "$2" | sed "s/:$PORT/:PORT/g"
}
sees "pages in the WARC" "$(zcat crawl.warc.gz | tr -d "\r" | grep -a -A9 "^WARC-Type: response" | sed -n "s/^WARC-Target-URI: <*\(.*html\)>*$/\1/p" |
  sed "s/.*\///" | sort | tr "\n" " ")" "one.html two.html "
sees "pages in the WACZ" "$(pages crawl.warc.gz crawl.wacz)" "1 http://127.0.0.1:PORT/"
venv/bin/python -c 'from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter
with open("crawl.warc.gz", "rb") as old, open("responses.warc.gz", "wb") as new:
    writer = WARCWriter(new, gzip=True)
    for record in ArchiveIterator(old):
        if record.rec_type == "response":
            writer.write_record(record)'
sees "without requests" "$(pages responses.warc.gz responses.wacz)" "0"
