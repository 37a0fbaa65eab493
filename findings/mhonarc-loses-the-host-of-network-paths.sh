#!/usr/bin/env bash
# MHonArc 2.6.19 (Debian), the archive of mailing lists.
#
# It resolves links of HTML in mail by Content-Base, else Content-Location, and a BASE element replaces both. But `//k.example/x` becomes a
# path of the host of the base, http://base.example//k.example/x. And a BASE with a relative value is not resolved against the
# Content-Base: it replaces it, nothing resolves, and all links stay relative.
#
# Why it matters: archives of lists that were made by it have such links, which look absolute and whole.
set -euo pipefail

T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"

# Prints what was seen, and compares it with what is stated.
sees() {
  printf "%s: %s\n" "$1" "$2"
  [ "$2" = "$3" ] || { printf "DIFFERS: %s is stated\n" "$3" >&2; exit 1; }
}

# Stops if a Debian package has another version than the one this script was written for.
version() {
  local seen
  seen=$(dpkg-query --show --showformat="\${Version}" "$1")
  [ "$seen" = "$2" ] || { echo "this script was written for $1 $2, and $seen is installed" >&2; exit 3; }
}

apt-get install --yes --quiet --no-install-recommends mhonarc >apt.log 2>&1 || { echo "cannot install mhonarc" >&2; exit 3; }
version mhonarc 2.6.19-2.2
message() {
  printf "%s\n" "From: a@h.example" "Subject: s" "Date: Mon, 1 Jan 2024 00:00:00 +0000" "Message-ID: <1@h.example>" "MIME-Version: 1.0" \
    "Content-Base: http://base.example/b/" "Content-Type: text/html; charset=us-ascii" "" \
    "<html><head>$1</head><body><a href=\"$2\">x</a></body></html>" | mhonarc -single -quiet 2>/dev/null | sed -n "s/.*href=\"\([^\"]*\)\">x<.*/\1/p"
}
sees "relative" "$(message "" x.html)" "http://base.example/b/x.html"
sees "network path" "$(message "" //k.example/x)" "http://base.example//k.example/x"
sees "absolute BASE" "$(message "<base href=\"http://element.example/e/\">" x.html)" "http://element.example/e/x.html"
sees "relative BASE" "$(message "<base href=\"sub/\">" x.html)" "x.html"
