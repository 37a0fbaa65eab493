#!/usr/bin/env python3
"""Makes archives of a small site of ours, with wget, warcio and wacz.

    make_crawl.py FOLDER

The site (programs/crawls/pages.py) has several hosts. wget crawls it through a server on this machine, which answers as each of them does.
What no server sends is written with warcio: two snapshots a year apart with revisits, transfer and content encodings, errors, a resource, a
conversion, the same page by http and https. The font of the site is any of this machine. FOLDER gets

    wget.warc.gz       what wget found (`wget --warc-file`), if wget is there
    snapshots.warc.gz  both snapshots; snapshots.warc: without compression
    first.warc.gz, second.warc.gz   a snapshot each; what the second has again is in the first only
    snapshots.wacz     by `wacz create`, if it is there
    odd.warc.gz        records as crawlers of all kinds have left them (programs/crawls/odd.py)
    first.arc          the first snapshot, as far as an ARC can have it

Needs `pip install warcio`; without it the exit status is 77. Bodies in brotli are made by Node, and left out without it.
"""

import argparse
import gzip
import http.server
import io
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import urllib.parse

from programs.crawls import odd, pages
from programs.crawls.archive import by_node

FIRST, SECOND = "2023-05-01T10:00:00Z", "2024-05-01T10:00:00Z"
MISSING = (404, {"Content-Type": "text/html"}, b"<title>Missing</title><a href=/>start</a>")


def a_font():
    font = next((file for folder in ("/usr/share/fonts", "/Library/Fonts") for file in sorted(pathlib.Path(folder).rglob("*.ttf"))), None)
    return font.read_bytes() if font else b"no font"


def site(font, year):
    """Returns {URL: (status, header fields, body)} of a snapshot."""
    answers = {url: (200, {"Content-Type": kind}, body) for url, (body, kind) in pages.files(font, year).items()}
    answers |= {url: (302 if "img" in url else 301, {"Location": location, "Content-Type": "text/html"}, b"<a href=elsewhere>moved</a>")
                for url, location in pages.redirects().items()}
    answers[f"{pages.SITE}/gone.html"] = answers[f"{pages.SITE}/img/gone.png"] = MISSING
    return answers


def serve(answers):
    """Serves the hosts as a proxy does: the target of each request is a whole URL."""
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            status, fields, body = answers.get(self.path, MISSING)
            is_chunked = len(self.path) % 3 == 0
            self.send_response(status)
            for name, value in (fields | ({"Transfer-Encoding": "chunked"} if is_chunked else {"Content-Length": str(len(body))})).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(chunked(body) if is_chunked else body)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def by_wget(folder, answers):
    server = serve(answers)
    hosts = ",".join(urllib.parse.urlsplit(url).hostname for url in (pages.SITE, pages.CDN, pages.OTHER))
    files = folder / "wget"
    files.mkdir()
    command = ["wget", "--no-config", "-q", "-r", "-l", "inf", "-p", "-H", "-D", hosts, "-e", "robots=off", "-e", "use_proxy=on", "-t", "1", "-T", "5",
               "-e", f"http_proxy=127.0.0.1:{server.server_address[1]}", "--delete-after", "--warc-file", str(folder / "wget"), f"{pages.SITE}/"]
    # It ends with 8, as some of the answers are errors.
    subprocess.run(command, cwd=files, check=False, env={**os.environ, "no_proxy": ""})
    server.shutdown()
    shutil.rmtree(files)


