#!/usr/bin/env python3
"""Check that absolve gets right what programs in between wrote: browsers that save pages, mirrors, mailboxes and recorders.

    check_tools.py [--absolve FILE] [--modules FOLDER] [--python FILE] [--keep FOLDER] [TOOL ...]

A small site is served on this machine. Each program saves a page of it, or writes a mailbox or an archive of ours, in its own form; then
absolve is run on that as a user would type it first. Each link has an id, and what it meant on the site says whether it is right:

  right   absolute, and means what it meant
  copy    it leads to a copy beside the page
  tool    the program made it absolute wrongly, and absolve left it
  gone    the program took it away, or embedded what it led to
  told    nothing in the file says what it meant, and absolve said that it is in doubt
  left    relative still, and absolve said so
  WRONG   absolute and something else; or relative, with no word about it

`absolve verify` has to agree with each rewritten file. What is not installed is named and skipped: Firefox, Chromium, WebKitGTK
(gir1.2-webkit2-4.1, xvfb), Thunderbird, lynx, wget, wget2, mailutils, nmh, uw-mailutils (Debian packages), single-file-cli in the folder `--modules`
(npm), warcio, requests, pywb, warc2zim and PyQt6-WebEngine for the
Python `--python` (PyPI). The exit status is 1 if something is WRONG, and 77
if no program is installed.
"""

import argparse
import collections
import email
import email.policy
import http.server
import mailbox
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin

from programs.pictures import one_colour
from programs.savers import Absent, by_firefox, by_qt, by_single_file, by_webkit, has_module, program, run
from programs.thunderbird import Thunderbird, end, free_port

HERE = pathlib.Path(__file__).resolve().parent.parent
VERDICTS = ["right", "copy", "tool", "gone", "told", "left", "WRONG"]

LINKS = """<a id=link href="a.html">a</a> <a id=query href="?q=1">q</a> <a id=rooted href="/r.html">r</a>
<img id=image src="i.png"> <img id=set src="i.png" srcset="i2.png 1x">
<form id=form action="send"><button id=button formaction="other">b</button></form>
<blockquote id=quote cite="c.html">q</blockquote> <video id=video poster="p.png"></video>
<p id=styled style="background: url(bg.png)">p</p>
<svg><a id=drawn href="v.html"><text y=9>v</text></a></svg>"""
ATTRIBUTES = {"link": "href", "query": "href", "rooted": "href", "image": "src", "set": "srcset", "form": "action", "button": "formaction",
              "quote": "cite", "video": "poster", "styled": "style", "drawn": "href", "sheet": "href"}
RAW = {"link": "a.html", "query": "?q=1", "rooted": "/r.html", "image": "i.png", "set": "i2.png", "form": "send", "button": "other",
       "quote": "c.html", "video": "p.png", "styled": "bg.png", "drawn": "v.html", "sheet": "s.css"}
