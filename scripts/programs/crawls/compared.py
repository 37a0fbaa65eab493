"""The links of the documents of an archive, compared with those of the files they became."""

import base64
import pathlib
import urllib.parse
from dataclasses import dataclass

from . import archive, shown

READER = (pathlib.Path(__file__).parent / "links.js").read_text(encoding="utf-8")
# A base that is no URL, or of which nothing can be relative, is none: then the base of the document's address counts.
RESOLVER = """
    return args.map(([reference, [address, ...bases]]) => {
        let base = address;
        for (const written of bases) {
            try {
                const next = new URL(written, base);
                if (!/^(data|javascript):$/.test(next.protocol)) base = next.href;
            } catch {}
        }
        try { return new URL(reference, base).href; } catch { return null; }
    });
"""
DOCUMENTS = {"text/html", "application/xhtml+xml", "text/css", "image/svg+xml"}
# The program edits these too; their links are not compared.
EDITED = DOCUMENTS | {"", "application/rss+xml", "application/atom+xml", "application/xml", "text/xml", "application/rdf+xml", "multipart/related", "message/rfc822"}
AT_ONCE = 4_000_000
# Of templates; what has them is never touched.
PLACEHOLDERS = ("<?", "<%", "{{", "{%", "${", "*|", "%%")
NETWORK = ("http:", "https:", "ftp:")


@dataclass
class Document:
    url: str
    path: str
    first: dict
    file: dict
    back: dict | None
    # What the links mean in the archive and in the file; empty for what cannot be read.
    targets: list
    targets_now: list


class Normal:
    """The normal form of URLs, without a fragment, by the URL standard; of (location, URL) the target, with a fragment."""

    def __init__(self, chromium):
        self.chromium, self.known = chromium, {}

    def add(self, urls):
        new = [url for url in dict.fromkeys(urls) if url not in self.known]
        pairs = [(url, ["about:blank"]) if isinstance(url, str) else (url[0], [url[1]]) for url in new]
        for url, found in zip(new, resolve(self.chromium, pairs)):
            self.known[url] = found and (found.partition("#")[0] if isinstance(url, str) else found)

    def __getitem__(self, url):
        return self.known[url]


def is_edited(capture):
    return capture.media_type in EDITED


def resolve(chromium, pairs):
    """Returns the target of each (reference, [address of the document, its BASE elements]); `None` for what is no URL."""
    found = []
    for at in range(0, len(pairs), 5000):
        found += chromium.run(RESOLVER, *pairs[at:at + 5000])
    return found


def read(chromium, bodies):
    """Returns the links of documents, each (body, type, charset)."""
    found, batch, size = [], [], 0
    for body, kind, charset in bodies:
        if batch and size + len(body) > AT_ONCE:
            found += chromium.run(READER, *batch)
            batch, size = [], 0
        batch.append({"body": base64.b64encode(body).decode(), "type": kind, "charset": charset})
        size += len(body)
    return found + (chromium.run(READER, *batch) if batch else [])


def documents(chromium, site, back, index, rows):
    """Returns the documents that are in the archive, in the site, and in what became of the site (if not `None`), with their links."""
    chosen = [(url, capture, rows[url]["path"]) for url, capture in sorted(index.items())
              if url in rows and capture.media_type in DOCUMENTS and capture.body is not None and archive.last(index, url) == url and (site / rows[url]["path"]).is_file()]
    first = read(chromium, [(capture.body, capture.media_type, capture.charset) for _, capture, _ in chosen])
    # Where a page does not say its charset, the links are read in that of the header; that it is shown so is checked elsewhere.
    files, backs = (read(chromium, [((folder / path).read_bytes(), capture.media_type, capture.charset) for _, capture, path in chosen])
                    if folder else [None] * len(chosen) for folder in (site, back))
    return [Document(url, path, *found, targets(chromium, url, found[0]), targets(chromium, (site / path).as_uri(), found[1]))
            for (url, _, path), *found in zip(chosen, first, files, backs)]


