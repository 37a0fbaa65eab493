#!/usr/bin/env python3
"""Check that readers of MHTML get every image out of packed pages.

    check_mhtml_readers.py [--absolve FILE] [--python FILE] [--modules FOLDER] [--keep FOLDER] [ROOT//PAGE ...]

Each page is packed as .mhtml under a URL so long that header fields are tempted to fold. Each reader takes the message apart, and every
image of the message must be in what it gives, byte for byte: as a file, or in a data: URL. Readers that make one page may look for images
in fewer places than browsers do, and how many they show is given too.

The readers are unmhtml (PyPI; --python is a Python that has it), mhtml2html, mhtml-to-html and fast-mhtml (npm;
`npm install --prefix FOLDER mhtml2html mhtml-to-html fast-mhtml`, and --modules FOLDER) and ripmime (Debian package). One that is absent is
skipped. ROOT is the folder of the page, up to the first `//` in the argument; without pages, some of the fixtures are taken, and of
../shared/corpora if that is there.

The table has a row for each page and a column for each reader; what is lost follows. The exit status is 0 if nothing is, 1 if an image is
lost, and 77 if no reader is there.
"""

import argparse
import base64
import email
import email.policy
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent.parent
CORPORA = HERE.parent / "shared/corpora"
POSTGRESQL = CORPORA / "html-postgresql-doc/html"
URL = "https://nowhere.invalid/a-folder/with-a-long-name/so-that/the-url-of-a-file/takes-more/than-one-line/"
PAGES = [
    (HERE / "fixtures/pack", "pages/lamp.html"),
    (HERE / "fixtures/site", "index.html"),
    (HERE / "fixtures/mail-programs", "features.html"),
    *((HERE / "fixtures/mirrors/wget/mirror/127.0.0.1:8765", page)
      for page in ("index.html", "media.html", "map.html", "based.html", "based2.html", "dir.html")),
    (POSTGRESQL, "gin-implementation.html"),
    (POSTGRESQL, "geqo-intro2.html"),
    (POSTGRESQL, "storage-page-layout.html"),
]

# Each writes what it has read into a folder; those that make one page write that as page.html.
UNMHTML = """
import pathlib, sys, unmhtml
folder = pathlib.Path(sys.argv[2])
document = unmhtml.load_mhtml(open(sys.argv[1], "rb").read())
for number, resource in enumerate(document.resources.values()):
    (folder / str(number)).write_bytes(resource.data)
(folder / "page.html").write_text(unmhtml.to_standalone_html(document))
"""
FAST_MHTML = """
const fs = require("fs"), path = require("path");
const { Parser } = require(path.join(process.argv[1], "fast-mhtml"));
const parts = new Parser({}).parse(fs.readFileSync(process.argv[2])).spit();
parts.forEach((part, number) => fs.writeFileSync(path.join(process.argv[3], String(number)), part.content));
"""
MHTML2HTML = """
const fs = require("fs"), path = require("path");
const mhtml2html = require(path.join(process.argv[1], "mhtml2html"));
const { JSDOM } = require(path.join(process.argv[1], "jsdom"));
const message = fs.readFileSync(process.argv[2], "latin1");
Object.values(mhtml2html.parse(message).media).forEach((part, number) =>
    fs.writeFileSync(path.join(process.argv[3], String(number)), Buffer.from(part.data, part.encoding === "base64" ? "base64" : "utf8")));
const page = mhtml2html.convert(message, { parseDOM: (html) => new JSDOM(html) });
fs.writeFileSync(path.join(process.argv[3], "page.html"), page.serialize());
"""