HEAD = "<!DOCTYPE html><html><head><meta charset=utf-8><title>t</title>{base}<link id=sheet rel=stylesheet href=s.css></head><body>\n"
FRAME = "&lt;a id=link href=a.html&gt;a&lt;/a&gt;&lt;img id=set src=i.png srcset=&quot;i2.png 1x&quot;&gt;"
PAGES = {
    "/docs/page.html": HEAD.format(base='<base href="/other/dir/">') + LINKS,
    "/docs/plain.html": HEAD.format(base="") + LINKS,
    "/docs/target.html": HEAD.format(base="<base target=_top>") + LINKS,
    "/docs/below.html": HEAD.format(base='<base href="d/">') + LINKS,
    "/docs/framed.html": f'<!DOCTYPE html><title>t</title><iframe srcdoc="{FRAME}"></iframe>',
    "/docs/import.html": "<!DOCTYPE html><title>t</title><link rel=stylesheet href=css/s.css><p>t",
    "/docs/css/s.css": '@import "more/m.css";',
    "/docs/css/more/m.css": "body { background: url(../i.png) }",
    "/start": "/docs/page.html",
}
BASES = {"page": "/other/dir/", "plain": "/docs/plain.html", "target": "/docs/target.html", "below": "/docs/d/", "framed": "/docs/framed.html"}


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers every request: by a page of ours, else by what the extension says."""

    def do_GET(self):
        path = self.path.partition("?")[0]
        content = PAGES.get(path)
        if content and content[0] == "/":
            self.send_response(302)
            self.send_header("Location", content)
            self.end_headers()
            return
        extension = os.path.splitext(path)[1]
        kind = {".png": "image/png", ".css": "text/css"}.get(extension, "text/html")
        body = one_colour(4, (9, 99, 199)) if extension == ".png" else (content or ("p { color: red }" if extension == ".css" else "<title>o</title>")).encode()
        self.answer(kind, body)

    def do_POST(self):
        # What comes before is the doing of http.server: `Expect: 100-continue` is answered by 100 Continue.
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer("text/html", PAGES["/docs/plain.html"].encode())

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Hundred(Handler):
    protocol_version = "HTTP/1.1"


class Links(HTMLParser):
    """The links of a document by the ids of their elements, and its BASE."""

    def __init__(self, text):
        super().__init__()
        self.found, self.base = {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "base" and attributes.get("href") and self.base is None:
            self.base = attributes["href"]
        name = ATTRIBUTES.get(attributes.get("id"))
        if name and attributes.get(name) is not None:
            self.found.setdefault(attributes["id"], self.reference(name, attributes[name]))

    @staticmethod
    def reference(name, value):
        if name == "style":
            urls = re.findall(r"url\(\s*[\"']?(.*?)[\"']?\s*\)", value)
            return urls[0] if urls else ""
        return value.split()[0] if name == "srcset" and value.split() else value


class Case:
    """What one program wrote, and how absolve is run on it."""

    def __init__(self, name, path, meanings, *arguments, texts=None, folder=None, lost=(), advice="", says_all=False):
        self.name, self.path, self.meanings, self.arguments = name, path, meanings, [str(word) for word in arguments]
        # The ids of links of which the program kept nothing that says what they mean.
        self.lost = lost
        # What absolve has to name if it reads no links.
        self.advice = advice
        # Whether the file says what all of its links mean, so that none may be left.
        self.says_all = says_all
        # Returns the HTML of a path; by default that is the file.
        self.texts = texts or (lambda file: [file.read_text("utf-8", "replace")])
        # What absolve reads, where that is not the file alone.
        self.folder = folder


def meanings(origin, page, *left_out):
    base = urljoin(origin, BASES[page])
    return {name: urljoin(base, raw) for name, raw in RAW.items() if name not in left_out}


def is_same(one, other):
    return unquote(one) == unquote(other)


def verdict(value, wrote, meaning, base, near, is_told):
    if not value or value.startswith(("data:", "blob:", "cid:")):
        return "gone" if not wrote or value else "left" if is_told else "WRONG"
    if re.match(r"[a-z][a-z0-9+.-]*:", value):
        if meaning and is_same(value, meaning):
            return "right"
        return "tool" if value == wrote else "WRONG"
    if base and re.match(r"https?:", base):
        return "right" if meaning and is_same(urljoin(base, value), meaning) else "left" if is_told else "WRONG"
    if near and (near / unquote(value.partition("?")[0].partition("#")[0])).is_file():
        return "copy"
    return "right" if not meaning else "left" if is_told else "WRONG"


def check(options, case, folder):
    """Runs absolve, prints what is wrong, and returns the verdicts."""
    source = case.folder or case.path
    output = folder / "absolute" / source.name
    output.parent.mkdir(parents=True, exist_ok=True)
    done = run([options.absolve, "rewrite", source, "-o", output, "--verbose", *case.arguments], folder)
    told = [line for line in done.stderr.splitlines() if re.match(r"absolve: |(.*: )?[a-z]+(-[a-z0-9]+)+: ", line)]
    counts = collections.Counter()
    result = output / case.path.relative_to(source) if case.folder else output
    if not result.is_file():
        counts["left" if done.returncode and told else "WRONG"] += len(case.meanings)
        return counts, [f"not rewritten: {(done.stderr.strip().splitlines() or ['no message'])[-1]}"]
    lines = []
    if not case.meanings:
        counts["told" if told else "WRONG"] += 1
        lines.append("" if told else "WRONG  not a word about links that are not read")
    before, after = ([Links(text) for text in case.texts(path)] for path in (case.path, result))
    wrote, found = ({key: value for links in several for key, value in links.found.items()} for several in (before, after))
    bases = {key: links.base for links in after for key in links.found}
    for name, meaning in case.meanings.items():
        kind = verdict(found.get(name), wrote.get(name), meaning, bases.get(name), case.path.parent, bool(told))
        if kind == "WRONG" and name in case.lost and told:
            kind = "told"
        if kind == "left" and case.says_all:
            kind = "WRONG"
        counts[kind] += 1
        if kind in ("WRONG", "left", "told"):
            lines.append(f"{kind}  {name}: {wrote.get(name)!r} -> {found.get(name)!r}, meant {meaning!r}")
    if counts["left"] and case.advice not in done.stderr:
        counts["WRONG"] += 1
        lines.append(f"WRONG  no advice that names {case.advice}")
    if not done.returncode and run([options.absolve, "verify", source, output, *case.arguments], folder).returncode:
        counts["WRONG"] += 1
        lines.append("WRONG  absolve verify does not agree")
    return counts, lines + [f"said   {line}"[:200] for line in told[:4]]


# ---- programs that save pages ----------------------------------------------------------------------------------------


# What SingleFile leaves relative to a BASE that it removes.
BASELESS = ("form", "button", "quote")


def saved_pages(name, save, origin, folder, lost=()):
    """Yields a page saved by a program, as it is, and with its URL, which absolve advises if it knows none."""
    for page in ("page", "plain", "target"):
        path = folder / f"{page}.html"
        save(f"{origin}/docs/{page}.html", path)
        yield Case(f"{name}, {page}", path, meanings(origin, page), lost=lost)
        yield Case(f"{name}, {page}, --url", path, meanings(origin, page), "--url", f"{origin}/docs/{page}.html", lost=lost)


def saved_frame(name, save, origin, folder):
    """Yields the page of a srcdoc frame, which a program saves as a file among the copies."""
    path = folder / "frame/framed.html"
    path.parent.mkdir()
    save(f"{origin}/docs/framed.html", path)
    for frame in path.with_name("framed_files").glob("*.htm*"):
        expected = {key: value for key, value in meanings(origin, "framed").items() if key in ("link", "set")}
        yield Case(f"{name}, srcdoc frame", frame, expected, folder=path.parent)
        yield Case(f"{name}, srcdoc frame, --url", frame, expected, "--url", f"{origin}/docs/", folder=path.parent)


def firefox(options, origin, folder):
    def save(url, path):
        while True:
            by_firefox(url, path)
            copies = path.with_name(f"{path.stem}_files")
            # Four characters of chance end the names. Where all are small letters, they are no sign of a copy.
            if not all(re.search(r"_[a-z]{4}\.", copy.name) for copy in copies.iterdir() if copy.is_file()):
                return
            shutil.rmtree(copies)
            path.unlink()

    yield from saved_pages("Firefox complete", save, origin, folder)
    yield from saved_frame("Firefox complete", save, origin, folder)


def qt(options, origin, folder):
    def save(url, path):
        return by_qt(options.python, url, path, "named")

    yield from saved_pages("QtWebEngine complete", save, origin, folder)
    yield from saved_frame("QtWebEngine complete", save, origin, folder)


def qt_private(options, origin, folder):
    def save(url, path):
        return by_qt(options.python, url, path)

    yield from saved_pages("QtWebEngine off the record", save, origin, folder)
    yield from saved_frame("QtWebEngine off the record", save, origin, folder)


def single_file(options, origin, folder):
    yield from saved_pages("SingleFile", lambda url, path: by_single_file(options.modules, url, path), origin, folder, BASELESS)
    url = f"{origin}/start"
    path = by_single_file(options.modules, url, folder / "redirected.html")
    yield Case("SingleFile, redirected", path, meanings(origin, "page"), lost=BASELESS)


def single_file_zip(options, origin, folder):
    for page in ("page", "plain"):
        packed = by_single_file(options.modules, f"{origin}/docs/{page}.html", folder / f"{page}.zip",
                                "--compress-content=true", "--self-extracting-archive=false")
        yield Case(f"SingleFile ZIP, {page}, packed", packed, meanings(origin, page), lost=BASELESS,
                   texts=lambda path: [zipfile.ZipFile(path).read("index.html").decode()])
        unpacked = folder / page
        zipfile.ZipFile(packed).extractall(unpacked)
        yield Case(f"SingleFile ZIP, {page}", unpacked / "index.html", meanings(origin, page), folder=unpacked, lost=BASELESS)
        yield Case(f"SingleFile ZIP, {page}, --url", unpacked / "index.html", meanings(origin, page), "--url", f"{origin}/docs/", folder=unpacked,
                   lost=BASELESS)
    path = by_single_file(options.modules, f"{origin}/docs/plain.html", folder / "extracts.html", "--compress-content=true")
    yield Case("SingleFile self-extracting, plain", path, {})


def parts(path):
    """The pages of an MHTML."""
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.compat32)
    return [part.get_payload(decode=True).decode("utf-8", "replace") for part in message.walk() if part.get_content_type() == "text/html"]


def sheets(path):
    """The sheets of an MHTML, each as a document whose only link is the first in it."""
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.compat32)
    texts = [part.get_payload(decode=True).decode("utf-8", "replace") for part in message.walk() if part.get_content_type() == "text/css"]
    return [f"<p id=styled style='{text}'>" for text in texts if "url(" in text and "@import" not in text]


def webkit(options, origin, folder):
    for page in ("page", "plain", "below", "framed"):
        path = by_webkit(f"{origin}/docs/{page}.html", folder / f"{page}.mhtml")
        expected = meanings(origin, page)
        if page == "framed":
            expected = {name: expected[name] for name in ("link", "set")}
        # It names a relative BASE twice, so that only what is stored as a part shows where the rest was.
        yield Case(f"WebKitGTK MHTML, {page}", path, expected, texts=parts, lost=("set", "styled") if page == "below" else ())
    path = by_webkit(f"{origin}/docs/import.html", folder / "import.mhtml")
    yield Case("WebKitGTK MHTML, imported sheet", path, {"styled": f"{origin}/docs/css/i.png"}, texts=sheets, lost=("styled",))


def lynx(options, origin, folder):
    command = program("lynx")
    for start, page in (("start", "page"), ("docs/plain.html", "plain")):
        path = folder / f"{page}.html"
        path.write_text(run([command, "-source", "-base", f"{origin}/{start}"], folder).stdout)
        yield Case(f"lynx -source -base, {page}", path, meanings(origin, page), says_all=True)


def wget(options, origin, folder):
    command = program("wget")
    for page, lost in (("page", ("set", "button", "quote", "drawn")), ("plain", ())):
        copy = folder / page
        run([command, "--no-config", "--no-proxy", "-q", "-e", "robots=off", "-p", "-k", "-nH", "-P", copy, f"{origin}/docs/{page}.html"], folder)
        yield Case(f"wget -p -k, {page}, --url", copy / f"docs/{page}.html", meanings(origin, page), "--url", f"{origin}/", folder=copy, lost=lost)


def wget2(options, origin, folder):
    command = program("wget2")
    for page in ("page", "plain"):
        mirror = folder / page
        run([command, "--no-config", "--no-proxy", "-q", "-r", "-l", "1", "-k", "-p", "-P", mirror, f"{origin}/docs/{page}.html"], folder)
        host = next(mirror.iterdir())
        yield Case(f"wget2 -k, {page}, --url", host / f"docs/{page}.html", meanings(origin, page), "--url", f"{origin}/", folder=host)


# ---- programs of mail ------------------------------------------------------------------------------------------------

MESSAGES = {"one": "http://one.example/", "two": "http://two.example/", "three": None}
IDS = dict(zip(MESSAGES, ("link", "image", "quote")))


def message(name, base):
    key = IDS[name]
    body = {"link": "<a id=link href=a.html>a</a>\r\n.hidden", "image": "<img id=image src=i.png>", "quote": "<q id=quote cite=c.html>q</q>"}[key]
    location = f"Content-Base: {base}\r\n" if base else ""
    return (f"From: {name}@example.org\r\nSubject: {name}\r\nDate: Mon, 2 Mar 2026 10:00:00 +0000\r\nMessage-ID: <{name}@example.org>\r\n"
            f"MIME-Version: 1.0\r\nContent-Type: text/html\r\n{location}\r\n<html>{body}</html>\r\n").replace("\r\n", "\n")


def mail_meanings():
    return {IDS[name]: urljoin(base, RAW[IDS[name]]) if base else None for name, base in MESSAGES.items()}


def separated(separator):
    return "".join(f"{separator}\n{message(name, base)}\n" for name, base in MESSAGES.items())


def messages(path):
    """The bodies of a mailbox, as Python's mailbox reads it."""
    return [item.get_payload() for item in mailbox.mbox(path)]


