#!/usr/bin/env bash
# mail of GNU Mailutils 3.15 (Debian).
#
# `mail -H -f FILE` lists the messages of a mailbox, and `mail -e -f FILE` only tells by its exit status if there are any. Both write the
# mailbox again: each message gets an X-UID field, the first one gets X-IMAPbase, and -H puts `>` before lines of bodies that begin with
# `From `. frm, messages and readmsg of the same package change nothing.
#
# Why it matters: the checksum of an archived mailbox no longer fits after someone looked into the mailbox, and the bodies of its messages
# are not those that were sent. Work on a copy.
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

apt-get install --yes --quiet --no-install-recommends mailutils >apt.log 2>&1 || { echo "cannot install mailutils" >&2; exit 3; }
version mailutils 1:3.15-4

printf "%s\n" "From a@h.example Mon Jan  1 00:00:00 2024" "From: a@h.example" "Subject: s" "Message-ID: <1@h.example>" \
  "Date: Mon, 1 Jan 2024 00:00:00 +0000" "" "first" "" "From here on it is text" "" >box
changes() {
  cp box copy
  "$@" </dev/null >/dev/null 2>&1 || true
  diff box copy | sed -n "s/^[<>] //p" | sed "s/IMAPbase: .*/IMAPbase:/" | tr "\n" "|"
}
sees "mail -H" "$(changes mail.mailutils -H -f "$T/copy")" "X-IMAPbase:|X-UID: 1|From here on it is text|>From here on it is text|"
sees "mail -e" "$(changes mail.mailutils -e -f "$T/copy")" "X-IMAPbase:|X-UID: 1|"
sees "frm" "$(changes frm.mailutils "$T/copy")" ""
sees "messages" "$(changes messages.mailutils "$T/copy")" ""
sees "readmsg" "$(changes readmsg.mailutils -f "$T/copy" 1)" ""
