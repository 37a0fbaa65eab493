#!/usr/bin/env bash
# happy-dom 21.0.4 (npm).
#
# In a page with `<base href="http://k.example/e/">` the property `baseURI` is http://k.example/e/. But `href` of a link and `src` of an
# image are resolved at the URL of the page, so `a.href` and `new URL(a.getAttribute("href"), a.baseURI)` differ.
#
# Why it matters: a program that reads `a.href` crawls another site in tests with happy-dom than in a browser, and each test passes.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact happy-dom@21.0.4 >npm.log 2>&1 || { echo "cannot install happy-dom@21.0.4" >&2; exit 3; }

cat >run.mjs <<'EOF'
import { Window } from "happy-dom";
const window = new Window({ url: "http://h.example/d/p.html" });
window.document.write(`<html><head><base href="${process.argv[2]}"></head><body><a href="x.html">x</a><img src="i.png"></body></html>`);
const { document } = window;
const link = document.querySelector("a");
console.log(document.baseURI, link.href, document.querySelector("img").src, new URL(link.getAttribute("href"), link.baseURI).href);
process.exit();
EOF
sees "other host" "$(node run.mjs http://k.example/e/)" \
  "http://k.example/e/ http://h.example/d/x.html http://h.example/d/i.png http://k.example/e/x.html"
sees "relative" "$(node run.mjs sub/)" "http://h.example/d/sub/ http://h.example/d/x.html http://h.example/d/i.png http://h.example/d/sub/x.html"
