#!/usr/bin/env python3
"""Compares what two builds of absolve write, for a change that must not change it.

    scripts/compare_outputs.py OLD NEW INPUT...

OLD and NEW are programs; each INPUT is a folder, such as `fixtures`. Each folder in it, and each mailbox, archive and message by
itself, is rewritten in four sets of options, listed, checked, explained and verified. Outputs, messages and exit codes must be the
same bytes. Exit 1 when one is not; the first differences are shown.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

URL = "https://www.example.org/dir/"
BY_ITSELF = {".mbox", ".eml", ".mht", ".mhtml", ".warc", ".arc", ".wacz", ".zip", ".tar", ".gz", ".zst", ".bz2", ".xz", ".tgz", ".emlx"}
REWRITES = [
    [],
    ["--standard", "rfc3986", "--spelling", "ascii", "--same-document", "absolute", "--headers", "--base-element", "comment"],
    ["--precedence", "rfc2557", "--feed-base", "item", "--groups", "core,legacy,social,lazy", "--unwrap-wayback", "--http-headers"],
    ["--warc", "resource", "--discover", "attributes", "--for", "mail", "--break-signatures"],
]
# Else the time of the run is written into the records.
DATED = ["--warc-date", "2020-01-01T00:00:00Z"]
SHOWN = 20


def commands(folder: pathlib.Path, source: pathlib.Path):
    """Yields the arguments of each run on one input, with the path that it writes."""
    url = ["--url", URL] if source.is_dir() else []
    for number, options in enumerate(REWRITES):
        out = folder / f"out{number}"
        yield ["rewrite", source, *DATED, *options, "-o", out, "--report", folder / f"report{number}.csv"], out
        if number < 2:
            with_url = folder / f"url{number}"
            yield ["rewrite", source, *DATED, *options, *url, "-o", with_url], with_url
    yield ["rewrite", source, *url, "--dry-run", "--diff", "--jobs", "1"], None
    yield ["links", source, "--json", *url], None
    yield ["links", source, "--format", "csv", "--for", "mail"], None
    yield ["check", source, "--json"], None
    yield ["check", source, "--for", "mail", "--format", "sarif"], None
    yield ["base", source, "--json"], None
    yield ["base", source, *url], None
    for number in (0, 1):
        yield ["verify", source, folder / f"out{number}", *REWRITES[number]], None
    if source.is_file():
        yield ["unpack", source, "-o", folder / "unpacked"], folder / "unpacked"


def digest_of(path: pathlib.Path) -> dict:
    """Returns the digest of each file below a path."""
    files = [path] if path.is_file() or path.is_symlink() else sorted(path.rglob("*")) if path.exists() else []
    digests = {}
    for file in files:
        name = str(file.relative_to(path))
        if file.is_symlink():
            digests[name] = os.readlink(file)
        elif file.is_file():
            digests[name] = hashlib.sha256(steady(file.read_bytes())).hexdigest()
    return digests


def steady(output: bytes) -> bytes:
    """Returns an output without what differs in each run: times, identifiers of new records."""
    output = re.sub(rb"urn:uuid:[0-9a-f-]{36}", b"urn:uuid:X", output)
    output = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", b"TIME", output)
    return re.sub(rb"\d+(\.\d+)? ?(ms|s|seconds)\b", b"SECONDS", output)


def outcomes(program: str, source: pathlib.Path) -> list:
    """Returns, for each command, the exit code, both streams and what was written."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for arguments, written in commands(folder, source):
            run = subprocess.run([program, *map(str, arguments)], capture_output=True, timeout=600, stdin=subprocess.DEVNULL)
            streams = [steady(stream.replace(name.encode(), b"FOLDER")) for stream in (run.stdout, run.stderr)]
            label = " ".join(map(str, arguments)).replace(name, "FOLDER")
            report = [one for one in arguments if str(one).endswith(".csv")]
            files = digest_of(written) if written else {}
            if report and report[0].exists():
                files["report"] = hashlib.sha256(report[0].read_bytes()).hexdigest()
            found.append((label, run.returncode, *streams, files))
    return found


def inputs(roots: list):
    """Yields what is rewritten: each folder below a root, the root, and each message, mailbox and archive."""
    for root in map(pathlib.Path, roots):
        yield root
        for path in sorted(root.iterdir()):
            if path.is_dir():
                yield path
        for path in sorted(root.rglob("*")):
            if path.is_file() and (path.suffix.lower() in BY_ITSELF or not path.suffix):
                yield path


def compare(old: str, new: str, source: pathlib.Path) -> tuple:
    """Returns the number of runs on an input, and what differs."""
    differences, runs = [], 0
    for before, after in zip(outcomes(old, source), outcomes(new, source), strict=True):
        runs += 1
        for what, one, other in zip(("exit code", "stdout", "stderr", "files"), before[1:], after[1:], strict=True):
            if one != other:
                differences.append(f"{before[0]}\n  {what}: {difference(one, other)}")
    return runs, differences


def difference(one, other) -> str:
    if isinstance(one, dict):
        names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
        return f"{len(names)} differ: {names[:5]}"
    if isinstance(one, bytes):
        lines = [sorted(set(first.splitlines()) - set(second.splitlines())) for first, second in ((one, other), (other, one))]
        return "\n    - ".join(["", *(str(line[:400]) for line in lines[0][:3])]) + "\n    + ".join(["", *(str(line[:400]) for line in lines[1][:3])])
    return f"{one} and {other}"


def main() -> int:
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    old, new, *roots = sys.argv[1:]
    runs, differences = 0, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, found in pool.map(lambda source: compare(old, new, source), list(inputs(roots))):
            runs += done
            differences += found
    for one in differences[:SHOWN]:
        print(one)
    print(f"{runs} runs, {len(differences)} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
