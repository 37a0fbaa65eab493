#!/usr/bin/env bash
# mjml 5.4.1 (npm).
#
# `base-url` of `mj-navbar` is text in front of each link of the bar, not a base: a link to http://k.example/ becomes
# http://h.example/dhttp://k.example/, whose host is `h.example` and whose path begins with `dhttp:`. And `mj-social-element` puts the page
# to be shared into a link without escapes: of http://h.example/p?a=1&b=2 the network gets http://h.example/p?a=1, since `b` is its own
# parameter then.
#
# Why it matters: a bar with one link to a shop or an archive on another host is usual, and newsletters add parameters to all links.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact mjml@5.4.1 >npm.log 2>&1 || { echo "cannot install mjml@5.4.1" >&2; exit 3; }

cat >run.mjs <<'EOF'
import mjml from "mjml";
const { html } = await mjml(`<mjml><mj-body><mj-section><mj-column>${process.argv[2]}</mj-column></mj-section></mj-body></mjml>`);
console.log([...new Set([...html.matchAll(/<a[^>]* href="([^"]*)"/g)].map((match) => match[1]))].join(" "));
EOF
bar() { node run.mjs "<mj-navbar base-url=\"http://h.example/d\"><mj-navbar-link href=\"$1\">x</mj-navbar-link></mj-navbar>"; }
sees "path" "$(bar /x.html)" "http://h.example/d/x.html"
sees "name" "$(bar x.html)" "http://h.example/dx.html"
sees "other host" "$(bar http://k.example/)" "http://h.example/dhttp://k.example/"
sees "share" "$(node run.mjs '<mj-social><mj-social-element name="facebook" href="http://h.example/p?a=1&amp;b=2">x</mj-social-element></mj-social>')" \
  "https://www.facebook.com/sharer/sharer.php?u=http://h.example/p?a=1&amp;b=2"
