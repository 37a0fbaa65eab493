#!/usr/bin/env python3
"""Check that rewriting Markdown changes nothing but the targets of links, as another program shows it.

    check_markdown.py [--absolve FILE] [--renderer FILE] [--examples FILE.json] [FOLDER ...]

Each Markdown file in the folders, and each example of a specification (a list of objects with `markdown`, as the npm package
`commonmark-spec` has it), is rewritten at a URL, in one run. Then cmark-gfm renders both versions: the tags and the texts have to be the
same, and each target has to be the old one joined to the URL, by Python. A second run has to change nothing, and `verify` has to find
nothing. The exit status is 1 if something failed, and 77 if there is no cmark-gfm.
"""

import argparse
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

URL = "https://repository.example/tree/"
EXTENSIONS = ["table", "strikethrough", "tasklist", "footnotes"]
TARGETS = {"href", "src", "srcset", "poster", "action", "cite", "data", "background", "longdesc"}
LONGEST = 1 << 20


class Tags(html.parser.HTMLParser):
    """Collects what a reader sees of a page, with its targets apart."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list = []
        self.targets: list = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen.append((tag, [(name, None if name in TARGETS else value) for name, value in attrs]))
        self.targets += [(name, value or "") for name, value in attrs if name in TARGETS]

    def handle_endtag(self, tag: str) -> None:
        self.seen.append("/" + tag)

    def handle_data(self, data: str) -> None:
        self.seen.append(data)

    def handle_comment(self, data: str) -> None:
        self.seen.append("!" + data)


def rendered(renderer: str, file: pathlib.Path) -> Tags:
    command = [renderer, "--unsafe", *[word for one in EXTENSIONS for word in ("-e", one)], str(file)]
    shown = subprocess.run(command, capture_output=True, check=True).stdout
    tags = Tags()
    tags.feed(shown.decode(errors="replace"))
    tags.close()
    return tags


def is_right(name: str, old: str, new: str) -> bool:
    """Reports whether a target is the old one at the URL. Of lists only the number of items is compared."""
    if name == "srcset":
        return len(old.split()) == len(new.split())
    # Renderers escape what a URL may not contain.
    plain = lambda text: urllib.parse.unquote(text, errors="replace").replace("\\", "/")
    if old == new:
        return bool(urllib.parse.urlsplit(old.strip()).scheme) or old.strip()[:1] in ("", "#")
    joined = urllib.parse.urljoin(URL, plain(old.strip()).replace("#", "%23") if "%" in old else old.strip().replace("\\", "/"))
    return urllib.parse.urlsplit(plain(joined)) == urllib.parse.urlsplit(plain(new.strip()))


def compare(renderer: str, before: pathlib.Path, after: pathlib.Path) -> str | None:
    """Returns what differs between a file and its rewritten form, if anything but a right target does."""
    old, new = rendered(renderer, before), rendered(renderer, after)
    if old.seen != new.seen:
        first = next((pair for pair in zip(old.seen, new.seen) if pair[0] != pair[1]), (len(old.seen), len(new.seen)))
        return f"another page: {first}"
    for (name, one), (_, other) in zip(old.targets, new.targets):
        if not is_right(name, one, other):
            return f"{name}: {one!r} became {other!r}"
    return None


def collect(folders: list, examples: str | None, into: pathlib.Path) -> int:
    """Copies all files and examples into one folder, each under a name of its own; returns their number."""
    number = 0
    if examples:
        for example in json.loads(pathlib.Path(examples).read_text()):
            (into / f"example-{example.get('number', number)}.md").write_text(example["markdown"], newline="")
            number += 1
    for folder in folders:
        for file in sorted(pathlib.Path(folder).rglob("*")):
            if file.suffix.lower() in (".md", ".markdown") and file.is_file() and file.stat().st_size <= LONGEST:
                (into / f"file-{number}.md").write_bytes(file.read_bytes())
                number += 1
    return number


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--absolve", default="absolve")
    parser.add_argument("--renderer", default="cmark-gfm")
    parser.add_argument("--examples")
    parser.add_argument("folders", nargs="*")
    arguments = parser.parse_args()
    if not shutil.which(arguments.renderer):
        print("skipped: there is no cmark-gfm")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        before, after, again = (pathlib.Path(temporary) / name for name in ("before", "after", "again"))
        before.mkdir()
        number = collect(arguments.folders, arguments.examples, before)
        for source, target in ((before, after), (after, again)):
            subprocess.run([arguments.absolve, "rewrite", source, "-o", target, "--url", URL, "-q"], check=True)
        changed = 0
        for file in sorted(before.iterdir()):
            one, two, three = (folder / file.name for folder in (before, after, again))
            changed += one.read_bytes() != two.read_bytes()
            wrong = compare(arguments.renderer, one, two)
            wrong = wrong or (None if two.read_bytes() == three.read_bytes() else "a second run changes it")
            if wrong:
                failed += 1
                print(f"{file.name}: {wrong}")
        verified = subprocess.run([arguments.absolve, "verify", before, after, "--url", URL], capture_output=True, text=True)
        print(verified.stdout, verified.stderr.strip(), sep="")
        failed += verified.returncode != 0
        print(f"{number} documents, {changed} changed, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
