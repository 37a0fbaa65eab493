"""Ctrl-C: KeyboardInterrupt, soon, and no output."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import sys, time
import absolve, absolve.arrow

class Endless:
    def __init__(self, head, body):
        self.rest, self.body = head, body

    def read(self, size):
        while len(self.rest) < size:
            self.rest += self.body * (1 + size // len(self.body))
        part, self.rest = self.rest[:size], self.rest[size:]
        return part

message = b"From a@b Thu Jan  1 00:00:00 1998\\nContent-Base: http://h/\\nContent-Type: text/html\\n\\n<a href=x>\\n\\n"
print("ready", flush=True)
try:
    {work}
    print("ended")
except KeyboardInterrupt:
    print("interrupted")
"""

WORK = {
    "an mbox from an object": 'absolve.rewrite_file(Endless(b"", message), "out.mbox", type="mbox")',
    "an mbox from a path": 'absolve.rewrite_file("/dev/stdin", "out.mbox", type="mbox")',
}


@pytest.mark.parametrize("work", WORK)
def test_files_end_soon_and_leave_nothing(work: str, tmp_path: Path) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(work=WORK[work])],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdin and run.stdout and run.stdout.readline() == "ready\n"
    time.sleep(0.5)
    # A reader that waits for more bytes is woken by what comes; the rest of a run does not wait.
    start = time.monotonic()
    run.send_signal(signal.SIGINT)
    if "path" in work:
        time.sleep(0.3)
        with contextlib.suppress(BrokenPipeError):
            run.stdin.write("From a@b Thu Jan  1 00:00:00 1998\n\n" * 10_000)
        with contextlib.suppress(BrokenPipeError):
            run.stdin.close()
    assert run.stdout.read() == "interrupted\n"
    assert run.wait() == 0
    assert time.monotonic() - start < 5
    assert os.listdir(tmp_path) == []


COLUMN = """
import signal, threading, time, os
import pyarrow as pa
import absolve.arrow
html = pa.array(["<a href=x>" * 20_000] * 2_000)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    absolve.arrow.{function}(html, "http://h/", threads={threads})
    print("ended")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("function", ["rewrite", "links"])
@pytest.mark.parametrize("threads", [1, 2])
def test_columns_end_with_the_exception(function: str, threads: int) -> None:
    program = COLUMN.format(function=function, threads=threads)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "interrupted\n", done.stderr


UNREAD = """
import absolve.arrow

class Endless:
    def read(self, size):
        return b"From a@b Thu Jan  1 00:00:00 1998\\n\\nbody\\n\\n" * (size // 64)

stream = absolve.arrow.read(Endless(), "mbox")
{end}
print("ended")
"""


@pytest.mark.parametrize("end", ["", "next(iter(stream.__arrow_c_stream__().__class__.__mro__))", "del stream"])
def test_a_stream_that_nobody_reads_does_not_keep_the_interpreter(end: str) -> None:
    # Several, since a thread that outlives the interpreter crashes only now and then; it reports so on standard error.
    for _ in range(5):
        done = subprocess.run([sys.executable, "-X", "dev", "-c", UNREAD.format(end=end)], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")


ARCHIVE = """
import os, signal, sys, threading, time
sys.path.insert(0, {tests!r})
import absolve, documentation

one = documentation.response(b"text/html", b"<a href=x>" * 2_000)
with open("in.warc", "wb") as archive:
    for number in range(10):
        archive.write(one * 1_000)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    absolve.rewrite_file({source}, {target}, warc="resource", type="warc", threads=1)
    print("ended")
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 2.5)
os.remove("in.warc")
"""


@pytest.mark.parametrize("source", ['"in.warc"', 'open("in.warc", "rb")'])
@pytest.mark.parametrize("target", ['"out.warc"', '"out.warc.gz"', 'open(os.devnull, "wb")'])
def test_an_interrupt_ends_the_writing_of_a_derived_archive(source: str, target: str, tmp_path: Path) -> None:
    program = ARCHIVE.format(tests=str(Path(__file__).parent), source=source, target=target)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout == "interrupted True\n", done.stderr
    assert os.listdir(tmp_path) == []


def test_an_interrupt_ends_the_writing_of_a_derived_package(tmp_path: Path) -> None:
    package = 'with zipfile.ZipFile("in.wacz", "w") as package: package.write("in.warc", "archive/in.warc")'
    program = ARCHIVE.replace("import os", "import zipfile, os").replace("threading.Timer", f"{package}\nthreading.Timer")
    program = program.format(tests=str(Path(__file__).parent), source='"in.wacz"', target='"out.wacz"')
    program = program.replace('type="warc"', 'type="wacz"') + 'os.remove("in.wacz")'
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout == "interrupted True\n", done.stderr
    assert os.listdir(tmp_path) == []
