#!/usr/bin/env bash
# The module `email` of Python 3.11 and mhtml-to-html 2.1.0 (npm).
#
# If Python reads an MHTML file with `policy.default` and writes it again, each Content-Location with more than 78 characters becomes a
# chain of encoded words, `=?utf-8?q?http=3A//h=2Eexample/...?=`, although nothing was changed. With the older `compat32`, the URL stands on
# the line after `Content-Location:`. RFC 2557 (4.4.1) has encoded words only for characters that a header cannot hold, but makes readers
# decode them. mhtml-to-html understands neither form: it finds no image, and links stay relative.
#
# Why it matters: URLs of articles are often that long. Python decodes its own encoded words, so a check in Python finds nothing wrong.
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
npm install --ignore-scripts --no-audit --no-fund --save-exact mhtml-to-html@2.1.0 >npm.log 2>&1 || { echo "cannot install mhtml-to-html@2.1.0" >&2; exit 3; }

python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "this script was written for Python 3.11" >&2; exit 3; }
cat >run.py <<'EOF'
import email, email.policy, sys
url = "http://h.example/articles/2024/01/01/a-title-of-many-words-as-they-are-usual-in-news/"[:int(sys.argv[1])] + "/"
lines = ["Snapshot-Content-Location: " + url + "p.html", "Subject: t", "Date: Mon, 1 Jan 2024 00:00:00 -0000", "MIME-Version: 1.0",
         'Content-Type: multipart/related; type="text/html"; boundary="--bound"', "", "----bound", "Content-Type: text/html",
         "Content-Transfer-Encoding: 8bit", "Content-Location: " + url + "p.html", "",
         '<html><body><a href="x.html">x</a><img src="' + url + 'i.png"></body></html>', "----bound", "Content-Type: image/png",
         "Content-Transfer-Encoding: base64", "Content-Location: " + url + "i.png", "", "QUFB", "----bound--", ""]
data = "\r\n".join(lines).encode()
for name in ("default", "compat32"):
    with open(name + ".mht", "wb") as file:
        file.write(email.message_from_bytes(data, policy=getattr(email.policy, name)).as_bytes())
with open("old.mht", "wb") as file:
    file.write(data)
EOF
cat >run.mjs <<'EOF'
import fs from "node:fs";
import { convert } from "mhtml-to-html";
const result = await convert(fs.readFileSync(process.argv[2], "utf8"));
const html = result.data ?? result;
console.log(html.match(/<img src="data:/) ? "image" : "no image", html.match(/<a href="([^"]*)"/)[1].replace(/articles.*\//, ".../"));
EOF
python3 run.py 30
sees "short, default" "$(node run.mjs default.mht)" "image http://h.example/.../x.html"
python3 run.py 99
sees "long, not written again" "$(node run.mjs old.mht)" "image http://h.example/.../x.html"
sees "long, default" "$(grep -c '^Content-Location: =?utf-8?q?http=3A//h=2Eexample/' default.mht) $(node run.mjs default.mht)" "2 no image x.html"
sees "long, compat32" "$(grep -A1 '^Content-Location: *.$' compat32.mht | grep -c "^ http") $(node run.mjs compat32.mht)" "2 no image x.html"
