"""Runs the examples of `docs/python.md` and of the docstrings: `documentation.py [PAGE]`, or
`documentation.py --write FOLDER` for the files that the examples read.

A block of the page is run in a folder with the files that it names, and what it prints is compared with its lines that begin with
`#>`. Blocks below one heading share their names. This program needs `absolve` and nothing else; examples that import a package that
is not installed are counted as skipped.
"""

import ast
import contextlib
import doctest
import gzip
import importlib.util
import io
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import absolve
import absolve.arrow

PAGE = Path(__file__).resolve().parents[3] / "docs" / "python.md"


@dataclass(frozen=True)
class Section:
    """The code below a heading, and what it prints."""

    heading: str
    line: int
    blocks: tuple[str, ...]

    @property
    def code(self) -> str:
        return "\n\n".join(self.blocks)

    @property
    def shown(self) -> list[str]:
        return [line[2:].removeprefix(" ") for line in self.code.splitlines() if line.startswith("#>")]

    @property
    def missing(self) -> list[str]:
        """The packages that it imports and that are not installed."""
        return missing(self.code)


def missing(code: str) -> list[str]:
    """Returns the packages that code imports and that are not installed."""
    packages: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            packages.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            packages.add(node.module.split(".")[0])
    return sorted(package for package in packages if importlib.util.find_spec(package) is None)


def sections(page: Path = PAGE) -> list[Section]:
    """Returns the sections of a page that have code."""
    found: list[Section] = []
    heading, start = "", 0
    blocks: list[str] = []
    block: list[str] | None = None
    for number, line in enumerate([*page.read_text(encoding="utf-8").splitlines(), "# the end"], 1):
        if line == "```python":
            block = []
        elif line == "```" and block is not None:
            blocks.append("\n".join(block))
            block = None
        elif block is not None:
            block.append(line)
        elif line.startswith("#"):
            if blocks:
                found.append(Section(heading, start, tuple(blocks)))
            heading, start, blocks = line.lstrip("# "), number, []
    return found


def printed(section: Section, folder: Path) -> list[str]:
    """Runs a section in a folder, and returns the lines that it prints."""
    write_inputs(folder)
    output = io.StringIO()
    names: dict[str, object] = {"__name__": "__main__"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(section.code, f"{PAGE.name}: {section.heading}", "exec"), names)
    finally:
        os.chdir(before)
    return [line.rstrip() for line in output.getvalue().rstrip("\n").split("\n")] if output.getvalue() else []


def write_inputs(folder: Path) -> None:
    """Writes the files that the examples read: two messages, and an archive of four records."""
    html = "Content-Type: text/html\n"
    messages = [
        f'From a@b Thu Jan  1 00:00:00 1998\nContent-Base: https://example.org/archive/\n{html}\n<a href="x">\n',
        "From a@b Thu Jan  1 00:00:00 1998\nSubject: plain\n\nNothing to see.\n",
    ]
    (folder / "list.mbox").write_text("\n".join([*messages, ""]))
    records = [
        record("warcinfo", "application/warc-fields", b"software: a crawler\r\n"),
        response(b"text/html", b"<a href=guide/>the guide</a>"),
        response(b"image/png", b"\x89PNG"),
        response(b"text/html", b'<a href="//">nowhere</a>'),
    ]
    (folder / "crawl.warc.gz").write_bytes(b"".join(gzip.compress(one, mtime=0) for one in records))


def response(media_type: bytes, body: bytes) -> bytes:
    """Returns a record with a response."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (media_type, len(body))
    return record("response", "application/http; msgtype=response", head + body, "https://example.org/lamp/")


def record(kind: str, media_type: str, block: bytes, url: str = "") -> bytes:
    """Returns a record of a WARC file."""
    number = sum(block) * 65537 + len(block)
    target = f"WARC-Target-URI: {url}\r\n" if url else ""
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\n{target}Content-Type: {media_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def documented() -> Iterator[tuple[str, object]]:
    """Returns the public names, and what they name: functions, classes, methods."""
    for module in (absolve, absolve.arrow):
        yield module.__name__, module
        for name in module.__all__:
            value = getattr(module, name)
            if value is absolve.arrow or isinstance(value, str):
                continue
            yield f"{module.__name__}.{name}", value
            if isinstance(value, type) and not issubclass(value, Exception):
                methods = [method for method in vars(value) if not method.startswith("_") and callable(getattr(value, method))]
                yield from ((f"{module.__name__}.{name}.{method}", getattr(value, method)) for method in methods)


def docstring_examples() -> list[doctest.DocTest]:
    """Returns the examples of each docstring."""
    parser = doctest.DocTestParser()
    tests = []
    for name, value in documented():
        tests.append(parser.get_doctest(value.__doc__ or "", {"absolve": absolve}, name, None, 0))
    return tests


def main() -> int:
    """Runs all examples whose packages are installed. Returns 1 if one of them failed."""
    if sys.argv[1:2] == ["--write"]:
        write_inputs(Path(sys.argv[2]))
        return 0
    failed = done = skipped = 0
    for section in sections(Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE):
        if section.missing:
            skipped += 1
            continue
        try:
            with tempfile.TemporaryDirectory() as folder:
                output = printed(section, Path(folder))
        except Exception:
            output = traceback.format_exc().splitlines()
        done += 1
        if output != section.shown:
            failed += 1
            print(f"{section.heading}: printed\n  " + "\n  ".join(output))
    for test in docstring_examples():
        if not test.examples:
            continue
        if missing("".join(example.source for example in test.examples)):
            skipped += 1
            continue
        done += 1
        failed += doctest.DocTestRunner().run(test).failed > 0
    print(f"examples: {done} run, {failed} failed, {skipped} need packages that are not installed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
