"""Measures the Spark job: web archives out of real pages, on one and on two executors of one core each.

    python crates/python/tests/measure_spark.py CORPORA WORK

CORPORA is a folder with HTML pages at any depth. WORK is a folder for the archives (kept, for the next time) and the outputs.
Compares the bytes of each output with those of the command line, and prints the figures of docs/spark.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyspark

sys.path.insert(0, str(Path(__file__).parent / "spark"))
from warcs import response  # noqa: E402

MIB = 1 << 20


@dataclass(frozen=True)
class Run:
    """The figures of one run of the job."""

    executors: int
    seconds: float
    whole_seconds: float
    peak_bytes: int


def main() -> int:
    """Makes the archives, runs the command line and the job, compares them, and returns 1 if any byte differs."""
    parser = argparse.ArgumentParser(description="Measure the Spark job")
    parser.add_argument("corpora", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--files", type=int, default=64)
    parser.add_argument("--mib", type=int, default=2048, help="size of all archives together")
    arguments = parser.parse_args()
    source = arguments.work / "crawl"
    if not source.exists():
        make_archives(arguments.corpora, source, arguments.files, arguments.mib * MIB)
    bytes_in = sum(path.stat().st_size for path in source.iterdir())
    print(f"{len(list(source.iterdir()))} archives, {bytes_in / MIB:.0f} MiB")

    expected, command_seconds = run_command(source, arguments.work / "command")
    print(f"command line, 1 thread: {command_seconds:.1f} s, {bytes_in / MIB / command_seconds:.0f} MiB/s")
    bytes_out = sum(size for _, size in expected.values())
    print(f"output: {bytes_out / bytes_in:.2f} times the input")

    runs = []
    for executors in (1, 2):
        output = arguments.work / f"out-{executors}"
        run = run_job(source, output, executors)
        same = digests(output) == expected
        shutil.rmtree(output)
        print(
            f"job, {executors} executors: {run.seconds:.1f} s ({run.whole_seconds:.1f} s with the start of Spark), "
            f"{bytes_in / MIB / run.seconds / executors:.0f} MiB/s a core, "
            f"{run.peak_bytes / MIB:.0f} MiB at most in a Python process, bytes {'equal' if same else 'DIFFERENT'}"
        )
        if not same:
            return 1
        runs.append(run)
    print(f"ratio: {runs[0].seconds / runs[1].seconds:.2f}")
    print(json.dumps([run.__dict__ for run in runs]))
    return 0


def make_archives(corpora: Path, target: Path, files: int, total: int) -> None:
    """Writes archives of one size, each with the same records in another order, and no record twice in an archive."""
    members = records(corpora, total // files)
    partial = target.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for number in range(files):
        start = number * len(members) // files
        (partial / f"part-{number:05}.warc.gz").write_bytes(b"".join(members[start:] + members[:start]))
    partial.rename(target)


def records(corpora: Path, size: int) -> list[bytes]:
    """Returns records of all pages, at as many URLs as the size needs."""
    pages = [(path.relative_to(corpora).as_posix(), path.read_bytes()) for path in sorted(corpora.rglob("*.htm*"))]
    if not pages:
        raise SystemExit(f"{corpora}: no page (*.html)")

    def members() -> Iterator[bytes]:
        written = 0
        site = 0
        while True:
            for name, page in pages:
                member = response(f"https://site-{site}.example/{name}", page)
                written += len(member)
                yield member
                if written >= size:
                    return
            site += 1

    return list(members())


def run_command(source: Path, output: Path) -> tuple[dict[str, tuple[str, int]], float]:
    """Runs the command line on one thread, and returns the digests of its outputs and the seconds it took."""
    shutil.rmtree(output, ignore_errors=True)
    command = shutil.which("absolve", path=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    if command is None:
        raise SystemExit("the command absolve is not installed")
    started = time.monotonic()
    subprocess.run([command, "rewrite", source, "-o", output, "--warc-date", "0", "-j", "1", "-q"], check=True)
    seconds = time.monotonic() - started
    found = digests(output)
    shutil.rmtree(output)
    return found, seconds


def run_job(source: Path, output: Path, executors: int) -> Run:
    """Runs the job, and returns what it says of itself and the memory of its Python processes."""
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "absolve.spark", "rewrite", "--master", f"local-cluster[{executors},1,1024]"]
    # All executors are there before the clock starts.
    command += ["--conf", "spark.scheduler.minRegisteredResourcesRatio=1", "--conf", "spark.ui.showConsoleProgress=false"]
    command += ["--conf", "spark.scheduler.maxRegisteredResourcesWaitingTime=60s", "--warc-date", "0"]
    environment = {
        **os.environ,
        "SPARK_HOME": os.path.dirname(pyspark.__file__),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    started = time.monotonic()
    process = subprocess.Popen(
        [*command, "--input", str(source), "--output", str(output)], env=environment, stderr=subprocess.PIPE, text=True
    )
    watch = Watch()
    _, messages = process.communicate()
    whole = time.monotonic() - started
    peak = watch.stop()
    said = re.search(r"failed; ([\d.]+) s", messages)
    if process.returncode != 0 or said is None:
        raise SystemExit(messages)
    return Run(executors, float(said[1]), whole, peak)


class Watch:
    """Watches the memory of the Python workers of Spark."""

    def __init__(self) -> None:
        """Starts to watch."""
        self._peak = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> int:
        """Returns the most bytes that one process had."""
        self._ended.set()
        self._thread.join()
        return self._peak

    def _watch(self) -> None:
        while not self._ended.wait(0.5):
            for entry in Path("/proc").iterdir():
                try:
                    if entry.name.isdigit() and b"pyspark.daemon" in (entry / "cmdline").read_bytes():
                        found = re.search(r"VmHWM:\s+(\d+) kB", (entry / "status").read_text())
                        self._peak = max(self._peak, int(found[1]) * 1024 if found else 0)
                except OSError:
                    continue  # The process ended.


def digests(folder: Path) -> dict[str, tuple[str, int]]:
    """Returns the digest and the size of each file of a folder, without those of the job itself."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "_absolve" not in path.parts:
            data = path.read_bytes()
            found[str(path.relative_to(folder))] = (hashlib.sha256(data).hexdigest(), len(data))
    return found


if __name__ == "__main__":
    sys.exit(main())
