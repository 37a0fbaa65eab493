#!/usr/bin/env bash
# rss-parser 3.13.0 and @extractus/feed-extractor 8.0.3 (npm).
#
# A `link` of Atom without `rel` is the link to the page (RFC 4287, 4.2.7.2). If no `link` says rel="alternate", rss-parser takes the first
# `link` of any kind: the URL of the feed, if `rel="self"` is in front, and the audio file of an entry, if the enclosure is in front.
# feed-extractor takes the first `link` even if a later one says rel="alternate". For entries of Blogger that is the feed of the comments.
#
# Why it matters: readers of the feed get a link to XML or to an audio file instead of the article. And a program that resolves relative
# links at the link of the entry resolves them at another URL. With another order of the elements all is well.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact rss-parser@3.13.0 @extractus/feed-extractor@8.0.3 >npm.log 2>&1 || { echo "cannot install rss-parser@3.13.0 @extractus/feed-extractor@8.0.3" >&2; exit 3; }

cat >run.mjs <<'EOF'
import Parser from "rss-parser";
import { extractFromXml } from "@extractus/feed-extractor";
const [feed, entry] = process.argv.slice(2);
const DATA = "<title>t</title><id>urn:x:1</id><updated>2024-01-01T00:00:00Z</updated>";
const xml = `<feed xmlns="http://www.w3.org/2005/Atom">${DATA}${feed}<entry>${DATA}${entry}</entry></feed>`;
const parsed = await new Parser().parseString(xml);
const extracted = extractFromXml(xml);
console.log(parsed.link, parsed.items[0].link, extracted.link, extracted.entries[0].link);
EOF
self='<link rel="self" href="http://h.example/feed.xml"/>'
site='<link href="http://h.example/"/>'
sound='<link rel="enclosure" href="http://h.example/e.mp3"/>'
post='<link href="http://h.example/post.html"/>'
sees "page in front" "$(node run.mjs "$site$self" "$post$sound")" \
  "http://h.example/ http://h.example/post.html http://h.example/ http://h.example/post.html"
sees "page behind" "$(node run.mjs "$self$site" "$sound$post")" \
  "http://h.example/feed.xml http://h.example/e.mp3 http://h.example/feed.xml http://h.example/e.mp3"
blogger='<link rel="replies" href="http://h.example/comments"/><link rel="alternate" href="http://h.example/post.html"/>'
sees "Blogger" "$(node run.mjs "$site" "$blogger")" "http://h.example/ http://h.example/post.html http://h.example/ http://h.example/comments"
