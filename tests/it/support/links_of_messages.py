"""Prints what the links of messages say, as the packages of Python read them: for each message a JSON array of pairs.

A pair is the href and the text of an `a` element, or the src and the alt of an `img`.
"""

import email
import html.parser
import json
import mailbox
import re
import sys


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.pairs = []
        self.is_open = False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "a":
            self.pairs.append([attributes.get("href"), ""])
        elif tag == "img":
            self.pairs.append([attributes.get("src"), attributes.get("alt")])
        self.is_open = tag == "a"

    def handle_endtag(self, tag):
        self.is_open = False

    def handle_data(self, data):
        if self.is_open:
            self.pairs[-1][1] += data


ENCODED_MESSAGE = re.compile(
    rb"Content-Type: message/rfc822(?=\r?\nContent-Transfer-Encoding: (?:base64|quoted-printable)\r?\n)"
)


def parsed(written):
    # The parser reads an encoded message as if it were not; under another type it leaves it to us.
    return email.message_from_bytes(ENCODED_MESSAGE.sub(b"Content-Type: application/x-message", written))


def pairs(message):
    kind = message.get_content_type()
    if kind == "application/x-message":
        return pairs(parsed(message.get_payload(decode=True)))
    if message.is_multipart():
        return [pair for part in message.get_payload() for pair in pairs(part)]
    if kind != "text/html":
        return []
    links = Links()
    charset = message.get_content_charset() or "ascii"
    links.feed(message.get_payload(decode=True).decode(charset))
    links.close()
    return links.pairs


def messages(kind, path):
    if kind == "message":
        with open(path, "rb") as file:
            yield parsed(file.read())
    else:
        yield from mailbox.mbox(path, create=False)


for path in sys.argv[2:]:
    for message in messages(sys.argv[1], path):
        print(json.dumps(pairs(message)))
