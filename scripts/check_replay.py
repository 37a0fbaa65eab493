#!/usr/bin/env python3
"""Check what absolve writes of web archives with the tools that read them: warcio, cdxj-indexer, pywb and wacz.

    check_replay.py [--absolve FILE] [--tools FOLDER] [--only A,B,C,D] [--keep FOLDER] [ARCHIVE ...]

A  append: the output begins with the input, digests are right, a second run adds nothing
B  append: pywb replays both the original and the conversion, an index made before stays right
C  --warc resource: the derived archive is complete, and the tools find the changed pages in it
D  --warc resource of a WACZ: it is valid, and its index leads to its records

Without archives it makes one. Each check is one line; the exit status is 1 if one of them failed.
"""

import argparse
import base64
import collections
import gzip
import hashlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import uuid
import zipfile
import zlib

RUN_SECONDS = 1798761600
RUN_TIMESTAMP = "20270101000000"
COLLECTION = "coll"
BOTH_WAYS = ("response", "resource", "conversion")


class Failure(Exception):
    pass


class ToolMissing(Exception):
    pass


# Records

class Record(collections.namedtuple("Record", "offset length fields block")):
    """A record and where it stands: the bytes of its member, if it is compressed."""

    def field(self, name):
        return self.fields.get(name.lower(), "")

    @property
    def type(self):
        return self.field("WARC-Type")

    @property
    def id(self):
        return self.field("WARC-Record-ID")

    @property
    def url(self):
        return self.field("WARC-Target-URI").removeprefix("<").removesuffix(">")

    @property
    def timestamp(self):
        return "".join(filter(str.isdigit, self.field("WARC-Date")))[:14]

    @property
    def is_http(self):
        return self.type == "response" and self.url.startswith("http")

    @property
    def status(self):
        return self.block.split(b"\n", 1)[0].split()[1].decode() if self.is_http else "200"

    def without_place(self):
        return (tuple(sorted(self.fields.items())), self.block)


def members(data):
    """The gzip members of `data`: offset, length and content."""
    offset = 0
    while offset < len(data):
        member = zlib.decompressobj(wbits=31)
        content, position = [], offset
        while not member.eof:
            piece = data[position:position + 65536]
            if not piece:
                raise Failure(f"the gzip member at {offset} breaks off")
            content.append(member.decompress(piece))
            position += len(piece)
        end = position - len(member.unused_data)
        yield offset, end - offset, b"".join(content)
        offset = end


def parse_heading(heading):
    fields = {}
    name = None
    for line in heading.decode("utf-8", "replace").splitlines()[1:]:
        if line[:1] in (" ", "\t") and name:
            fields[name] += " " + line.strip()
        elif ":" in line:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            fields[name] = value.strip()
    return fields


def records_of_text(text, offset=0):
    position = 0
    while True:
        while text[position:position + 1] in (b"\r", b"\n"):
            position += 1
        if position >= len(text):
            return
        if text[position:position + 5] != b"WARC/":
            raise Failure(f"no record at {offset + position}")
        heading, separator = split_heading(text[position:position + 1048576])
        fields = parse_heading(heading)
        start = position + len(heading) + len(separator)
        end = start + int(fields["content-length"])
        if end > len(text):
            raise Failure(f"the record at {offset + position} breaks off")
        yield Record(offset + position, end - position, fields, text[start:end])
        position = end


def split_heading(text):
    for separator in (b"\r\n\r\n", b"\n\n"):
        heading, found, _ = text.partition(separator)
        if found:
            return heading, separator
    return text, b""


def records_of(data):
    if not data.startswith(b"\x1f\x8b"):
        return list(records_of_text(data))
    found = []
    for offset, length, text in members(data):
        inner = list(records_of_text(text))
        if len(inner) == 1:
            found.append(inner[0]._replace(offset=offset, length=length))
        else:
            found.extend(inner)
    return found


