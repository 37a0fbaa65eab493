"""Measures processor time on pages of 10 KB and more, in one process and on one thread; the Rust function in the same run.

    measure.py FOLDER [--rounds N] [--rust PROGRAM]

PROGRAM is `target/release/examples/rewrite_pages`, from `cargo build --release --example rewrite_pages`. The rounds of all programs
take turns, and a line has the least and the median time of its rounds. Overheads compare the least.
"""

import argparse
import statistics
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import bs4
import lxml.html
import pyarrow as pa

import absolve
import absolve.arrow

warnings.filterwarnings("ignore", category=bs4.XMLParsedAsHTMLWarning)

URL = "https://example.org/a/folder/page.html"
LEAST = 10_000
ROOT = Path(__file__).resolve().parents[3]
# The attributes that lxml changes, without those that hold several URLs.
ATTRIBUTES = ["action", "background", "cite", "codebase", "data", "href", "longdesc", "src", "usemap", "formaction"]


def pages(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.rglob("*.html")):
        content = path.read_bytes()
        try:
            content.decode()
        except UnicodeDecodeError:
            continue
        if len(content) >= LEAST:
            yield content


def by_lxml(page: bytes) -> bytes:
    tree = lxml.html.document_fromstring(page)
    tree.make_links_absolute(URL)
    written: bytes = lxml.html.tostring(tree)
    return written


def by_beautiful_soup(page: bytes) -> bytes:
    soup = bs4.BeautifulSoup(page, "lxml")
    for tag in soup.find_all(True):
        for name in ATTRIBUTES:
            value = tag.attrs.get(name)
            if isinstance(value, str):
                tag.attrs[name] = urljoin(URL, value)
    return soup.encode()


# As in the program of Rust: a round is so many passes.
PASSES = 40


def seconds(work: Callable[[Any], object], prepared: Callable[[], Any], passes: int = PASSES) -> float:
    """Returns the processor time of a pass; what is prepared for each is not counted."""
    spent = 0.0
    for _ in range(passes):
        documents = prepared()
        start = time.process_time()
        work(documents)
        spent += time.process_time() - start
    return spent / passes


def each(function: Callable[[Any], object]) -> Callable[[list[Any]], None]:
    def work(documents: list[Any]) -> None:
        for document in documents:
            function(document)

    return work


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rust", type=Path, default=ROOT / "target/release/examples/rewrite_pages")
    arguments = parser.parse_args()
    contents = list(pages(arguments.folder))
    length = sum(map(len, contents))
    print(f"{len(contents)} pages of {LEAST:,} bytes and more, {length:,} bytes")
    binary, string = pa.array(contents, pa.large_binary()), pa.array([page.decode() for page in contents], pa.large_string())
    rewriter = absolve.Rewriter()
    times: dict[str, list[float]] = {}

    def texts() -> list[str]:
        # A str that was passed once has its UTF-8 with it; new ones do not.
        return [page.decode() for page in contents]

    def ascii_texts() -> list[str]:
        return [page.decode().encode("ascii", "ignore").decode() for page in contents]

    def same() -> list[bytes]:
        return contents

    for number in range(arguments.rounds):
        command = [arguments.rust, arguments.folder, URL, "1"]
        rust = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        assert rust[0] == f"pages {len(contents)} bytes {length}", rust[0]
        html, document, html_ascii = map(float, rust[1].split())
        found = {
            "Rust Rewriter::html": html,
            "Rust Rewriter::document": document,
            "Rust Rewriter::html, ASCII": html_ascii,
            "absolve.rewrite(str)": seconds(each(lambda text: absolve.rewrite(text, URL)), texts),
            "absolve.rewrite(str), ASCII": seconds(each(lambda text: absolve.rewrite(text, URL)), ascii_texts),
            "absolve.rewrite(bytes)": seconds(each(lambda page: absolve.rewrite(page, URL)), same),
            "Rewriter.html(bytes).content": seconds(each(lambda page: rewriter.html(page, URL).content), same),
            "absolve.arrow.rewrite(string)": seconds(lambda array: absolve.arrow.rewrite(array, URL), lambda: string),
            "absolve.arrow.rewrite(binary)": seconds(lambda array: absolve.arrow.rewrite(array, URL), lambda: binary),
        }
        if number < 3:
            found["lxml make_links_absolute"] = seconds(each(by_lxml), same, 1)
            found["BeautifulSoup with lxml"] = seconds(each(by_beautiful_soup), same, 1)
        for name, one in found.items():
            times.setdefault(name, []).append(one)
    print(f"{'':34}{'least ms':>10}{'median ms':>11}{'MB/s':>8}{'times':>8}{'over Rust':>11}")
    ours = min(times["absolve.rewrite(bytes)"])
    for name, rounds in times.items():
        least = min(rounds)
        rust_name = "Rust Rewriter::html" if "str" in name else "Rust Rewriter::document"
        rust_name += ", ASCII" if "ASCII" in name else ""
        over = "" if "lxml" in name or "Rust" in name else f"{100 * (least / min(times[rust_name]) - 1):+.1f} %"
        rate = length / least / 1e6
        print(f"{name:34}{1000 * least:10.1f}{1000 * statistics.median(rounds):11.1f}{rate:8.0f}{least / ours:8.1f}{over:>11}")


if __name__ == "__main__":
    main()
