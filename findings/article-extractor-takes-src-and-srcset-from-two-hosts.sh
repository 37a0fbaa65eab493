#!/usr/bin/env bash
# @extractus/article-extractor 9.0.1 (npm).
#
# In a page with a BASE on another host, it resolves `href` of links and `src` of images at the URL that the caller passed. It resolves
# `srcset` of the same images by the BASE. So one `img` gets `src` and `srcset` from two hosts. Without a BASE all of them come from one
# host.
#
# Why it matters: browsers show an image from `srcset`, and fall back to `src` only if there is no `srcset`. So images look right in a
# browser, and links and the copies of images by crawlers are wrong.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact @extractus/article-extractor@9.0.1 >npm.log 2>&1 || { echo "cannot install @extractus/article-extractor@9.0.1" >&2; exit 3; }

cat >run.mjs <<'EOF'
import { extractFromHtml } from "@extractus/article-extractor";
const text = "A long sentence of the article, with commas, so that it counts as the content of the page for programs of this kind. ".repeat(5);
const body = `<p>${text}<a href="x.html">x</a> <img src="i.png" srcset="j.png 2x"></p>`.repeat(4);
const page = `<html><head>${process.argv[2]}<title>A title of some words</title></head><body><article><h1>A title</h1>${body}</article></body></html>`;
const { content } = await extractFromHtml(page, "http://h.example/d/p.html");
console.log([...new Set([...content.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)].map((match) => match[1]))].join(" "));
EOF
sees "no BASE" "$(node run.mjs "")" "http://h.example/d/x.html http://h.example/d/i.png http://h.example/d/j.png 2x"
sees "BASE" "$(node run.mjs '<base href="http://k.example/e/">')" "http://h.example/d/x.html http://h.example/d/i.png http://k.example/e/j.png 2x"
