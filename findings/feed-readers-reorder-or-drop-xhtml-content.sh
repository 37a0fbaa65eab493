#!/usr/bin/env bash
# rss-parser 3.13.0 (npm) and atoma 0.0.17 (PyPI).
#
# Atom allows an entry to have its content as elements, type="xhtml". rss-parser gathers the text of each element in front of its child
# elements: `one <b>two</b> three` becomes `one  three<b>two</b>`. atoma returns an entry without content. At a media type,
# type="text/html", which RFC 4287 (4.1.3.1) allows as well, atoma raises a ValueError.
#
# Why it matters: a link that stood within a sentence stands behind it, so the archived text says something else. No error tells so.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact rss-parser@3.13.0 >npm.log 2>&1 || { echo "cannot install rss-parser@3.13.0" >&2; exit 3; }
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check atoma==0.0.17 2>pip.log || { echo "cannot install atoma==0.0.17" >&2; exit 3; }

cat >feed.xml <<'EOF'
<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x:f</id><updated>2024-01-01T00:00:00Z</updated>
<entry><title>i</title><id>urn:x:1</id><updated>2024-01-01T00:00:00Z</updated><content type="xhtml"><div
xmlns="http://www.w3.org/1999/xhtml"><p>read <a href="http://h.example/not.html">not</a> this, but <b>that</b></p></div></content></entry></feed>
EOF
cat >run.mjs <<'EOF'
import fs from "node:fs";
import Parser from "rss-parser";
const { items } = await new Parser().parseString(fs.readFileSync("feed.xml", "utf8"));
console.log(items[0].content.match(/<p>.*<\/p>/)[0] + " | " + items[0].contentSnippet);
EOF
sees "rss-parser" "$(node run.mjs)" \
  '<p>read  this, but <a href="http://h.example/not.html">not</a><b>that</b></p> | read  this, but notthat'
cat >run.py <<'EOF'
import sys
import atoma
feed = open("feed.xml", "rb").read().replace(b'"xhtml"', sys.argv[1].encode())
try:
    print(atoma.parse_atom_bytes(feed).entries[0].content)
except ValueError as error:
    print(error)
EOF
sees "atoma, xhtml" "$(venv/bin/python run.py '"xhtml"')" "None"
sees "atoma, text/html" "$(venv/bin/python run.py '"text/html" src="http://h.example/post.html"')" "'text/html' is not a valid AtomTextType"