class Reader:
    """A program: what must be there for it, and its command, which gets a message and a folder."""

    def __init__(self, name, needs, *command):
        self.name, self.is_there, self.command = name, bool(needs), command

    def read(self, message, folder):
        """Returns the files that it writes, and what it says if it fails."""
        folder.mkdir(parents=True)
        places = {"MESSAGE": message, "FOLDER": folder, "PAGE": folder / "page.html"}
        command = [places.get(argument, argument) for argument in self.command]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=False)
        problems = [line for line in done.stderr.splitlines() if "Error" in line[:40]]
        contents = {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
        return contents, problems[-1] if problems and done.returncode else ""


def readers(options):
    modules = options.modules.resolve() / "node_modules"
    python, node = options.python, shutil.which("node")
    has_unmhtml = subprocess.run([python, "-c", "import unmhtml"], capture_output=True, check=False).returncode == 0
    has = {name: node and (modules / name).exists() for name in ("mhtml2html", "mhtml-to-html", "fast-mhtml")}
    program = modules / "mhtml-to-html/mhtml-to-html-node.js"
    return [
        Reader("unmhtml", has_unmhtml, python, "-c", UNMHTML, "MESSAGE", "FOLDER"),
        Reader("mhtml2html", has["mhtml2html"], node, "-e", MHTML2HTML, modules, "MESSAGE", "FOLDER"),
        Reader("mhtml-to-html", has["mhtml-to-html"], node, program, "MESSAGE", "--output", "PAGE"),
        Reader("fast-mhtml", has["fast-mhtml"], node, "-e", FAST_MHTML, modules, "MESSAGE", "FOLDER"),
        Reader("ripmime", shutil.which("ripmime"), "ripmime", "-i", "MESSAGE", "-d", "FOLDER"),
    ]


def images(message):
    """The images of a message, by the last segment of their URL, or by their Content-ID if they have none."""
    parsed = email.message_from_bytes(message.read_bytes(), policy=email.policy.default)
    return {
        urllib.parse.unquote((part["Content-Location"] or part["Content-ID"]).rpartition("/")[2]): part.get_payload(decode=True)
        for part in parsed.walk() if part.get_content_maintype() == "image"
    }


def unwrapped(contents):
    """All that is given, with what is in data: URLs, and in those of styles that are themselves in data: URLs."""
    waiting, seen = list(contents), set()
    while waiting:
        content = waiting.pop()
        if content in seen:
            continue
        seen.add(content)
        for kind, data in re.findall(rb"data:([\w/+.-]+(?:;[\w=-]+)*),([^\"')\s<>]*)", content):
            plain = urllib.parse.unquote_to_bytes(data)
            waiting.append(decoded(plain) if kind.endswith(b";base64") else plain)
    return seen


def decoded(data):
    try:
        return base64.b64decode(data + b"=" * (-len(data) % 4))
    except ValueError:
        return data


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--absolve", default=str(HERE / "target/release/absolve"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--modules", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--keep", type=pathlib.Path, help="keep messages and what is read in this folder")
    parser.add_argument("pages", nargs="*", metavar="ROOT//PAGE")
    options = parser.parse_args()
    there = [reader for reader in readers(options) if reader.is_there]
    for reader in readers(options):
        if not reader.is_there:
            print(f"skipped: {reader.name} is not installed")
    if not there:
        return 77
    chosen = [(pathlib.Path(root), page) for root, _, page in (page.partition("//") for page in options.pages)]
    problems = []
    print(f"| page | images | {' | '.join(reader.name for reader in there)} |\n|{' --- |' * (len(there) + 2)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or pathlib.Path(temporary)).resolve()
        shutil.rmtree(folder / "read", ignore_errors=True)
        for number, (root, page) in enumerate(chosen or PAGES):
            if not (root / page).exists():
                print(f"skipped: {root / page} is not there")
                continue
            message = folder / f"{number}.mhtml"
            message.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([options.absolve, "pack", root / page, "--root", root, "--url", URL, "-o", message, "--force", "--quiet"], check=True)
            wanted, row = images(message), []
            for reader in there:
                contents, problem = reader.read(message, folder / "read" / reader.name / str(number))
                given = unwrapped(contents.values())
                lost = [name for name, data in wanted.items() if data not in given]
                page_of = unwrapped([contents["page.html"]]) if "page.html" in contents else given
                in_page = sum(data in page_of for data in wanted.values())
                row.append(f"{len(wanted) - len(lost)}" + f" ({in_page} in its page)" * (in_page < len(wanted) - len(lost)))
                if lost or problem:
                    problems.append(f"WRONG  {reader.name}, {root.name}/{page}: {', '.join(lost) or 'nothing'} lost{': ' * bool(problem)}{problem}")
            print(f"| {root.name}/{page} | {len(wanted)} | {' | '.join(row)} |", flush=True)
    print("\n".join(problems + [f"{len(problems)} times something was lost"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
