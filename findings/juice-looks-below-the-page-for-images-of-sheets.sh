#!/usr/bin/env bash
# juice 11.1.1 (npm), which moves the style sheets of a mail into `style` attributes.
#
# juice makes URLs of a style sheet relative to the page: `url(img/i.png)` of css/s.css becomes css/img/i.png. But `url(/r.png)` becomes
# css/r.png, and `url(#g)`, a place in the page, becomes css/#g. And if the page lies at http://HOST/d/p.html, juice loads the style sheet
# `/css/s.css` from http://HOST/css/s.css, but its images from http://HOST/d/css/.
#
# Why it matters: the style sheet arrives, so colors and fonts of the mail are right, and only its images are missing.
set -euo pipefail

T=$(mktemp -d)
trap 'kill ${SERVER:-} 2>/dev/null || true; rm -rf "$T"' EXIT
cd "$T"

# Prints what was seen, and compares it with what is stated.
sees() {
  printf "%s: %s\n" "$1" "$2"
  [ "$2" = "$3" ] || { printf "DIFFERS: %s is stated\n" "$3" >&2; exit 1; }
}

# Serves the folder `site` on loopback; sets PORT.
serve() {
  python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >server.log 2>&1 &
  SERVER=$!
  for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; grep -q port server.log && break; done
  PORT=$(sed -n "s/.* port \([0-9]*\).*/\1/p" server.log)
}

npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --save-exact juice@11.1.1 >npm.log 2>&1 || { echo "cannot install juice@11.1.1" >&2; exit 3; }

mkdir -p site/css site/d
echo "p{background:url(img/i.png)} b{background:url(/r.png)} i{mask:url(#g)}" >site/css/s.css
page() { echo "<html><head><link rel=\"stylesheet\" href=\"$1\"></head><body><p>p</p><b>b</b><i>i</i></body></html>"; }
page css/s.css >site/p.html
cat >file.mjs <<'EOF'
import juice from "juice";
juice.juiceFile("site/p.html", { webResources: { images: false } }, (error, html) =>
  console.log(error ?? [...html.matchAll(/url\('?([^')]*)/g)].map((match) => match[1]).join(" ")));
EOF
sees "page in a folder" "$(node file.mjs)" "css/img/i.png css/r.png css/#g"

serve
page /css/s.css >page.html
cat >web.mjs <<'EOF'
import fs from "node:fs";
import juice from "juice";
juice.juiceResources(fs.readFileSync("page.html", "utf8"), { webResources: { relativeTo: process.argv[2], strict: false } }, () => {});
EOF
node web.mjs "http://127.0.0.1:$PORT/d/p.html" 2>/dev/null
sees "requests" "$(sed -n "s/.*\"GET \([^ ]*\) .*/\1/p" server.log | sort -u | tr "\n" " ")" "/css/s.css /d/css/ /d/css/img/i.png /d/css/r.png "