def bare_separators(options, origin, folder):
    for name, separator in (("From - alone", "From - "), ("From alone", "From "), ("From - and a date", "From - Mon Mar  2 10:00:00 2026")):
        path = folder / f"{name}.mbox"
        path.write_text(separated(separator))
        if len(mailbox.mbox(path)) != len(MESSAGES):
            raise Absent(f"Python reads no mailbox with {separator!r}")
        yield Case(f"separator {name}", path, mail_meanings(), texts=messages, says_all=True)


def thunderbird(options, origin, folder):
    if Thunderbird.absent():
        raise Absent(f"{' and '.join(Thunderbird.absent())} is not installed")
    program_of_mail = Thunderbird(folder)

    def read(path):
        # A name for each, as a folder keeps what it has read.
        return program_of_mail.messages(f"{path.parent.name} {path.name}", path)

    try:
        files = []
        for name, base in MESSAGES.items():
            files.append(folder / f"{name}.eml")
            files[-1].write_text(message(name, base))
        stored = folder / "stored"
        shutil.copy(program_of_mail.store("stored", files), stored)
        yield Case("Thunderbird, messages stored", stored, mail_meanings(), texts=read, says_all=True)
        for name in ("From ", "From - "):
            path = folder / name.strip().replace(" ", "")
            path.write_text(separated(name))
            yield Case(f"Thunderbird reads {name.strip()!r} alone", path, mail_meanings(), texts=read, says_all=True)
    finally:
        program_of_mail.close()


