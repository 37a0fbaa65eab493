#!/usr/bin/env bash
# Lynx 2.9.0dev.12 (Debian).
#
# A BASE with a relative path, `sub/`, is put behind the host without a slash and without the folder of the page: a link `x.html` of
# http://127.0.0.1:PORT/d/page.html becomes http://127.0.0.1:PORTsub/x.html, whose host does not exist. `/b/` and `//host/b/` work.
#
# Why it matters: relative bases are common in frameworks. A crawler that takes lists of links from Lynx loses these pages.
set -euo pipefail

T=$(mktemp -d)
trap 'kill ${SERVER:-} 2>/dev/null || true; rm -rf "$T"' EXIT
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

# Serves the folder `site` on loopback; sets PORT.
serve() {
  python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >server.log 2>&1 &
  SERVER=$!
  for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; grep -q port server.log && break; done
  PORT=$(sed -n "s/.* port \([0-9]*\).*/\1/p" server.log)
}

apt-get install --yes --quiet --no-install-recommends lynx >apt.log 2>&1 || { echo "cannot install lynx" >&2; exit 3; }
version lynx 2.9.0dev.12-1
mkdir -p site/d
page() { echo "<html><head><title>t</title><base href=\"$1\"></head><body><a href=\"x.html\">x</a></body></html>" >site/d/page.html; }
serve
link() { lynx -dump -listonly -nonumbers "http://127.0.0.1:$PORT/d/page.html" | grep -o "http.*x.html" | sed "s/:$PORT/:PORT/"; }
page sub/; sees "sub/" "$(link)" "http://127.0.0.1:PORTsub/x.html"
page /b/; sees "/b/" "$(link)" "http://127.0.0.1:PORT/b/x.html"
page //k.example/b/; sees "//k.example/b/" "$(link)" "http://k.example/b/x.html"
