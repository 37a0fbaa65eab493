#!/usr/bin/env bash
# The module `mailbox` of Python 3.11.
#
# A message in a Babyl file of Emacs begins with 1 if Emacs has shown it, and with 0 if not. A shown message has its whole header, then the
# line `*** EOOH ***`, and then the part of the header that was shown. An unread message has its only header behind that line. Python looks
# for the header in front of the line only, and so returns an unread message with its body and without any header. `get_visible` has the
# header. `unrmail` of Emacs 28 reads both kinds.
#
# Why it matters: without its header a message has no media type and no base. Tests are written with messages that someone has read.
set -euo pipefail

T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T"

# Prints what was seen, and compares it with what is stated.
sees() {
  printf "%s: %s\n" "$1" "$2"
  [ "$2" = "$3" ] || { printf "DIFFERS: %s is stated\n" "$3" >&2; exit 1; }
}


python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "this script was written for Python 3.11" >&2; exit 3; }
header="From: a@h.example\nSubject: %s\nContent-Base: http://h.example/d/\nContent-Type: text/html\n"
{
  printf "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\037\f\n"
  # shellcheck disable=SC2059
  printf "1,,\n$header\n*** EOOH ***\nFrom: a@h.example\nSubject: %s\n\n<a href=\"x\">x</a>\n\037\f\n" read read
  # shellcheck disable=SC2059
  printf "0, unseen,,\n*** EOOH ***\n$header\n<a href=\"x\">x</a>\n\037" unread
} >mail.babyl
cat >run.py <<'EOF'
import mailbox
for message in mailbox.Babyl("mail.babyl"):
    print(message.keys(), message["Content-Base"], message.get_content_type(), message.get_visible()["Content-Base"])
EOF
python3 run.py >seen
sees "Python, read" "$(sed -n 1p seen)" "['From', 'Subject', 'Content-Base', 'Content-Type'] http://h.example/d/ text/html None"
sees "Python, unread" "$(sed -n 2p seen)" "[] None text/plain http://h.example/d/"
