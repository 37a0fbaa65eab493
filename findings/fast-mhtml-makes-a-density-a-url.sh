#!/usr/bin/env bash
# fast-mhtml 2.1.0 and fast-mhtml2html 1.0.2 (npm), which turn MHTML into HTML.
#
# `srcset="i.png 2x"` becomes `http!h.example!d!i.png http://h.example/d/2x`: both resolve the density as if it were a URL. In style sheets,
# `url(i.png)` becomes the name of a file, http!h.example!d!i.png. fast-mhtml writes such a file. fast-mhtml2html writes a single page and
# no files, so the images of its style sheets are gone.
#
# Why it matters: browsers drop a candidate whose density is not valid, so an image that the MHTML holds is missing.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact fast-mhtml@2.1.0 fast-mhtml2html@1.0.2 >npm.log 2>&1 || { echo "cannot install fast-mhtml@2.1.0 fast-mhtml2html@1.0.2" >&2; exit 3; }

printf "%s\r\n" "Snapshot-Content-Location: http://h.example/d/p.html" "Subject: t" "MIME-Version: 1.0" \
  'Content-Type: multipart/related; type="text/html"; boundary="--bound"' "" "----bound" "Content-Type: text/html" \
  "Content-Transfer-Encoding: 8bit" "Content-Location: http://h.example/d/p.html" "" \
  '<html><head><style>p{background:url(i.png)}</style></head><body><img srcset="i.png 2x"><p style="background:url(i.png)">p</p></body></html>' \
  "----bound" "Content-Type: image/png" "Content-Transfer-Encoding: base64" "Content-Location: http://h.example/d/i.png" "" "QUFB" \
  "----bound--" >page.mht
cat >run.cjs <<'EOF'
const fs = require("node:fs");
const { Parser } = require("fast-mhtml");
const mhtml2html = require("fast-mhtml2html");
const data = fs.readFileSync("page.mht");
const files = new Parser().parse(data).rewrite().spit();
for (const html of [String(files.find(({ type }) => type === "text/html").content), String(mhtml2html.convert(data))])
  console.log(html.match(/srcset="([^"]*)"/)[1], "|", html.match(/<p style="([^"]*)"/)[1].replaceAll("&quot;", ""));
console.log(files.map(({ filename }) => filename).join(" "));
EOF
node run.cjs >seen
sees "fast-mhtml" "$(sed -n 1p seen)" "http!h.example!d!i.png http://h.example/d/2x | background:url(http!h.example!d!i.png)"
sees "fast-mhtml2html" "$(sed -n 2p seen)" "http!h.example!d!i.png http://h.example/d/2x | background:url(http!h.example!d!i.png)"
sees "files of fast-mhtml" "$(sed -n 3p seen)" "http!h.example!d!p.html http!h.example!d!i.png"
