#!/usr/bin/env bash
# feedparser 6.0.14 (PyPI).
#
# An entry of Atom needs no link if it has content (RFC 4287, 4.1.2), and it may have links of other kinds only. feedparser then gives its
# id as `link`, e.g. `urn:uuid:...` or `tag:h.example,2024:1`, as if an id were a guid of RSS, which is a link unless it says otherwise. An
# enclosure does not help. And a guid of RSS such as `post-17` is resolved at the base, so the id changes with the URL of the feed.
#
# Why it matters: a program that tests `"link" in entry` then uses a name as a URL. And a program that compares ids takes all entries for
# new after a feed moved.
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
venv/bin/pip install --quiet --disable-pip-version-check feedparser==6.0.14 2>pip.log || { echo "cannot install feedparser==6.0.14" >&2; exit 3; }

cat >run.py <<'EOF'
import sys
import feedparser
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="%s"><title>t</title><entry><title>i</title>%s</entry></feed>'
RSS = '<rss version="2.0" xml:base="%s"><channel><title>t</title><item><title>i</title>%s</item></channel></rss>'
entry = feedparser.parse({"atom": ATOM, "rss": RSS}[sys.argv[1]] % tuple(sys.argv[2:4])).entries[0]
print(entry.get("link"), entry.id)
EOF
entry() { venv/bin/python run.py "$@"; }
F=http://h.example/f/
sees "tag" "$(entry atom $F '<id>tag:h.example,2024:1</id><content>c</content>')" "tag:h.example,2024:1 tag:h.example,2024:1"
sees "enclosure" "$(entry atom $F '<id>urn:x:1</id><link rel="enclosure" href="e.mp3"/>')" "urn:x:1 urn:x:1"
sees "guid" "$(entry rss $F '<link>a.html</link><guid>post-17</guid>')" "http://h.example/f/a.html http://h.example/f/post-17"
sees "guid, moved" "$(entry rss http://k.example/ '<link>a.html</link><guid>post-17</guid>')" "http://k.example/a.html http://k.example/post-17"
