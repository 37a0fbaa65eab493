"""Make the relative links in the HTML of an mbox absolute: rewrite_mbox.py IN OUT

An ordinary script with the standard library and lxml, as a peer to measure against.
"""

import io
import mailbox
import sys
from email.generator import BytesGenerator
from email.parser import BytesParser
from urllib.parse import urljoin

import lxml.html


def base_of(message, part):
    base = ""
    for entity in [message] if part is message else [message, part]:
        declared = entity["Content-Base"] or entity["Content-Location"]
        if declared:
            base = urljoin(base, str(declared).strip())
    return base if "://" in base else None


def rewrite_part(part, base):
    """Return whether a link changed; only then is the part written again."""
    charset = part.get_content_charset("utf-8")
    parser = lxml.html.HTMLParser(encoding=charset)
    root = lxml.html.document_fromstring(part.get_payload(decode=True), parser=parser)
    tree = root.getroottree()
    before = lxml.html.tostring(tree, encoding=charset)
    root.make_links_absolute(base)
    after = lxml.html.tostring(tree, encoding=charset)
    if before == after:
        return False
    del part["Content-Transfer-Encoding"]
    part.set_payload(after.decode(charset), charset)
    return True


def rewrite_message(message):
    changed = False
    for part in message.walk():
        if part.get_content_type() == "text/html":
            base = base_of(message, part)
            if base:
                changed |= rewrite_part(part, base)
    return changed


def serialise(message):
    out = io.BytesIO()
    BytesGenerator(out, mangle_from_=True, maxheaderlen=0).flatten(message, unixfrom=True)
    return out.getvalue()


def main(source, target):
    messages = changed = failed = 0
    parser = BytesParser()
    box = mailbox.mbox(source, create=False)
    with open(target, "wb") as out:
        for key in box.keys():
            messages += 1
            raw = box.get_bytes(key, from_=True)
            try:
                message = parser.parsebytes(raw)
                changed += rewrite_message(message)
                raw = serialise(message)
            except Exception as error:
                failed += 1
                print(f"message {messages}: {error!r}", file=sys.stderr)
            out.write(raw)
            out.write(b"\n")
    share = 100 * changed / max(messages, 1)
    print(f"{messages} messages, {changed} changed ({share:.1f} %), {failed} copied because of an error")


if __name__ == "__main__":
    main(*sys.argv[1:])
