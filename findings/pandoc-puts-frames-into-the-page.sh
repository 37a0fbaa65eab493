#!/usr/bin/env bash
# pandoc 2.17.1.1 (Debian).
#
# Converting a page from HTML loads the page of each `iframe` and puts its content into the output. Links of the frame are copied as they
# are written, so that they are now relative to the page around it.
#
# Why it matters: a converter that reads one local file makes requests, and its output mixes links of two bases. `--sandbox` prevents it.
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

apt-get install --yes --quiet --no-install-recommends pandoc >apt.log 2>&1 || { echo "cannot install pandoc" >&2; exit 3; }
version pandoc 2.17.1.1-2~deb12u1
mkdir -p site/frames
echo "<p>inside <a href=\"y.html\">y</a></p>" >site/frames/frame.html
serve
echo "<!DOCTYPE html><title>t</title><p>before</p><iframe src=\"http://127.0.0.1:$PORT/frames/frame.html\"></iframe>" >page.html
pandoc -f html -t markdown page.html >seen 2>/dev/null
sees "links in the output" "$(grep -o "\[y\](.*)" seen)" "[y](y.html)"
sees "requests" "$(grep -c "GET /frames/frame.html" server.log)" 1