def in_mbox(folder):
    path = folder / "in.mbox"
    path.write_text(separated("From someone@example.org Mon Mar  2 10:00:00 2026"))
    return path


def dotmail(options, origin, folder):
    path = folder / "dotmail"
    run([program("movemail", "movemail.mailutils"), "--preserve", f"mbox:{in_mbox(folder)}", f"dotmail:{path}"], folder)
    yield Case("mailutils dotmail", path, mail_meanings())
    yield Case("mailutils dotmail, --type mbox", path, mail_meanings(), "--type", "mbox")


def uw_formats(options, origin, folder):
    command, home = program("mailutil"), pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
    # mailutil does nothing for root.
    user = {"user": 65534} if os.geteuid() == 0 else {}
    try:
        home.chmod(0o777)
        (in_mbox(home)).chmod(0o666)
        for kind in ("mbx", "mtx", "tenex", "mix"):
            subprocess.run([command, "copy", "in.mbox", f"#driver.{kind}/box.{kind}"], cwd=home, env={**os.environ, "HOME": str(home)},
                           capture_output=True, check=False, **user)
            path = home / f"box.{kind}"
            if path.is_dir():
                path = max(path.iterdir(), key=lambda file: file.stat().st_size)
            if not path.is_file():
                raise Absent(f"mailutil has written no {kind}")
            (folder / f"box.{kind}").write_bytes(path.read_bytes())
            yield Case(f"UW {kind}", folder / f"box.{kind}", mail_meanings(), advice="mailutil")
    finally:
        shutil.rmtree(home)