def chunked(body):
    parts = [body[at:at + 700] for at in range(0, len(body), 700)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def encoded(number, fields, body):
    """Returns the header fields and body of an answer in one of several encodings, by its number."""
    kind = number % 5
    if kind in (1, 3):
        fields, body = fields | {"Content-Encoding": "gzip"}, gzip.compress(body, mtime=0)
    elif kind == 2 and number % 4 == 0 and (packed := by_node(body, "brotliCompressSync")) is not None:
        fields, body = fields | {"Content-Encoding": "br"}, packed
    if kind in (3, 4):
        return fields | {"Transfer-Encoding": "chunked"}, chunked(body)
    return fields | {"Content-Length": str(len(body))}, body


class Archive:
    """A WARC that is written."""

    def __init__(self, path, compression, digests):
        from warcio.warcwriter import WARCWriter
        self.file = open(path, "wb")
        self.writer = WARCWriter(self.file, gzip=compression == "gzip")
        self.digests = digests

    def response(self, url, date, answer, number):
        from warcio.statusandheaders import StatusAndHeaders
        status, fields, body = answer
        fields, body = encoded(number, fields, body)
        headers = StatusAndHeaders(f"{status} Said", list(fields.items()), protocol="HTTP/1.1")
        record = self.writer.create_warc_record(url, "response", io.BytesIO(body), http_headers=headers, warc_headers_dict={"WARC-Date": date})
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        if status == 200 and (earlier := self.digests.get(digest)):
            # Every second one says only by its digest what it was.
            same = StatusAndHeaders(f"{status} Said", list(fields.items()), protocol="HTTP/1.1")
            record = self.writer.create_revisit_record(url, digest, *earlier, http_headers=same, warc_headers_dict={"WARC-Date": date})
            if number % 2:
                for name in ("WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"):
                    record.rec_headers.remove_header(name)
        elif status == 200:
            self.digests[digest] = (url, date)
        self.writer.write_record(record)

    def write(self, url, date, answer):
        """Writes an answer as it was sent."""
        from warcio.statusandheaders import StatusAndHeaders
        status, fields, body = answer
        headers = StatusAndHeaders(f"{status} Said", list(fields.items()), protocol="HTTP/1.1")
        self.writer.write_record(self.writer.create_warc_record(url, "response", io.BytesIO(body), http_headers=headers, warc_headers_dict={"WARC-Date": date}))

    def revisit(self, url, date, digest, refers, status):
        from warcio.statusandheaders import StatusAndHeaders
        headers = StatusAndHeaders(f"{status} Said", [("Content-Type", "text/html")] if status == 200 else [], protocol="HTTP/1.1") if status else None
        profile = f"http://netpreserve.org/warc/1.0/revisit/{'server-not-modified' if status == 304 else 'identical-payload-digest'}"
        record = self.writer.create_revisit_record(url, digest, *refers, http_headers=headers, warc_headers_dict={"WARC-Date": date, "WARC-Profile": profile})
        record.rec_headers.replace_header("WARC-Profile", profile)
        self.writer.write_record(record)

    def other(self, kind, url, date, media_type, body):
        record = self.writer.create_warc_record(url, kind, io.BytesIO(body), warc_content_type=media_type, warc_headers_dict={"WARC-Date": date})
        self.writer.write_record(record)

    def close(self):
        self.file.close()


def odd_answers(font, answers):
    """Yields answers, with dates, that a server sends to some clients, or did on one day."""
    png, start = answers[f"{pages.SITE}/img/1.png"], answers[f"{pages.SITE}/"]
    yield f"{pages.SITE}/img/partial.png", FIRST, (206, {"Content-Type": "image/png", "Content-Range": "bytes 0-40/90"}, png[2][:40])
    yield f"{pages.SITE}/fonts/own.ttf", SECOND, (206, {"Content-Type": "font/ttf", "Content-Range": "bytes 0-9/9999"}, font[:10])
    yield "https://site.test/both.html", FIRST, (200, {"Content-Type": "text/html"}, b"<title>Both in 0</title><img src=img/1.png> by https")
    # Gone for a day: what was there before is shown.
    yield f"{pages.SITE}/q", "2024-06-01T00:00:00Z", MISSING
    yield f"{pages.SITE}/slash/", "2024-06-01T00:00:00Z", (503, {"Content-Type": "text/html"}, b"later")
    # Once a page, now a redirect that leads nowhere, or to a page.
    yield f"{pages.SITE}/x", "2024-06-01T00:00:00Z", (302, {"Location": "/redirect/circle"}, b"")
    yield f"{pages.SITE}/x/y", "2024-06-01T00:00:00Z", (302, {"Location": "/places.html"}, b"")
    yield "https://site.test/only-secure.html", SECOND, (200, {"Content-Type": "text/html"}, b"<title>Secure</title><a href=both.html>b</a><img src=/img/1.png>")
    yield f"{pages.SITE}/#with-fragment", "2022-01-01T00:00:00Z", start
    yield "http://xn--bcher-kva.test/", FIRST, (200, {"Content-Type": "text/html; charset=utf-8"}, "<title>Bücher in 0</title><a href=//bücher.test/>b</a>".encode())


def snapshot(archive, answers, date):
    for number, (url, answer) in enumerate(answers.items()):
        archive.response(url, date, answer, number)


def by_warcio(folder, font):
    first, second, digests = site(font, 0), site(font, 1), {}
    for name, dates in (("snapshots.warc.gz", (FIRST, SECOND)), ("snapshots.warc", (FIRST, SECOND)), ("first.warc.gz", (FIRST,)), ("second.warc.gz", (SECOND,))):
        # The second snapshot, by itself, refers to what is in the first.
        archive = Archive(folder / name, "gzip" if name.endswith(".gz") else "none", digests if dates == (SECOND,) else {})
        for date in dates:
            snapshot(archive, {FIRST: first, SECOND: second}[date], date)
        for number, (url, date, answer) in enumerate(odd_answers(font, first)):
            if any((date < SECOND) == (day < SECOND) for day in dates):
                archive.response(url, date, answer, number)
        digests = archive.digests
        archive.other("resource", f"{pages.SITE}/resource.html", FIRST, "text/html", b"<title>Resource in 0</title><img src=img/1.png><a href=q>q</a>")
        archive.other("conversion", f"{pages.SITE}/img/converted.png", FIRST, "image/png", pages.image(20))
        archive.other("metadata", f"{pages.SITE}/", FIRST, "application/warc-fields", b"via: none\r\n")
        archive.close()


def odd_records(folder):
    """Writes what programs/crawls/odd.py has, and revisits with and without header fields, status and original."""
    archive = Archive(folder / "odd.warc.gz", "gzip", {})
    for url, answer in odd.answers():
        archive.write(url, FIRST, answer)
    archive.other("response", f"{odd.ODD}/no-type", FIRST, "application/http; msgtype=response", b"HTTP/1.0 200 OK\r\n\r\n" + odd.BODY)
    archive.other("resource", "ftp://odd.test/file.txt", FIRST, "text/plain", b"A text.\n")
    start = f"{odd.ODD}/a.html"
    for name, status, refers in (("bare-revisit", None, (start, FIRST)), ("not-modified", 304, (start, FIRST)), ("lost-revisit", 200, (f"{odd.ODD}/never", SECOND))):
        archive.revisit(f"{odd.ODD}/{name}", SECOND, "sha1:LOST", refers, status)
    # The latest capture of the page says only that it is as it was.
    archive.revisit(f"{odd.ODD}/a.html", SECOND, "sha1:LOST", (start, FIRST), 304)
    archive.close()


def arc(folder, answers):
    """Writes an ARC: a line with URL, address, date, type and length before each answer."""
    version = b"1 0 tests\nURL IP-address Archive-date Content-type Archive-length\n"
    with open(folder / "first.arc", "wb") as file:
        file.write(b"filedesc://first.arc 0.0.0.0 20230501100000 text/plain %d\n%b\n" % (len(version), version))
        for number, (url, (status, fields, body)) in enumerate(answers.items()):
            fields, body = encoded(number, fields, body)
            head = f"HTTP/1.1 {status} Said\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
            content = head.encode() + body
            kind = fields["Content-Type"].partition(";")[0]
            file.write(f"{url} 127.0.0.1 20230501100000 {kind} {len(content)}\n".encode() + content + b"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder.resolve()
    try:
        import warcio  # noqa: F401
    except ImportError:
        print("skipped: warcio is not installed")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    font = a_font()
    by_warcio(folder, font)
    arc(folder, site(font, 0))
    odd_records(folder)
    if shutil.which("wget"):
        by_wget(folder, site(font, 0))
    if shutil.which("wacz"):
        subprocess.run(["wacz", "create", "-f", "snapshots.warc.gz", "-o", "snapshots.wacz", "--detect-pages"], cwd=folder, check=True, capture_output=True)
    for file in sorted(folder.iterdir()):
        print(f"{file.stat().st_size:>9}  {file.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
