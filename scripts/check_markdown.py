#!/usr/bin/env python3
"""Check that rewriting Markdown changes nothing but the targets of links, as another program shows it.

    check_markdown.py [--absolve FILE] [--renderer FILE] [--examples FILE.json] [FOLDER ...]

Each Markdown file in the folders, and each example of a specification (a list of objects with `markdown`, as the npm package
`commonmark-spec` has it), is rewritten at a URL, in one run. Then cmark-gfm renders both versions: the tags and the texts have to be the
same, and each target has to mean what the old one means at the URL, by the URL class of Node. A second run has to change nothing, and
`verify` has to find nothing. The exit status is 1 if something failed, and 77 if there is no cmark-gfm or Node.
"""

import argparse
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

URL = "https://repository.example/tree/"
EXTENSIONS = ["table", "strikethrough", "tasklist", "footnotes"]
TARGETS = {
    **dict.fromkeys(("a", "area", "base", "link"), {"href"}),
    **dict.fromkeys(("img", "source"), {"src", "srcset", "longdesc"}),
    **dict.fromkeys(("audio", "embed", "frame", "iframe", "input", "script", "track"), {"src"}),
    **dict.fromkeys(("blockquote", "del", "ins", "q"), {"cite"}),
    **dict.fromkeys(("body", "table", "td", "th", "tr"), {"background"}),
    **{"form": {"action"}, "object": {"data"}, "video": {"src", "poster"}},
}
LONGEST = 1 << 20


class Tags(html.parser.HTMLParser):
    """Collects what a reader sees of a page, with its targets apart."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list = []
        self.targets: list = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        own = TARGETS.get(tag, set())
        self.seen.append((tag, [(name, None if name in own else value) for name, value in attrs]))
        self.targets += [(name, value or "") for name, value in attrs if name in own]

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


# Prints the numbers of the pairs in which the second target is not what the first one means, or is still relative. Renderers escape a
# backslash, which is a slash in a URL. What begins with a fragment or a placeholder, or has a line end, stays.
JUDGE = r"""
const [url, pairs] = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const meaning = (text, base) => { try { return new URL(text, base).href; } catch { return null; } };
const escaped = (text) => text.replace(/%5C/gi, "/");
const stays = (text) => /^\s*(#|$|\{\{|%7B%7B|<%|%3C%|\$\{)|[\r\n]/i.test(text) || meaning(text) !== null || meaning(text, url) === null;
pairs.forEach(([old, now], number) => {
  const leadsThere = meaning(old, url) === meaning(now) || meaning(escaped(old), url) === meaning(escaped(now));
  const isRight = old === now ? stays(escaped(old)) : leadsThere;
  if (!isRight) console.log(number);
});
"""


def compare(renderer: str, before: pathlib.Path, after: pathlib.Path, pairs: list) -> str | None:
    """Returns what differs between a file and its rewritten form, if anything but targets does. Adds those to the pairs."""
    old, new = rendered(renderer, before), rendered(renderer, after)
    if old.seen != new.seen:
        first = next((pair for pair in zip(old.seen, new.seen) if pair[0] != pair[1]), (len(old.seen), len(new.seen)))
        return f"another page: {first}"
    for (name, one), (_, other) in zip(old.targets, new.targets):
        # Of lists only the number of items is compared.
        if name != "srcset":
            pairs.append((before.name, one, other))
        elif len(one.split()) != len(other.split()):
            return f"{name}: {one!r} became {other!r}"
    return None


def wrong_targets(pairs: list) -> list:
    """Returns the pairs of targets that differ in what they mean."""
    text = json.dumps([URL, [pair[1:] for pair in pairs]])
    judged = subprocess.run(["node", "-e", JUDGE], input=text, capture_output=True, text=True, check=True)
    return [pairs[int(line)] for line in judged.stdout.split()]


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
    if not shutil.which(arguments.renderer) or not shutil.which("node"):
        print("skipped: there is no cmark-gfm or Node")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        before, after, again = (pathlib.Path(temporary) / name for name in ("before", "after", "again"))
        before.mkdir()
        number = collect(arguments.folders, arguments.examples, before)
        for source, target in ((before, after), (after, again)):
            subprocess.run([arguments.absolve, "rewrite", source, "-o", target, "--url", URL, "-q"], check=True)
        changed, pairs = 0, []
        for file in sorted(before.iterdir()):
            one, two, three = (folder / file.name for folder in (before, after, again))
            changed += one.read_bytes() != two.read_bytes()
            wrong = compare(arguments.renderer, one, two, pairs)
            wrong = wrong or (None if two.read_bytes() == three.read_bytes() else "a second run changes it")
            if wrong:
                failed += 1
                print(f"{file.name}: {wrong}")
        for name, old, new in wrong_targets(pairs):
            failed += 1
            print(f"{name}: {old!r} became {new!r}")
        verified = subprocess.run([arguments.absolve, "verify", before, after, "--url", URL], capture_output=True, text=True)
        print(verified.stdout, verified.stderr.strip(), sep="")
        failed += verified.returncode != 0
        print(f"{number} documents, {changed} changed, {len(pairs)} targets, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