def nmh(options, origin, folder):
    store = program("rcvstore", "/usr/lib/mh/rcvstore")
    (folder / ".mh_profile").write_text(f"Path: {folder}/Mail\n")
    (folder / "Mail").mkdir()
    for name, base in MESSAGES.items():
        run([store, "+inbox", "-create"], folder, message(name, base), MH=str(folder / ".mh_profile"))
    mail = folder / "Mail"
    run([program("rmm", "/usr/bin/mh/rmm"), "+inbox", "3"], folder, MH=str(folder / ".mh_profile"))
    for number, name in (("1", "one"), ("2", "two"), (",3", "three")):
        path = mail / "inbox" / number
        if not path.is_file():
            raise Absent(f"rcvstore and rmm have written no {number}")
        expected = {IDS[name]: mail_meanings()[IDS[name]]}
        yield Case(f"nmh inbox/{number}", path, expected, folder=mail, says_all=True)
        yield Case(f"nmh inbox/{number}, --url", path, expected, "--url", f"{origin}/", folder=mail, says_all=True)


# ---- web archives ----------------------------------------------------------------------------------------------------

CAPTURE = """
import sys
from warcio.capture_http import capture_http
import requests
session = requests.Session()
session.trust_env = False
with capture_http(sys.argv[1]):
    for url in sys.argv[2].split():
        session.post(url, data="q=1", headers={"Expect": "100-continue"}, timeout=20)
    for url in sys.argv[3:]:
        session.get(url, timeout=20)
"""
READ = """
import sys
from warcio.archiveiterator import ArchiveIterator
for record in ArchiveIterator(open(sys.argv[1], "rb")):
    if record.rec_type == sys.argv[2] and record.rec_headers.get_header("WARC-Target-URI") == sys.argv[3]:
        sys.stdout.buffer.write(record.content_stream().read())
"""


