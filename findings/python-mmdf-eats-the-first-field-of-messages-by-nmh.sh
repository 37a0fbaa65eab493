#!/usr/bin/env bash
# The module `mailbox` of Python 3.11, and nmh 1.8 (Debian).
#
# `packf -mmdf` of nmh packs a folder into a file in the format MMDF, in which four Ctrl-A separate messages. It writes no line `From ` in
# front of a message. Python's MMDF takes the first line of each message for that line, whatever it is, so the first field of each header is
# lost. `get_from` returns the end of that field. Python alone, which writes the line, reads its own files right, and `inc` of nmh its own.
#
# Why it matters: the first field is Return-Path or Received in mail that was delivered, so nobody misses it. In a saved page it can be
# Content-Location or Snapshot-Content-Location, and then the base is lost.
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

apt-get install --yes --quiet --no-install-recommends nmh >apt.log 2>&1 || { echo "cannot install nmh" >&2; exit 3; }
version nmh 1.8~RC2-2

python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "this script was written for Python 3.11" >&2; exit 3; }
export MH=$T/profile
echo "Path: $T/Mail" >profile
mkdir -p Mail/inbox
printf "%s\n" "Content-Location: http://h.example/d/p.html" "From: a@h.example" "Subject: s" "Content-Type: text/html" "" '<a href="x">x</a>' >Mail/inbox/1
yes | /usr/bin/mh/packf -mmdf +inbox -file "$T/packed" >/dev/null 2>&1 || true
python3 -c 'import mailbox
box = mailbox.MMDF("own")
box.add(open("Mail/inbox/1").read())
box.flush()
for name in ("own", "packed"):
    for message in mailbox.MMDF(name):
        print(message.keys(), message["Content-Location"], repr(message.get_from()) if name == "packed" else "")' >seen
sees "file by Python" "$(sed -n 1p seen)" "['Content-Location', 'From', 'Subject', 'Content-Type'] http://h.example/d/p.html "
sees "file by nmh" "$(sed -n 2p seen)" "['From', 'Subject', 'Content-Type'] None 'nt-Location: http://h.example/d/p.html'"
mkdir Mail/again
/usr/bin/mh/inc +again -file "$T/packed" -notruncate -silent </dev/null
sees "read by nmh" "$(head -1 Mail/again/1)" "Content-Location: http://h.example/d/p.html"
