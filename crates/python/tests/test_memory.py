"""Memory stays flat over 100,000 calls of each function, errors included."""

import os
import subprocess
import sys

import pytest

# Runs each call until its buffers are there, then measures 100,000 more. What leaks an object of 50 bytes a call is 5 MB.
PROGRAM = """
import gc, io, resource, sys, tracemalloc
import absolve, absolve.arrow

HTML = "é<base href=/b/><a href=x><a href=//><img srcset='a 1x, b 2x'>" + "text " * 100
REWRITER = absolve.Rewriter(keep=["^x"])
MAIL = b"Content-Base: http://h/\\nContent-Type: text/html\\n\\n<a href=x>"

def fails(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except (ValueError, TypeError, OSError):
        return
    raise AssertionError("no exception")

def column():
    import pyarrow
    array = pyarrow.array([HTML, None])
    return lambda: (pyarrow.array(absolve.arrow.rewrite(array, "http://h/")), absolve.arrow.links(array, "http://h/"))

CALLS = {
    "rewrite": (100_000, lambda: (absolve.rewrite(HTML, "http://h/"), absolve.rewrite(HTML.encode(), "http://h/"))),
    "page": (100_000, lambda: repr(REWRITER.html(HTML, "http://h/"))),
    "links": (100_000, lambda: repr(absolve.links(HTML, "http://h/"))),
    "message": (100_000, lambda: absolve.rewrite_message(MAIL)),
    "resolve": (100_000, lambda: absolve.resolve("../g", base="http://a/b/c")),
    "errors": (100_000, lambda: (
        fails(absolve.rewrite, HTML, "mailto:x"), fails(absolve.rewrite, "\\ud800"), fails(absolve.rewrite, 3),
        fails(absolve.rewrite, HTML, nonsense=1), fails(absolve.rewrite, HTML, "http://h/", charset="klingon"),
    )),
    "options": (3_000, lambda: absolve.rewrite(HTML, "http://h/", standard="rfc3986", keep=["^x"], groups=["core"])),
    "files": (3_000, lambda: (
        absolve.rewrite_file(io.BytesIO(MAIL), io.BytesIO(), type="message", threads=1),
        fails(absolve.rewrite_file, io.BytesIO(b"WARC/1.1\\r\\n"), io.BytesIO(), type="warc", threads=1),
    )),
    "columns": (20_000, column() if sys.argv[1] == "columns" else None),
}

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

number, call = CALLS[sys.argv[1]]
for _ in range(number // 10):
    call()
gc.collect()
before = resident()
tracemalloc.start()
first = tracemalloc.get_traced_memory()[0]
for _ in range(100):
    call()
gc.collect()
objects = tracemalloc.get_traced_memory()[0] - first
tracemalloc.stop()
for _ in range(number):
    call()
gc.collect()
print(resident() - before, objects)
"""

CALLS = ["rewrite", "page", "links", "message", "resolve", "errors", "options", "files", "columns"]

# Memory would go up and down by megabytes with an arena for each thread that ever was, or with freed buffers that are kept.
ENVIRONMENT = {**os.environ, "MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory of a process is read from /proc")
@pytest.mark.parametrize("call", CALLS)
def test_memory_stays_flat(call: str) -> None:
    done = subprocess.run([sys.executable, "-X", "dev", "-c", PROGRAM, call], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    resident, objects = map(int, done.stdout.split())
    assert resident < 2 << 20
    assert objects < 20_000
    assert done.stderr == ""
