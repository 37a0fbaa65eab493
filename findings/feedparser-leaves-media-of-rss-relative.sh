#!/usr/bin/env bash
# feedparser 6.0.14 (PyPI).
#
# In a feed of RSS with a base, `link`, `guid`, `comments` and the HTML of `description` come out absolute. `enclosure`,
# `media:content`, `media:thumbnail` and `itunes:image` stay relative. In Atom, `link rel="enclosure"` is absolute, but `content src`
# stays relative. So what a reader gets depends on the kind of feed.
#
# Why it matters: the audio file of a podcast is the one link that cannot be missing. A program that trusts the library to resolve links
# downloads nothing from such feeds.
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
import feedparser
RSS = """<rss version="2.0" xml:base="http://h.example/f/" xmlns:media="http://search.yahoo.com/mrss/"
 xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>t</title><item><title>i</title><link>a.html</link>
 <comments>c.html</comments><enclosure url="e.mp3" type="audio/mpeg" length="1"/><media:content url="m.jpg"/>
 <itunes:image href="art.png"/><description>&lt;img src="i.png"></description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://h.example/f/"><title>t</title><entry><id>i</id>
 <link rel="enclosure" href="e.mp3"/><content src="s.html" type="text/html"/></entry></feed>"""
[rss] = feedparser.parse(RSS).entries
print(rss.link, rss.comments, rss.summary, rss.enclosures[0].href, rss.media_content[0]["url"], rss.image.href)
[atom] = feedparser.parse(ATOM).entries
print(atom.enclosures[0].href, atom.content[0].src)
EOF
venv/bin/python run.py >seen
sees "RSS" "$(sed -n 1p seen)" 'http://h.example/f/a.html http://h.example/f/c.html <img src="http://h.example/f/i.png" /> e.mp3 m.jpg art.png'
sees "Atom" "$(sed -n 2p seen)" "http://h.example/f/e.mp3 s.html"
