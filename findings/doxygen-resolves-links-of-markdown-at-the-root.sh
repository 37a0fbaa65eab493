#!/usr/bin/env bash
# Doxygen 1.9.4 (Debian).
#
# A link to another Markdown page is resolved at the folder of the page: `b.md` in docs/a.md is docs/b.md. Doxygen takes a link to any other
# file for one from the root of the output: `x.html` in docs/a.md leads to html/x.html. With CREATE_SUBDIRS, Doxygen rewrites those links,
# also in raw HTML, so that they lead to the root from any folder.
#
# Why it matters: links that work in the sources and on the web pages of a repository lead elsewhere in the documentation that is published.
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

apt-get install --yes --quiet --no-install-recommends doxygen >apt.log 2>&1 || { echo "cannot install doxygen" >&2; exit 3; }
version doxygen 1.9.4-4

mkdir docs
echo '# Main' >README.md
echo '# Other' >docs/b.md
printf "%s\n" "# Page" "" '[b](b.md) [x](x.html) <a href="raw.html">raw</a>' >docs/a.md
links() {
  rm -rf html
  printf "%s\n" PROJECT_NAME=T INPUT=. RECURSIVE=YES USE_MDFILE_AS_MAINPAGE=README.md GENERATE_LATEX=NO QUIET=YES HAVE_DOT=NO "CREATE_SUBDIRS=$1" >Doxyfile
  doxygen >doxygen.log 2>&1
  find html -name md_docs_a.html -exec cat {} + | sed -n 's/.*<div class="textblock"><p *>\(.*\) <\/p>.*/\1/p' | sed 's/ class="el"//'
}
sees "one folder" "$(links NO)" '<a href="md_docs_b.html">b</a> <a href="x.html">x</a> <a href="raw.html">raw</a>'
sees "folders" "$(links YES | sed 's/[0-9a-f][0-9a-f]*\/[0-9a-f][0-9a-f]*\/md/DIR\/md/')" \
  '<a href="../../DIR/md_docs_b.html">b</a> <a href="../../x.html">x</a> <a href="../../raw.html">raw</a>'