def in_charset(reference, charset):
    """Returns a reference with its query percent-encoded in the charset of its document, as browsers do for charsets other than UTF-8."""
    start, mark, query = reference.partition("?")
    if not mark or query.isascii() or not charset or charset.startswith("utf"):
        return reference
    query, fragment_mark, fragment = query.partition("#")
    try:
        encoded = query.encode(charset, "xmlcharrefreplace")
    except LookupError:
        return reference
    return f"{start}?{urllib.parse.quote(encoded, safe='!$&()*+,/:;=?@[]^`{|}~%' + chr(39))}{fragment_mark}{fragment}"


def targets(chromium, address, found):
    return resolve(chromium, [(in_charset(link["written"], found["charset"]), [address, *link["base"]]) for link in found.get("links", ())])


def faults(chromium, site, found, index, rows, normal, count):
    """Yields (kind, what) for each link of a file that does not lead where it should."""
    for document in found:
        if document.first.get("broken") or document.file.get("broken"):
            if document.first.get("broken") != document.file.get("broken"):
                yield "links", f"{document.path} is no longer well-formed"
            continue
        normal.add(url for url in document.targets if url)
        yield from faults_of_file(site, document, index, rows, normal, count)
        if document.back:
            yield from faults_of_back(document, targets(chromium, document.url, document.back), count)


def places(found):
    return [link["place"] for link in found["links"]]


def faults_of_file(site, document, index, rows, normal, count):
    first, now = document.targets, document.targets_now
    if places(document.first) != places(document.file):
        both = zip([*places(document.first), None], [*places(document.file), None])
        yield "links", f"{document.path} has {len(now)} links instead of {len(first)}; first other: {next(pair for pair in both if pair[0] != pair[1])}"
        return
    for link, link_now, target, target_now in zip(document.first["links"], document.file["links"], first, now):
        if link.get("inFrame") and link["written"].startswith("#"):
            continue
        count("links")
        key = target and normal[target]
        if not target or not target.startswith(NETWORK) or any(mark in link["written"] for mark in PLACEHOLDERS):
            is_right, expected = link_now["written"] == link["written"] or target_now == target, f"{link['written']} as it was"
        elif key in index and key in rows:
            count("local")
            of_redirect = not fragment(target) and fragment_on_the_way(index, key, target)
            expected = rows[key]["path"] + (f"-{of_redirect}" if of_redirect else fragment(target))
            is_right = target_now is not None and (shown.path_of(target_now, site) or "") + fragment(target_now) == expected
        else:
            is_right, expected = target_now == target, target
        if not is_right:
            yield "links", f"{document.path}: {link['place']} {link['written']!r} became {link_now['written']!r}, expected {expected}"


def fragment(url):
    return url.partition("#")[2] and "#" + url.partition("#")[2]


def fragment_on_the_way(index, key, target):
    """Returns the fragment that a browser ends with: that of the link, or else the last of the redirects."""
    found = fragment(target)
    while not found and index[key].target and index[key].status in archive.REDIRECTS:
        found, key = fragment(index[key].target), index[key].target.partition("#")[0]
    return found


def faults_of_back(document, back, count):
    first = document.targets
    if places(document.first) != places(document.back):
        yield "back", f"{document.path} has {len(back)} links instead of {len(first)}"
        return
    for link, link_back, target, target_back in zip(document.first["links"], document.back["links"], first, back):
        if link.get("inFrame") and link["written"].startswith("#"):
            continue
        count("back")
        if target_back != target and link_back["written"] != link["written"]:
            yield "back", f"{document.path}: {link['place']} {link['written']!r} came back as {link_back['written']!r}, expected {target}"


def faults_of_charsets(found, charsets, count):
    """Yields the pages that a browser reads in another charset than that of their header."""
    for document in found:
        if (charset := document.first.get("charset")) and not document.file["isPlain"] and document.path in charsets:
            count("charset")
            if charsets[document.path].lower() != charset:
                yield f"{document.path} is shown in {charsets[document.path]} instead of {charset}"