def warcio(options, origin, folder):
    python = has_module(has_module(options.python, "warcio.capture_http"), "requests")
    path, posted, got = folder / "capture.warc.gz", f"{origin}/docs/plain.html", f"{origin}/docs/page.html"
    run([python, "-c", CAPTURE, path, posted, got], folder)
    for name, url in (("plain", posted), ("page", got)):
        def texts(file, url=url):
            kinds = ("response",) if file == path else ("conversion", "resource")
            return [run([python, "-c", READ, file, kind, url], folder).stdout for kind in kinds]
        yield Case(f"warcio capture_http, {'POST behind 100 Continue' if url == posted else 'GET'}", path, meanings(origin, name), texts=texts,
                   says_all=True)


def captured(python, folder, *urls):
    """An archive of pages, by warcio."""
    python = has_module(has_module(python, "warcio.capture_http"), "requests")
    path = folder / "archive.warc.gz"
    run([python, "-c", CAPTURE, path, "", *urls], folder)
    return path


def pywb(options, origin, folder):
    programs = pathlib.Path(has_module(options.python, "pywb")).parent
    archive = captured(options.python, folder, f"{origin}/docs/page.html", f"{origin}/docs/plain.html")
    run([programs / "wb-manager", "init", "c"], folder)
    run([programs / "wb-manager", "add", "c", archive], folder)
    port = free_port()
    with subprocess.Popen([programs / "wayback", "-b", "127.0.0.1", "-p", str(port)], cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            for page in ("page", "plain"):
                path = folder / f"{page}.html"
                path.write_bytes(answer(f"http://127.0.0.1:{port}/c/2026mp_/{origin}/docs/{page}.html"))
                yield Case(f"pywb, {page}, --unwrap-wayback", path, meanings(origin, page), "--unwrap-wayback", says_all=True)
        finally:
            end([process])


def answer(url):
    """The body of an answer, as soon as there is a server."""
    limit = time.monotonic() + 90
    while True:
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=30) as response:
                return response.read()
        except urllib.error.HTTPError as error:
            raise Absent(f"the server of the archive answers {error.code}") from None
        except OSError:
            if time.monotonic() > limit:
                raise Absent("the server of the archive does not answer") from None
            time.sleep(0.3)


