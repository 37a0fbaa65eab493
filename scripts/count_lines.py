#!/usr/bin/env python3
"""Counts lines of Rust without tests, comments and blank lines, and finds functions that are too long or take too much.

    scripts/count_lines.py            lines of each crate, and the sum of the product without `verifier`
    scripts/count_lines.py functions  functions of more than 60 lines, or of more than six parameters

Exit 1 when `functions` finds one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "crates"
NOT_PRODUCT = {"bench", "laws", "testing"}
LONGEST_FUNCTION = 60
MOST_PARAMETERS = 6


def blank_out(text: str) -> str:
    """Returns `text` with comments, and what stands in strings, replaced by nothing but their line breaks."""
    pattern = re.compile(
        r"""//[^\n]*|/\*.*?\*/|b?r(?P<hashes>\#*)".*?"(?P=hashes)|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^\n]{1,9}?|[^\\'\n])'""",
        re.DOTALL,
    )

    def shorten(match: re.Match) -> str:
        found = match.group()
        breaks = "\n" * found.count("\n")
        if found.startswith(("//", "/*")):
            return breaks
        return '"' + breaks.replace("\n", "_\n") + '"'

    return pattern.sub(shorten, text)


def without_tests(text: str) -> str:
    """Returns `text` with the items below `#[cfg(test)]` replaced by nothing but their line breaks."""
    while (found := re.search(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*", text)) is not None:
        end = found.end()
        brace, semicolon = text.find("{", end), text.find(";", end)
        if brace < 0 or 0 <= semicolon < brace:
            stop = semicolon + 1
        else:
            stop = closing(text, brace) + 1
        text = text[: found.start()] + "\n" * text.count("\n", found.start(), stop) + text[stop:]
    return text


def closing(text: str, opening: int) -> int:
    """Returns the offset of the bracket that closes the one at `opening`."""
    pairs = {"{": "}", "(": ")", "[": "]"}
    mine, other, depth = text[opening], pairs[text[opening]], 0
    for offset in range(opening, len(text)):
        depth += (text[offset] == mine) - (text[offset] == other)
        if depth == 0:
            return offset
    return len(text)


def product_files():
    """Yields (crate, file, code) of every source of the product: its text without tests and comments, line by line."""
    files = [file for file in sorted(ROOT.rglob("*.rs")) if file.relative_to(ROOT).parts[0] not in NOT_PRODUCT]
    texts = {file: file.read_text() for file in files}
    of_tests = {module for file, text in texts.items() for module in test_modules(file, text)}
    for file, text in texts.items():
        parts = file.relative_to(ROOT).parts
        is_of_tests = any(parent.with_suffix(".rs") in of_tests for parent in [file, *file.parents] if parent.name)
        if "tests" not in parts and file.name not in {"tests.rs", "build.rs"} and not is_of_tests:
            yield parts[0], file, without_tests(blank_out(text))


def test_modules(file: pathlib.Path, text: str):
    """Yields the files of the modules that a file declares for tests and fuzzing only."""
    folder = file.parent if file.name in {"lib.rs", "main.rs"} else file.with_suffix("")
    for name in re.findall(r"#\[cfg\((?:test|any\(test, fuzzing\))\)\]\s*(?:pub(?:\(crate\))? )?mod (\w+);", text):
        yield folder / f"{name}.rs"


def lines_by_crate() -> dict:
    sums = {}
    for crate, _, text in product_files():
        sums[crate] = sums.get(crate, 0) + sum(1 for line in text.splitlines() if line.strip())
    return sums


def split_parameters(text: str) -> list:
    """Returns the parameters of a list: what its outer commas separate, without `self`."""
    parameters, depth, start = [], 0, 0
    text = text.replace("->", "  ")
    for offset, character in enumerate(text):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            parameters.append(text[start:offset])
            start = offset + 1
    parameters.append(text[start:])
    return [one for one in (p.strip() for p in parameters) if one and not re.fullmatch(r"(&\s*('\w+\s+)?)?(mut\s+)?self", one)]


def is_table(body: str) -> bool:
    """Returns whether a function is little more than one `match` whose arms are short."""
    lines = [line for line in body.splitlines() if line.strip()]
    return sum(1 for line in lines if "=>" in line) * 2 >= len(lines)


def functions():
    """Yields (file, line, name, lines, parameters, whether a table) of each function."""
    for _, file, text in product_files():
        for found in re.finditer(r"\bfn\s+(\w+)\s*", text):
            name, opening = found.group(1), text.find("(", found.end() - 1)
            head_end = closing(text, opening)
            parameters = split_parameters(text[opening + 1 : head_end])
            brace, semicolon = text.find("{", head_end), text.find(";", head_end)
            if brace < 0 or 0 <= semicolon < brace:
                continue
            body = text[brace : closing(text, brace) + 1]
            before = text[max(0, found.start() - 400) : found.start()].rsplit("}", 1)[-1]
            line = text.count("\n", 0, found.start()) + 1
            yield file, line, name, body.count("\n") + 1, parameters, is_table(body), "#[pyo3(signature" in before


def main() -> int:
    if sys.argv[1:] == ["functions"]:
        found = 0
        for file, line, name, lines, parameters, table, of_python in functions():
            where = f"{file.relative_to(ROOT.parent)}:{line}: {name}"
            if lines > LONGEST_FUNCTION and not table:
                found += 1
                print(f"{where} has {lines} lines")
            if len(parameters) > MOST_PARAMETERS and not of_python:
                found += 1
                print(f"{where} has {len(parameters)} parameters")
        return 1 if found else 0
    sums = lines_by_crate()
    for crate, lines in sums.items():
        print(f"{lines:7,} {crate}")
    print(f"{sum(sums.values()) - sums['verifier']:7,} without verifier")
    return 0


if __name__ == "__main__":
    sys.exit(main())
