"""List the links of the HTML responses of a WARC as JSON Lines: list_links.py IN OUT

An ordinary script with fastwarc and resiliparse, as a peer to measure against. It reads the usual attributes only, which saves
time: no styles, no srcset, no positions.
"""

import json
import sys
from urllib.parse import urljoin

from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree

ATTRIBUTES = ("href", "src", "action", "data", "cite", "background", "poster")
SELECTOR = ", ".join(f"[{name}]" for name in ATTRIBUTES)


def links(tree, url):
    base = url
    declared = tree.document.query_selector("base[href]")
    if declared is not None:
        base = join(url, declared.getattr("href")) or url
    # A slice: to iterate over the list itself takes quadratic time.
    for element in tree.document.query_selector_all(SELECTOR)[:]:
        tag = element.tag
        for attribute in ATTRIBUTES:
            reference = element.getattr(attribute)
            if reference is None:
                continue
            text = " ".join(element.text.split())[:200] if tag == "a" else None
            target = join(base, reference.strip())
            yield tag, attribute, reference, target, text, element.getattr("rel")


def join(base, reference):
    try:
        return urljoin(base, reference)
    except ValueError:
        return None


def main(source, target):
    found = 0
    with open(source, "rb") as archive, open(target, "w", encoding="utf-8", errors="replace") as out:
        for record in ArchiveIterator(archive, record_types=WarcRecordType.response, parse_http=True):
            if record.http_content_type != "text/html":
                continue
            url, date, record_id = record.headers["WARC-Target-URI"], record.headers["WARC-Date"], record.record_id
            body = record.reader.read()
            tree = HTMLTree.parse_from_bytes(body, record.http_charset or detect_encoding(body))
            for tag, attribute, reference, link, text, rel in links(tree, url):
                row = {"element": tag, "attribute": attribute, "reference": reference, "target": link}
                row |= {"url": url, "date": date, "record_id": record_id, "text": text, "rel": rel}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                found += 1
    print(found)


if __name__ == "__main__":
    main(*sys.argv[1:])
