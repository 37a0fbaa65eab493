#!/usr/bin/env bash
# Lynx 2.9.0dev.12, w3m 0.5.3, Links 2.28, ELinks 0.13.2 and pandoc 2.17.1.1 (Debian).
#
# The HTML Standard (4.2.3) gives a page the first BASE with a href. These five programs give it the last one. w3m applies a BASE to the
# links before it as well; Lynx, Links and ELinks apply it only to the links behind it.
#
# Why it matters: dumps of pages by these programs are common input of archives, and the same page has other links in each of them.
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

apt-get install --yes --quiet --no-install-recommends lynx w3m links elinks pandoc >apt.log 2>&1 || { echo "cannot install lynx w3m links elinks pandoc" >&2; exit 3; }
version lynx 2.9.0dev.12-1
version w3m 0.5.3+git20230121-2
version links 2.28-1+b2
version elinks 0.13.2-1+b4
version pandoc 2.17.1.1-2~deb12u1
mkdir site
echo "<html><head><title>t</title><base href=\"http://first.example/\"><base href=\"http://last.example/\"></head><body><a href=\"x.html\">x</a></body></html>" >site/two.html
echo "<html><head><title>t</title></head><body><a href=\"x.html\">x</a><base href=\"http://late.example/\"></body></html>" >site/late.html
serve
links_of() {
  case $1 in
    lynx) lynx -dump -listonly -nonumbers "$2" ;;
    w3m) w3m -dump -o display_link_number=1 "$2" ;;
    links) links -dump -html-numbered-links 1 "$2" ;;
    elinks) elinks -dump -no-numbering 0 "$2" ;;
  esac | grep -o "http.*x.html" | tail -n 1
}
for program in lynx w3m links elinks; do
  sees "$program, two" "$(links_of $program "http://127.0.0.1:$PORT/two.html")" "http://last.example/x.html"
done
sees "pandoc, two" "$(pandoc -f html -t html site/two.html | grep -o "http.*x.html")" "http://last.example/x.html"
sees "w3m, late" "$(links_of w3m "http://127.0.0.1:$PORT/late.html")" "http://late.example/x.html"
for program in lynx links elinks; do
  sees "$program, late" "$(links_of $program "http://127.0.0.1:$PORT/late.html")" "http://127.0.0.1:$PORT/x.html"
done
