#!/usr/bin/env bash
# html-to-text 10.0.1 (npm).
#
# The option `baseUrl` of links and images is no base: it is put as text in front of references that begin with a slash. So `a.html`,
# `../up` and `?q` stay relative, `/r.html` leads below the page, and `//cdn.example/x` leads to a path of the own host.
#
# Why it matters: newsletters get their text part from this library. Links in that part are wrong or dead where the page used any form
# but a path from the root, and a `baseUrl` with a path makes even those wrong.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact html-to-text@10.0.1 >npm.log 2>&1 || { echo "cannot install html-to-text@10.0.1" >&2; exit 3; }

cat >run.mjs <<'EOF'
import { convert } from "html-to-text";
const options = { selectors: [{ selector: "a", options: { baseUrl: "https://h.example/docs", hideLinkHrefIfSameAsText: true } }] };
console.log(convert(`<a href="${process.argv[2]}">x</a>`, options));
EOF
to() { node run.mjs "$1" | tr "\n" " " | sed "s/ $//"; }
sees "a.html" "$(to a.html)" "x [a.html]"
sees "../up" "$(to ../up)" "x [../up]"
sees "?q" "$(to "?q")" "x [?q]"
sees "/r.html" "$(to /r.html)" "x [https://h.example/docs/r.html]"
sees "//cdn.example/x" "$(to //cdn.example/x)" "x [https://h.example/docs//cdn.example/x]"