def record_at(data, offset, length):
    piece = data[offset:offset + length]
    if len(piece) != length:
        raise Failure(f"{length} bytes at {offset} are beyond the end")
    text = gzip.decompress(piece) if data.startswith(b"\x1f\x8b") else piece
    found = list(records_of_text(text))
    if len(found) != 1:
        raise Failure(f"{len(found)} records at {offset}")
    return found[0]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def sha1(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


# Content of records

def content_of(record):
    """What the page is, without chunks and content codings; None if the standard library cannot take those off."""
    if not record.is_http:
        return record.block
    heading, separator = split_heading(record.block)
    fields = parse_heading(heading)
    body = record.block[len(heading) + len(separator):]
    if "chunked" in fields.get("transfer-encoding", "").lower():
        body = without_chunks(body)
    return without_coding(body, fields.get("content-encoding", ""))


def without_chunks(body):
    content, rest = [], body
    while True:
        line, found, rest = rest.partition(b"\r\n")
        try:
            size = int(line.split(b";")[0], 16)
        except ValueError:
            return body if not content else b"".join(content)
        if not found or size == 0:
            return b"".join(content)
        content.append(rest[:size])
        rest = rest[size:].removeprefix(b"\r\n")


def without_coding(body, coding):
    coding = coding.strip().lower()
    if coding in ("", "identity", "none"):
        return body
    if coding in ("gzip", "x-gzip", "deflate"):
        for bits in (47, -15):
            try:
                return zlib.decompressobj(wbits=bits).decompress(body)
            except zlib.error:
                continue
        return body
    return None


# Archives to check with

class Sample:
    """A small archive with a record of each kind."""

    def __init__(self):
        self.data = b""
        self.pages = []

    def record(self, kind, url, block, fields):
        number = len(self.data)
        fields = {
            "WARC-Type": kind,
            "WARC-Record-ID": f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{number} {url}')}>",
            **({"WARC-Target-URI": url} if url else {}),
            "WARC-Date": "2021-03-04T05:06:07Z",
            "WARC-Block-Digest": sha1(block),
            **fields,
            "Content-Length": len(block),
        }
        heading = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        record = f"WARC/1.1\r\n{heading}\r\n".encode() + block + b"\r\n\r\n"
        self.data += gzip.compress(record, mtime=0)
        return fields["WARC-Record-ID"]

    def response(self, url, body, content_type="text/html; charset=utf-8", status="200 OK", extra=""):
        heading = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{extra}\r\n"
        fields = {"Content-Type": "application/http; msgtype=response",
                  "WARC-Payload-Digest": sha1(body)}
        if status.startswith("200") and content_type.startswith("text/html"):
            self.pages.append(url)
        return self.record("response", url, heading.encode() + body, fields)

    def request(self, url, response, method="GET", body=""):
        heading = f"{method} /{url.split('/', 3)[3]} HTTP/1.1\r\nHost: {url.split('/')[2]}\r\n"
        if body:
            heading += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        block = f"{heading}\r\n{body}".encode()
        self.record("request", url, block, {"Content-Type": "application/http; msgtype=request", "WARC-Concurrent-To": response})


def add_revisits(sample, body, coded):
    """Revisits of a page that tell its URL and date, at its own URL and at another one, and by its digest alone."""
    original = "http://relative.example/0/page?number=0&b=%C3%A9"
    add_revisit(sample, original, original, body)
    add_revisit(sample, "http://relative.example/revisit/of-other-url", original, body)
    add_revisit(sample, original, "", body, date="2022-01-02T00:00:00Z")
    original = "http://relative.example/coded/"
    add_revisit(sample, original, original, coded, extra="Content-Encoding: gzip\r\n")


def add_revisit(sample, url, original, payload, date="2022-01-01T00:00:00Z", extra=""):
    fields = {"Content-Type": "application/http; msgtype=response", "WARC-Date": date,
              "WARC-Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
              "WARC-Payload-Digest": sha1(payload)}
    if original:
        fields.update({"WARC-Refers-To-Target-URI": original, "WARC-Refers-To-Date": "2021-03-04T05:06:07Z"})
    block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{extra}\r\n".encode()
    sample.record("revisit", url, block, fields)


def page(number, link):
    text = "".join(f"<p>{number} paragraph {line} <a href=\"{link}{line}\">é</a></p>\n" for line in range(20))
    return f"<!DOCTYPE html><title>Page {number}</title>{text}<img src=\"{link}image.png\">\n".encode()


def chunked(body):
    pieces = (body[start:start + 100] for start in range(0, len(body), 100))
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def make_sample(path):
    sample = Sample()
    block = b"software: check_replay\r\nformat: WARC File Format 1.1\r\n"
    sample.record("warcinfo", "", block, {"Content-Type": "application/warc-fields"})
    for number in range(200):
        url = f"http://relative.example/{number % 7}/page?number={number}&b=%C3%A9"
        sample.request(url, sample.response(url, page(number, "../up/")))
        sample.response(f"https://absolute.example/page{number}.html", page(number, "https://absolute.example/"))
    sample.response("http://relative.example/moved", b"<a href=there>", status="301 Moved Permanently",
                    extra="Location: http://relative.example/there\r\n")
    sample.response("http://relative.example/missing", page(1, "gone/"), status="404 Not Found")
    body = page(2, "coded/")
    coded = gzip.compress(body, mtime=0)
    sample.response("http://relative.example/coded/", coded, extra="Content-Encoding: gzip\r\n")
    body = page(3, "chunked/")
    sample.response("http://relative.example/chunked/", chunked(body), extra="Transfer-Encoding: chunked\r\n")
    sample.response("http://relative.example/both/", chunked(coded),
                    extra="Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n")
    sample.response("http://relative.example/style.css", b"body { background: url(image.png) }\n", "text/css")
    sample.response("http://relative.example/image.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "image/png")
    add_revisits(sample, page(0, "../up/"), coded)
    url = "http://relative.example/form"
    sample.request(url, sample.response(url, page(5, "got/")))
    sample.request(url, sample.response(url, page(6, "posted/")), "POST", "name=value")
    body = page(4, "resource/")
    sample.record("resource", "http://relative.example/resource.html", body,
                  {"Content-Type": "text/html; charset=utf-8", "WARC-Payload-Digest": sha1(body)})
    block = b"via: http://relative.example/\r\n"
    sample.record("metadata", "http://relative.example/0/", block, {"Content-Type": "application/warc-fields"})
    with open(path, "wb") as file:
        file.write(sample.data)


# Checks

class Report:
    def __init__(self):
        self.has_failed = False

    def check(self, name, function, *arguments):
        try:
            note = function(*arguments)
            print(f"ok       {name}" + (f" ({note})" if note else ""), flush=True)
        except ToolMissing as error:
            print(f"skipped: tool missing: {error}: {name}", flush=True)
        except (Failure, OSError, ValueError, KeyError, zlib.error, zipfile.BadZipFile, subprocess.TimeoutExpired) as error:
            self.has_failed = True
            print(f"FAILED   {name}: {type(error).__name__ + ': ' if not isinstance(error, Failure) else ''}{error}", flush=True)

    def skip(self, name, why):
        print(f"skipped: {why}: {name}", flush=True)


class Tools:
    def __init__(self, absolve, folder):
        self.absolve = os.path.abspath(absolve)
        self.folder = folder

    def path(self, name):
        path = os.path.join(os.path.abspath(self.folder), name) if self.folder else shutil.which(name)
        if not path or not os.path.exists(path):
            raise ToolMissing(name)
        return path

    def run(self, name, *arguments, folder=None):
        done = subprocess.run([self.path(name), *arguments], cwd=folder, capture_output=True, timeout=1800)
        if done.returncode:
            last = (done.stdout + done.stderr).decode("utf-8", "replace").strip().splitlines()[-3:]
            raise Failure(f"{name} exits {done.returncode}: {' | '.join(last)}")
        return done.stdout.decode()

    def rewrite(self, source, output, *arguments):
        command = [self.absolve, "rewrite", "-q", source, "-o", output, "--warc-date", str(RUN_SECONDS), *arguments]
        done = subprocess.run(command, capture_output=True, timeout=1800)
        if done.returncode:
            raise Failure(f"absolve exits {done.returncode}: {done.stderr.decode('utf-8', 'replace').strip()[:500]}")

    def knows_resource(self):
        done = subprocess.run([self.absolve, "rewrite", "--help"], capture_output=True, timeout=60)
        return b"- resource" in done.stdout

    def index(self, archive, *arguments):
        rows = []
        for line in self.run("cdxj-indexer", *arguments, archive).splitlines():
            if not line.startswith("!"):
                key, timestamp, fields = line.split(" ", 2)
                rows.append({"key": key, "timestamp": timestamp, **json.loads(fields)})
        return rows


def all_of(problems, count, what):
    if problems:
        raise Failure(f"{len(problems)} of {count} {what}: " + "; ".join(problems[:3]))
    return f"{count} {what}"


def is_ours(record):
    return record.type == "conversion" and record.timestamp == RUN_TIMESTAMP


class Pair:
    """An archive and what absolve makes of it."""

    def __init__(self, source, output):
        self.source_data, self.output_data = read(source), read(output)
        self.source, self.output = records_of(self.source_data), records_of(self.output_data)
        self.path, self.output_path = source, output


# A: append

def check_append(report, tools, archive, folder):
    output = os.path.join(folder, "a-" + os.path.basename(archive))
    again = os.path.join(folder, "again-" + os.path.basename(archive))

    def starts_alike():
        if not read(output).startswith(read(archive)):
            raise Failure("another beginning")

    def adds_nothing():
        tools.rewrite(output, again)
        if read(again) != read(output):
            raise Failure(f"{len(read(again)) - len(read(output))} bytes more")

    report.check("A absolve rewrite (append)", tools.rewrite, archive, output)
    report.check("A output begins with the input", starts_alike)
    report.check("A warcio check", check_warcio, tools, archive, output)
    report.check("A a second run adds nothing", adds_nothing)
    report.check("A conversions name their record and have right digests", check_conversions, archive, output)


def check_warcio(tools, archive, output):
    """What is wrong with the input already is no fault of the output."""
    before, after = (warcio_problems(tools, path) for path in (archive, output))
    if after - before:
        raise Failure("; ".join(sorted(after - before)[:3]))
    return f"{len(before)} problems were there before" if before else ""


def warcio_problems(tools, path):
    done = subprocess.run([tools.path("warcio"), "check", "-v", path], capture_output=True, timeout=1800)
    problems, place = set(), ""
    for line in (done.stdout + done.stderr).decode("utf-8", "replace").splitlines():
        line = line.strip()
        if "WARC-Record-ID" in line:
            place = line.split("WARC-Record-ID", 1)[1]
        elif line != path and not line.startswith(("digest pass", "no digest", "digest present")):
            problems.add(f"{place} {line}")
    return problems


def check_conversions(archive, output):
    pair = Pair(archive, output)
    ids = {record.id: record for record in pair.source}
    new = pair.output[len(pair.source):]
    problems = [f"a new {record.type}" for record in new if record.type not in ("conversion", "warcinfo")]
    conversions = [record for record in new if record.type == "conversion"]
    for record in conversions:
        original = ids.get(record.field("WARC-Refers-To"))
        if original is None or original.field("WARC-Target-URI") != record.field("WARC-Target-URI"):
            problems.append(f"{record.id} refers to no record")
        if not is_ours(record):
            problems.append(f"{record.id} has the date {record.timestamp}")
        problems.extend(digest_problems(record))
        if original and record.block == content_of(original):
            problems.append(f"{record.id} changes nothing")
    return all_of(problems, len(conversions), "conversions")


def digest_problems(record):
    digests = [record.field("WARC-Block-Digest"), record.field("WARC-Payload-Digest")]
    return [f"{record.id} has the digest {digest}" for digest in digests if digest and digest != sha1(record.block)]


# B: pywb and an older index

class Pywb:
    """pywb on a free port over one archive."""

    def __init__(self, tools, archive, folder):
        self.folder = tempfile.mkdtemp(dir=folder)
        self.log = open(os.path.join(self.folder, "log"), "wb")
        tools.run("wb-manager", "init", COLLECTION, folder=self.folder)
        unpack = ["--unpack-wacz"] if archive.endswith(".wacz") else []
        tools.run("wb-manager", "add", *unpack, COLLECTION, os.path.abspath(archive), folder=self.folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [tools.path("wayback"), "-b", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=self.log, stderr=self.log)

    def __enter__(self):
        end = time.monotonic() + 90
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=2):
                    return self
            except OSError:
                time.sleep(0.3)
        self.__exit__()
        raise Failure("wayback does not start: " + read(self.log.name).decode("utf-8", "replace")[-500:])

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def get(self, timestamp, url):
        """The status and the content as the archive has them."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        target = urllib.parse.quote(url, safe="%/:=&?~+!$,;'@()*[]|")
        connection.request("GET", f"/{COLLECTION}/{timestamp}id_/{target}", headers={"Accept-Encoding": "gzip, deflate"})
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return str(response.status), without_coding(body, response.getheader("Content-Encoding", ""))


def address(record):
    """Records that differ in nothing else are one to a replay tool."""
    url = urllib.parse.unquote(record.url).lower().split("://", 1)[-1].removeprefix("www.").rstrip("/")
    place, _, query = url.partition("?")
    return record.timestamp, place.rstrip("/"), "&".join(sorted(query.split("&")))


def posted_ids(records):
    """Responses to something else than GET, which have a key of their own."""
    ids = set()
    for record in records:
        if record.type == "request" and not record.block.startswith(b"GET "):
            ids.update((record.id, record.field("WARC-Concurrent-To")))
    return {record.id for record in records if record.id in ids or record.field("WARC-Concurrent-To") in ids} | ids


def redirects_to_itself(record):
    heading, _ = split_heading(record.block)
    location = parse_heading(heading).get("location", "")
    target = record._replace(fields={**record.fields, "warc-target-uri": urllib.parse.urljoin(record.url, location)})
    return record.status.startswith("3") and (not location or address(target) == address(record))


def replay(pywb, records, every):
    """Ask for each of `records`; one that stands at the same address among `every` may come instead."""
    expected = collections.defaultdict(list)
    for record in every:
        expected[address(record)].append((record.status, content_of(record)))
    problems, others, left_out = [], 0, 0
    for record in records:
        if content_of(record) is None:
            left_out += 1
            continue
        answer = pywb.get(record.timestamp, record.url)
        if answer == (record.status, content_of(record)):
            continue
        if answer in expected[address(record)]:
            others += 1
            continue
        problems.append(f"{record.type} {record.timestamp} {record.url}: status {answer[0]} for {record.status}, "
                        f"{len(answer[1] or b'')} bytes for {len(content_of(record))}")
    note = all_of(problems, len(records) - left_out, "records asked for")
    note += f", {others} are another one of the same URL and second" if others else ""
    return note + (f", {left_out} of a content coding that cannot be compared" if left_out else "")


def replayable(records):
    posted = posted_ids(records)
    return [record for record in records if record.type in BOTH_WAYS and record.id not in posted
            and record.url.startswith("http") and not (record.is_http and redirects_to_itself(record))]


def indexed(records, source):
    """What pywb may answer with: metadata too, if its type is not warc-fields, but none that absolve adds."""
    ids = {record.id for record in source if record.type == "metadata"}
    return [record for record in records if record.type in BOTH_WAYS or record.id in ids]


def revisits(records):
    """Revisits whose original is in the archive, with the content of that."""
    contents = {}
    for record in records:
        if record.is_http and content_of(record) is not None:
            contents.setdefault(record.field("WARC-Payload-Digest"), (record.status, content_of(record)))
    found = [record for record in records if record.type == "revisit" and "identical" in record.field("WARC-Profile")]
    return [(record, contents[record.field("WARC-Payload-Digest")]) for record in found
            if record.field("WARC-Payload-Digest") in contents]


def check_revisits(pywb, expected):
    problems = []
    for record, content in expected:
        answer = pywb.get(record.timestamp, record.url)
        if answer != content:
            problems.append(f"{record.timestamp} {record.url}: status {answer[0]}")
    return all_of(problems, len(expected), "revisits")


def check_replays(report, tools, archive, folder):
    output = os.path.join(folder, "b-" + os.path.basename(archive))
    tools.rewrite(archive, output)
    report.check("B an index made before leads to the same records", check_old_index, tools, archive, output)
    pair = Pair(archive, output)
    try:
        tools.path("wayback")
        with Pywb(tools, output, folder) as pywb:
            ours = [record for record in pair.output[len(pair.source):] if record.type == "conversion"]
            report.check("B pywb replays the originals", replay, pywb, replayable(pair.source), indexed(pair.source, pair.source))
            report.check("B pywb replays the conversions", replay, pywb, ours, ours)
            report.check("B pywb replays revisits", check_revisits, pywb, revisits(pair.source))
    except ToolMissing as error:
        report.skip("B pywb", f"tool missing: {error}")


def check_old_index(tools, archive, output):
    data, old = read(output), read(archive)
    problems = []
    rows = tools.index(archive)
    for row in rows:
        place = int(row["offset"]), int(row["length"])
        record = record_at(data, *place)
        if record.without_place() != record_at(old, *place).without_place() or record.url != row["url"]:
            problems.append(f"{place} is {record.url}, not {row['url']}")
    return all_of(problems, len(rows), "rows")


# C: --warc resource

def rewritten(tools, archive, folder):
    """The URL and date of each record whose links change, as append has them."""
    output = os.path.join(folder, "append-" + os.path.basename(archive))
    tools.rewrite(archive, output)
    pair = Pair(archive, output)
    ids = {record.id: record for record in pair.source}
    conversions = [record for record in pair.output[len(pair.source):] if record.type == "conversion"]
    return [(ids[record.field("WARC-Refers-To")], record.block) for record in conversions]


def check_resource(report, tools, archive, folder):
    output = os.path.join(folder, "c-" + os.path.basename(archive))
    report.check("C absolve rewrite --warc resource", tools.rewrite, archive, output, "--warc", "resource")
    if not os.path.exists(output):
        return
    pair, changed = Pair(archive, output), rewritten(tools, archive, folder)
    report.check("C warcio check", check_warcio, tools, archive, output)
    report.check("C every record is accounted for", check_account, pair, changed)
    report.check("C cdxj-indexer lists what was changed", check_resource_index, tools, pair, changed)
    report.check("C cdxj-indexer -p has the same keys", check_same_keys, tools, pair)
    report.check("C a second run changes nothing", check_resource_again, tools, output, folder)
    try:
        tools.path("wayback")
        with Pywb(tools, output, folder) as pywb:
            report.check("C pywb replays all records", replay, pywb, replayable(pair.output), indexed(pair.output, pair.source))
            report.check("C pywb replays revisits, perhaps of what was changed", check_changed_revisits, pywb, pair, changed)
    except ToolMissing as error:
        report.skip("C pywb", f"tool missing: {error}")


def answers_to_posts(records):
    """The ids of the records that belong to a request other than GET."""
    ids = set()
    for record in records:
        if record.type == "request" and not record.block.startswith(b"GET "):
            ids.add(record.field("WARC-Concurrent-To"))
    return ids


def check_account(pair, changed):
    """Each record of the input is there as it was, or a resource of its URL and date with the block that append writes is.

    A revisit of a changed page may be a resource as well; the answer to a POST stays, since a resource has no request.
    """
    answers = answers_to_posts(pair.source)
    rest = collections.Counter(record.without_place() for record in pair.output)
    replaced = {original.id: block for original, block in changed}
    resources = collections.Counter((record.field("WARC-Target-URI"), record.field("WARC-Date"), record.block)
                                    for record in pair.output if record.type in ("resource", "conversion"))
    places = {(url, date) for url, date, _ in resources}
    problems = []
    for record in pair.source:
        if record.id in replaced and record.id not in answers:
            key = (record.field("WARC-Target-URI"), record.field("WARC-Date"), replaced[record.id])
            if not resources[key]:
                problems.append(f"no resource for {record.url}")
            resources[key] -= 1
            if rest[record.without_place()]:
                problems.append(f"the {record.type} of {record.url} is still there")
        elif rest[record.without_place()]:
            rest[record.without_place()] -= 1
        elif record.type == "revisit" and (record.field("WARC-Target-URI"), record.field("WARC-Date")) in places:
            continue
        else:
            problems.append(f"{record.type} {record.url} is gone or changed")
    source_ids = {record.id for record in pair.source}
    new = [record for record in pair.output if record.id not in source_ids]
    problems.extend(f"a new {record.type}" for record in new if record.type not in ("warcinfo", "metadata", "resource"))
    for record in new:
        problems.extend(digest_problems(record))
    kinds = collections.Counter(record.type for record in new)
    note = all_of(problems, len(pair.source), "records of the input")
    return f"{note}, {len(changed)} changed, new: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def check_resource_index(tools, pair, changed):
    rows = tools.index(pair.output_path)
    found = {(row["url"], row["timestamp"]): row for row in rows if row.get("mime") != "warc/revisit"}
    problems = []
    for original, _ in changed:
        row = found.get((original.url, original.timestamp))
        if row is None:
            problems.append(f"no row of {original.url}")
        elif "mime" not in row or row.get("status", "200") != "200":
            problems.append(f"{original.url} has {row}")
    for row in rows:
        record = record_at(pair.output_data, int(row["offset"]), int(row["length"]))
        if record.url != row["url"]:
            problems.append(f"{row['url']} leads to {record.url}")
    statuses = sum(1 for original, _ in changed if "status" in found.get((original.url, original.timestamp), ()))
    note = all_of(problems, len(changed), "changed URLs")
    kinds = collections.Counter(record.type for record in pair.output)
    return f"{note}, {statuses} with a status, {len(rows)} rows of {sum(kinds.values())} records"


def check_same_keys(tools, pair):
    """The answer to a POST has a key of its own, by the request beside it."""
    before, after = (collections.Counter((row["key"], row["timestamp"]) for row in tools.index(path, "-p"))
                     for path in (pair.path, pair.output_path))
    problems = [f"no row {' '.join(key)}" for key in before - after]
    problems += [f"one more row {' '.join(key)}" for key in after - before]
    return all_of(problems, sum(before.values()), "keys")


def check_resource_again(tools, output, folder):
    again = os.path.join(folder, "again-" + os.path.basename(output))
    tools.rewrite(output, again, "--warc", "resource")
    before, after = (records_of(read(path)) for path in (output, again))
    if [record.without_place() for record in before] != [record.without_place() for record in after]:
        raise Failure(f"{len(before)} records before, {len(after)} behind")
    return "" if read(output) == read(again) else "the records are the same, the bytes are not"


def check_changed_revisits(pywb, pair, changed):
    after = {original.field("WARC-Payload-Digest"): block for original, block in changed}
    resources = {(record.url, record.timestamp): record.block for record in pair.output if record.type == "resource"}
    wanted = []
    for record, (status, content) in revisits(pair.source):
        content = after.get(record.field("WARC-Payload-Digest"), content)
        wanted.append((record, (status, resources.get((record.url, record.timestamp), content))))
    return check_revisits(pywb, wanted)


# D: --warc resource of a WACZ

def check_wacz(report, tools, archive, folder):
    if archive.endswith(".wacz"):
        source = archive
    else:
        source = os.path.join(folder, "in.wacz")
        try:
            make_wacz(tools, archive, source, folder)
        except (Failure, ToolMissing) as error:
            report.skip("D", f"no WACZ could be made: {error}")
            return
    output = os.path.join(folder, "d-" + os.path.basename(source))
    report.check("D absolve rewrite --warc resource", tools.rewrite, source, output, "--warc", "resource")
    if not os.path.exists(output):
        return
    report.check("D wacz validate", check_valid, tools, source, output)
    before, after = ({name: zipped.read(name) for name in zipped.namelist()}
                     for zipped in (zipfile.ZipFile(source), zipfile.ZipFile(output)))
    report.check("D the members are there, archives and index stored", check_members, source, output)
    report.check("D pages are as they were", check_pages, before, after)
    report.check("D the index leads to the records", check_wacz_index, after)
    report.check("D blocks of the compressed index", check_blocks, after)
    report.check("D datapackage.json", check_datapackage, before, after)
    report.check("D datapackage-digest.json", check_digest, before, after)
    report.check("D records are those of --warc resource", check_wacz_records, tools, before, after, folder)
    report.check("D pywb replays it unpacked", check_wacz_replay, tools, output, before, after, folder)


def make_wacz(tools, archive, output, folder):
    pages = os.path.join(folder, "pages.jsonl")
    urls = [record for record in records_of(read(archive)) if record.is_http and record.status == "200"][:5]
    with open(pages, "w", encoding="utf-8") as file:
        file.write('{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}\n')
        for record in urls:
            file.write(json.dumps({"url": record.url, "ts": record.field("WARC-Date"), "title": record.url}) + "\n")
    tools.run("wacz", "create", "-o", output, "-p", pages, archive)


def check_valid(tools, source, output):
    try:
        tools.run("wacz", "validate", "-f", source)
    except Failure as error:
        return f"not checked, the input is not valid: {error}"
    tools.run("wacz", "validate", "-f", output)
    return ""


def is_archive(name):
    return name.startswith("archive/") and not name.endswith("/")


def check_members(source, output):
    before, after = zipfile.ZipFile(source), zipfile.ZipFile(output)
    problems = [f"{name} is missing" for name in before.namelist()
                if name not in after.namelist() and name != "datapackage-digest.json" and not name.startswith("indexes/")]
    for member in after.infolist():
        if member.compress_type != zipfile.ZIP_STORED and (is_archive(member.filename) or member.filename.endswith(".gz")):
            problems.append(f"{member.filename} is deflated")
    if len(set(after.namelist())) != len(after.namelist()):
        problems.append("a name stands there twice")
    return all_of(problems, len(after.namelist()), "members")


def check_pages(before, after):
    names = [name for name in before if name.startswith("pages/")]
    return all_of([name for name in names if before[name] != after.get(name)], len(names), "lists of pages")


def index_lines(wacz):
    for name, data in wacz.items():
        if name.startswith("indexes/") and not name.endswith(".idx"):
            text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
            yield from (line for line in text.decode().splitlines() if line and not line.startswith("!"))


def check_wacz_index(wacz):
    lines = list(index_lines(wacz))
    problems, reached = [], set()
    if lines != sorted(lines):
        problems.append("it is not sorted")
    for line in lines:
        _, timestamp, fields = line.split(" ", 2)
        row = json.loads(fields)
        archive, place = wacz["archive/" + row["filename"]], (int(row["offset"]), int(row["length"]))
        record = record_at(archive, *place)
        reached.add((row["filename"], record.offset if record.offset else place[0]))
        if (record.url, record.timestamp) != (row["url"], timestamp):
            problems.append(f"{row['url']} leads to {record.url}")
        if row.get("digest", "-").startswith("sha1:") and record.field("WARC-Payload-Digest") not in ("", row["digest"]):
            problems.append(f"{row['url']} has the digest {row['digest']}")
        if "recordDigest" in row and row["recordDigest"] != sha256(archive[place[0]:sum(place)]):
            problems.append(f"{row['url']} has another recordDigest")
        if record.is_http and row.get("status") != record.status:
            problems.append(f"{row['url']} has the status {row.get('status')}")
    wanted = sum(1 for name in wacz if is_archive(name) for record in records_of(wacz[name])
                 if record.type in ("response", "resource", "revisit"))
    if len(reached) < wanted:
        problems.append(f"{len(reached)} places for {wanted} records")
    return all_of(problems, len(lines), "rows")


def check_blocks(wacz):
    problems, count = [], 0
    for name in wacz:
        if not name.endswith(".idx"):
            continue
        first, *lines = wacz[name].decode().splitlines()
        data = wacz["indexes/" + json.loads(first.split(" ", 2)[2])["filename"]]
        end = 0
        for line in lines:
            count += 1
            key, fields = line[:line.index("{")].strip(), json.loads(line[line.index("{"):])
            piece = data[fields["offset"]:fields["offset"] + fields["length"]]
            if not gzip.decompress(piece).decode().startswith(key) or fields["offset"] != end:
                problems.append(f"{key} is not at {fields['offset']}")
            if fields.get("digest", sha256(piece)) != sha256(piece):
                problems.append(f"{key} has another digest")
            end = fields["offset"] + fields["length"]
        if end != len(data):
            problems.append(f"{len(data) - end} bytes behind the last block")
    return all_of(problems, count, "blocks")


def check_datapackage(before, after):
    old, new = (json.loads(wacz["datapackage.json"]) for wacz in (before, after))
    problems = []
    listed = {resource["path"]: resource for resource in new["resources"]}
    for name, data in after.items():
        if name.startswith("datapackage") or name.endswith("/"):
            continue
        resource = listed.pop(name, {})
        # Version 1.0.0 has them in `stats`.
        stats = resource.get("stats", resource)
        kind, _, digest = f"{resource.get('hashing', '')}:{stats.get('hash', '')}".strip(":").partition(":")
        if not digest or hashlib.new(kind, data).hexdigest() != digest or stats.get("bytes") != len(data):
            problems.append(f"{name} is {resource}")
    problems.extend(f"{name} is listed and not there" for name in listed)
    kept = ("profile", "title", "description", "mainPageURL", "mainPageUrl", "mainPageDate")
    problems.extend(f"{name} was {old.get(name)}" for name in kept if old.get(name) != new.get(name))
    return all_of(problems, len(new["resources"]), "resources")


def check_digest(before, after):
    if "datapackage-digest.json" not in after:
        return "there is none"
    digest = json.loads(after["datapackage-digest.json"])
    if digest["hash"] != sha256(after["datapackage.json"]):
        raise Failure("it is of another datapackage.json")
    if "signedData" not in digest:
        return "without signature"
    if before["datapackage.json"] != after["datapackage.json"]:
        raise Failure("its signature is of another datapackage.json")
    return "nothing has changed, the signature neither"


def check_wacz_records(tools, before, after, folder):
    problems, count = [], 0
    for name in filter(is_archive, before):
        alone, output = (os.path.join(folder, place, os.path.basename(name)) for place in ("alone", "alone-out"))
        for path in (alone, output):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(alone, "wb") as file:
            file.write(before[name])
        tools.rewrite(alone, output, "--warc", "resource")
        wanted, found = (collections.Counter((record.type, record.url, record.timestamp, record.block)
                                             for record in records_of(data) if record.type != "warcinfo")
                         for data in (read(output), after[name]))
        count += sum(wanted.values())
        problems.extend(f"{name}: {kind} {url}" for kind, url, *_ in (wanted - found) + (found - wanted))
    if problems and before == after:
        raise Failure("the output is a copy of the input")
    return all_of(problems, count, "records")


def check_wacz_replay(tools, output, before, after, folder):
    tools.path("wayback")
    source, every = ([record for name in wacz if is_archive(name) for record in records_of(wacz[name])]
                     for wacz in (before, after))
    with Pywb(tools, output, folder) as pywb:
        return replay(pywb, replayable(every), indexed(every, source))


# Run

CHECKS = {"A": check_append, "B": check_replays, "C": check_resource, "D": check_wacz}


def check_archive(report, tools, archive, parts, folder):
    print(f"# {archive}", flush=True)
    for part in parts:
        if part in "CD" and not tools.knows_resource():
            report.skip(part, "absolve does not know --warc resource")
        elif archive.endswith((".arc", ".arc.gz")) or part != "D" and archive.endswith(".wacz"):
            report.skip(part, "no WARC")
        else:
            inner = tempfile.mkdtemp(dir=folder)
            try:
                CHECKS[part](report, tools, archive, inner)
            except (Failure, ToolMissing, OSError) as error:
                report.has_failed = True
                print(f"FAILED   {part}: {error}", flush=True)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="*", metavar="ARCHIVE")
    parser.add_argument("--absolve", default=os.path.join(here, "..", "target", "release", "absolve"), metavar="FILE")
    parser.add_argument("--tools", metavar="FOLDER", help="where the tools are, if not on PATH")
    parser.add_argument("--only", default="A,B,C,D", metavar="PARTS")
    parser.add_argument("--keep", metavar="FOLDER", help="write there, and leave it")
    arguments = parser.parse_args()
    report, tools = Report(), Tools(arguments.absolve, arguments.tools)
    parts = arguments.only.upper().split(",")
    if not set(parts) <= set(CHECKS):
        parser.error("--only takes some of " + ",".join(CHECKS))
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(arguments.keep) if arguments.keep else temporary
        os.makedirs(folder, exist_ok=True)
        archives = arguments.archives
        if not archives:
            archives = [os.path.join(folder, "sample.warc.gz")]
            make_sample(archives[0])
        for archive in archives:
            check_archive(report, tools, archive, parts, folder)
    return 1 if report.has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
