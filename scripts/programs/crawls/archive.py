"""What is in a web archive, read by warcio, and which capture of each URL counts."""

import datetime
import gzip
import io
import shutil
import subprocess
import zipfile
import zlib
from dataclasses import dataclass

REDIRECTS = {301, 302, 303, 307, 308}
SCHEMES = ("http:", "https:", "ftp:")


@dataclass
class Capture:
    url: str
    date: str
    kind: str
    status: int
    location: str | None
    media_type: str
    charset: str | None
    # Without transfer and content encodings; `None` if it cannot be read, or is elsewhere.
    body: bytes | None
    # Of a redirect: the URL, with a fragment, that it leads to.
    target: str | None = None


def by_node(body, function):
    """Returns what a function of Node's zlib makes of a body; `None` without Node."""
    if not shutil.which("node"):
        return None
    script = f"const all = []; process.stdin.on('data', (d) => all.push(d)).on('end', () => process.stdout.write(zlib.{function}(Buffer.concat(all))))"
    done = subprocess.run(["node", "-e", script], input=body, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def files_of(path):
    """Yields the archives in a file: itself, or those of a WACZ."""
    if path.suffix != ".wacz":
        yield io.BytesIO(path.read_bytes())
        return
    with zipfile.ZipFile(path) as package:
        for name in package.namelist():
            if name.startswith("archive/") and not name.endswith("/"):
                yield io.BytesIO(package.read(name))


def body_of(record, encoding):
    from warcio.bufferedreaders import ChunkedDataReader
    try:
        if encoding == "br":
            is_chunked = "chunked" in (record.http_headers.get_header("Transfer-Encoding") or "").lower()
            return by_node((ChunkedDataReader(record.raw_stream) if is_chunked else record.raw_stream).read(), "brotliDecompressSync")
        body = record.content_stream().read()
        return gzip.decompress(body) if encoding == "x-gzip" else body
    except (ValueError, OSError, zlib.error):
        return None


def captures(paths):
    """Returns the captures of archives, in their order, with the contents of revisits."""
    from warcio.archiveiterator import ArchiveIterator
    found, by_digest, by_place = [], {}, {}
    for path in paths:
        for file in files_of(path):
            for record in ArchiveIterator(file, arc2warc=True):
                header = record.rec_headers.get_header
                if record.rec_type not in ("response", "resource", "revisit") or not (header("WARC-Target-URI") or "").lower().startswith(SCHEMES):
                    continue
                capture = of_record(record)
                found.append((capture, header("WARC-Payload-Digest"), (header("WARC-Refers-To-Target-URI"), (header("WARC-Refers-To-Date") or "")[:19])))
                if record.rec_type != "revisit":
                    by_digest.setdefault(header("WARC-Payload-Digest"), capture)
                    by_place[(capture.url, capture.date[:19])] = capture
    for capture, digest, place in found:
        original = by_place.get(place) or (by_digest.get(digest) if digest else None)
        if capture.kind == "revisit" and original:
            capture.body = original.body
            if capture.status in (0, 304):
                capture.status, capture.location = original.status, original.location
            capture.media_type, capture.charset = (capture.media_type, capture.charset) if capture.media_type else (original.media_type, original.charset)
    return [capture for capture, *_ in found]


def unreadable():
    """Returns the error of warcio for what is no archive to it."""
    from warcio.exceptions import ArchiveLoadFailed
    return ArchiveLoadFailed


def of_record(record):
    header, kind = record.rec_headers.get_header, record.rec_type
    fields = record.http_headers.get_header if record.http_headers else lambda name: None
    status = 200 if kind == "resource" else int(digits) if record.http_headers and (digits := record.http_headers.get_statuscode() or "0").isdigit() else 0
    written = (header("Content-Type") if kind == "resource" else fields("Content-Type")) or ""
    media_type, _, parameters = written.partition(";")
    charset = next((value.strip(" \"'") for name, _, value in (item.partition("=") for item in parameters.split(";")) if name.strip().lower() == "charset"), None)
    body = None if kind == "revisit" else body_of(record, (fields("Content-Encoding") or "").strip().lower())
    # Of a record that is cut off, bytes are missing.
    if body is not None and getattr(record.raw_stream, "limit", 0) > 0:
        status = 0
    return Capture(header("WARC-Target-URI").strip("<>"), header("WARC-Date") or "", kind, status, fields("Location"), media_type.strip().lower(), charset or None, body)


def seconds(date):
    return datetime.datetime.fromisoformat(date[:19] + "+00:00").timestamp()


def chosen(found, normal, at):
    """Returns {normal URL: the capture that counts}: the latest, or the nearest to `at`, of those that can be shown.

    `normal` has the normal form of each URL and each (location, URL), without a fragment but for locations.
    """
    by_url = {}
    for capture in found:
        if capture.url.startswith(SCHEMES) and (url := normal[capture.url]):
            if capture.status in REDIRECTS and capture.location:
                capture.target = normal[(capture.location, capture.url)]
            by_url.setdefault(url, []).append(capture)
    for several in by_url.values():
        # Of captures of the same second the last one counts.
        several.reverse()
        several.sort(key=lambda capture: abs(seconds(capture.date) - seconds(at)) if at else -seconds(capture.date))

    def shown(url, on_the_way):
        for capture in by_url.get(url, ()):
            if capture.status in REDIRECTS and capture.target:
                target = capture.target.partition("#")[0]
                if target not in on_the_way and shown(target, {*on_the_way, target}):
                    return capture
            elif 200 <= capture.status < 300 and capture.status != 206 and (capture.kind != "revisit" or capture.body is not None):
                return capture
        return None

    return {url: capture for url in by_url if (capture := shown(url, {url}))}


def last(index, url):
    """Returns the URL without redirects that one leads to."""
    seen = set()
    while index[url].status in REDIRECTS and index[url].target and url not in seen:
        seen.add(url)
        url = index[url].target.partition("#")[0]
    return url
