#!/usr/bin/env bash
# postcss-url 10.1.4 and cssnano 7.1.9 with PostCSS 8.5.33 (npm).
#
# cssnano shortens `url("a b.png")` to `url(a\ b.png)`, which means the same. postcss-url with `url: "rebase"` does not know escapes of CSS.
# It takes the backslash for the separator of folders on Windows and writes ../css/a/%20b.png, the file ` b.png` in a folder `a`. Before
# cssnano, the result is ../css/a%20b.png. And `url("HTTP://k.example/i.png")` loses its host and becomes ../css/i.png.
#
# Why it matters: packages ship minified style sheets, and a build moves those sheets with postcss-url. The full sheet of the package works
# in the same build, so the image is missing only in production.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact postcss@8.5.33 postcss-url@10.1.4 cssnano@7.1.9 >npm.log 2>&1 || { echo "cannot install postcss@8.5.33 postcss-url@10.1.4 cssnano@7.1.9" >&2; exit 3; }

cat >run.mjs <<'EOF'
import postcss from "postcss";
import cssnano from "cssnano";
import url from "postcss-url";
const plugin = { minify: cssnano, move: () => url({ url: "rebase" }) }[process.argv[2]]();
console.log((await postcss([plugin]).process(process.argv[3], { from: "css/s.css", to: "out/s.css" })).css);
EOF
full='p{background:url("a b.png")}'
small=$(node run.mjs minify "$full")
sees "minified" "$small" 'p{background:url(a\ b.png)}'
sees "moved" "$(node run.mjs move "$full")" 'p{background:url("../css/a%20b.png")}'
sees "minified, then moved" "$(node run.mjs move "$small")" 'p{background:url(../css/a/%20b.png)}'
sees "scheme in capitals" "$(node run.mjs move 'p{background:url("HTTP://k.example/i.png")}')" 'p{background:url("../css/i.png")}'
