#!/usr/bin/env bash
# html-minifier-terser 7.2.0 (npm), which uses relateurl 0.2.7 for its option `minifyURLs`.
#
# The option makes links relative to the URL of the page. http://h.example/wiki/Talk:Home becomes `Talk:Home`, which is a URL with the
# scheme `talk`; RFC 3986 (4.2) asks for `./Talk:Home`. http://h.example//wiki/x loses a slash, and becomes `x`. And a BASE of the page is
# not looked at: links become relative to the page, and then the BASE applies to them.
#
# Why it matters: wikis have a colon in each link to talk, files, categories and help. No browser knows the scheme `talk`.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact html-minifier-terser@7.2.0 >npm.log 2>&1 || { echo "cannot install html-minifier-terser@7.2.0" >&2; exit 3; }

cat >run.mjs <<'EOF'
import { minify } from "html-minifier-terser";
const html = await minify(process.argv[2], { minifyURLs: "http://h.example/wiki/Home" });
console.log([...html.matchAll(/<a href="([^"]*)"/g)].map((match) => match[1]).join(" "));
EOF
link() { node run.mjs "$2<a href=\"$1\">x</a>"; }
sees "no colon" "$(link http://h.example/wiki/Start "")" "Start"
sees "colon" "$(link http://h.example/wiki/Talk:Home "")" "Talk:Home"
sees "two slashes" "$(link http://h.example//wiki/x "")" "x"
sees "BASE" "$(link http://h.example/wiki/Start '<base href="http://k.example/e/">')" "Start"