ZIM = """
import sys
from pathlib import Path
from libzim.reader import Archive
sys.stdout.buffer.write(bytes(Archive(Path(sys.argv[1])).get_entry_by_path(sys.argv[2]).get_item().content))
"""


def zim(options, origin, folder):
    programs = pathlib.Path(has_module(has_module(options.python, "warc2zim"), "libzim.reader")).parent
    pages = [f"{origin}/docs/{page}.html" for page in ("page", "plain")]
    archive = captured(options.python, folder, *pages)
    done = run([programs / "warc2zim", archive, "--name", "t_en", "--url", pages[0], "--output", folder, "--zim-file", "t.zim", "--title", "T",
                "--description", "D", "--lang", "eng"], folder)
    if not (folder / "t.zim").is_file():
        raise Absent(f"warc2zim has written nothing: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    for page, url in zip(("page", "plain"), pages):
        path = folder / f"{page}.html"
        path.write_text(run([options.python, "-c", ZIM, folder / "t.zim", re.sub(r":\d+", "", url.removeprefix("http://"))], folder).stdout)
        yield Case(f"warc2zim, {page}", path, meanings(origin, page), lost=("form", "button", "quote", "video", "styled", "drawn", "set"))


TOOLS = {"firefox": firefox, "qt": qt, "qt-private": qt_private, "webkit": webkit, "singlefile": single_file,
         "singlefile-zip": single_file_zip, "lynx": lynx, "wget": wget, "wget2": wget2, "from": bare_separators,
         "thunderbird": thunderbird, "dotmail": dotmail, "uw": uw_formats, "nmh": nmh, "warcio": warcio,
         "pywb": pywb, "zim": zim}


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hundred)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--absolve", default=str(HERE / "target/release/absolve"))
    parser.add_argument("--modules", default=".", help="the folder in which npm has installed single-file-cli")
    parser.add_argument("--python", default=sys.executable, help="a Python with warcio, requests, pywb, warc2zim and PyQt6-WebEngine")
    parser.add_argument("--keep", type=pathlib.Path, help="keep what the programs wrote in this new folder")
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=", ".join(TOOLS))
    options = parser.parse_args()
    options.absolve, options.modules = (os.path.abspath(path) for path in (options.absolve, options.modules))
    origin, rows = serve(), []
    with tempfile.TemporaryDirectory() as temporary:
        for tool in options.tools or TOOLS:
            folder = (options.keep or pathlib.Path(temporary)).resolve() / tool
            folder.mkdir(parents=True)
            try:
                for number, case in enumerate(TOOLS[tool](options, origin, folder)):
                    own = folder / f"case-{number}"
                    own.mkdir()
                    counts, lines = check(options, case, own)
                    rows.append((case.name, counts))
                    print("\n".join([f"== {case.name}", *(f"  {line}" for line in lines)]), flush=True)
            except (Absent, RuntimeError, subprocess.TimeoutExpired) as why:
                print(f"skipped: {tool}: {why}", flush=True)
    print("\n" + f"{'':45}" + "".join(f"{name:>7}" for name in VERDICTS))
    for name, counts in rows:
        print(f"{name:45}" + "".join(f"{counts[verdict]:7}" for verdict in VERDICTS))
    if not rows:
        return 77
    return 1 if any(counts["WRONG"] for _, counts in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
