#!/usr/bin/env bash
# Premailer for Ruby 1.14.2 (Debian) with its adapter for Nokogiri.
#
# `link_query_string` adds the parameters of a campaign to each link. If a link has a query already, Premailer joins the two by `&amp;`, and
# then Nokogiri escapes the value again: in the mail stands `?id=7&amp;amp;utm_source=mail`. So the link that is followed has a parameter
# named `amp;utm_source`. A link without a query gets the right one.
#
# Why it matters: the link opens the right page, so nobody notices. The campaign is not counted for just those links that have parameters,
# and archives of the site get a second URL for each page.
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

apt-get install --yes --quiet --no-install-recommends ruby-premailer >apt.log 2>&1 || { echo "cannot install ruby-premailer" >&2; exit 3; }
version ruby-premailer 1.14.2-1

cat >run.rb <<'EOF'
require "premailer"
require "nokogiri"
mail = Premailer.new("<html><body><p><a href=\"#{ARGV[0]}\">x</a></p></body></html>", with_html_string: true, adapter: :nokogiri,
  base_url: "http://h.example/d/p.html", link_query_string: "utm_source=mail", warn_level: Premailer::Warnings::NONE)
html = mail.to_inline_css
puts html[/href="[^"]*"/] + " " + Nokogiri::HTML(html).at("a")["href"]
EOF
link() { ruby run.rb "$1" 2>/dev/null; }
sees "no query" "$(link x.html)" 'href="http://h.example/d/x.html?utm_source=mail" http://h.example/d/x.html?utm_source=mail'
sees "query" "$(link "x.html?id=7")" 'href="http://h.example/d/x.html?id=7&amp;amp;utm_source=mail" http://h.example/d/x.html?id=7&amp;utm_source=mail'
