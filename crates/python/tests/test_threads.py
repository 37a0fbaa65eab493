"""Threads and processes: all give the same, and forking is safe at any time."""

import io
import multiprocessing
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest

import absolve
import absolve.arrow

REWRITER = absolve.Rewriter(standard="rfc3986")
PAGES = [f"<p>{'é' * (number % 7)}<a href={number}>{'text ' * (number % 1000)}" for number in range(2000)]
MESSAGE = "From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href={}>\n\n"
MBOX = "".join(MESSAGE.format(number) for number in range(20_000)).encode()


def page(number: int) -> str:
    return REWRITER.html(PAGES[number], "https://example.org/").content


def mbox(threads: int) -> bytes:
    output = io.BytesIO()
    absolve.rewrite_file(io.BytesIO(MBOX), output, type="mbox", threads=threads)
    return output.getvalue()


def column(threads: int) -> list[str | None]:
    array = absolve.arrow.rewrite(pa.array(PAGES), "https://example.org/", threads=threads)
    values: list[str | None] = pa.array(array).to_pylist()
    return values


def test_one_rewriter_serves_many_threads() -> None:
    expected = [page(number) for number in range(len(PAGES))]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(page, range(len(PAGES)))) == expected


def test_the_number_of_threads_changes_nothing() -> None:
    assert mbox(1) == mbox(2) == mbox(7)
    assert column(1) == column(2) == column(7) == [page(number) for number in range(len(PAGES))]


def test_the_interpreter_is_free_while_rust_works() -> None:
    """Another thread counts on while one call works, and is not held until its end."""
    counts, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counts[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counts[0]
    absolve.rewrite("<a href=x>" * 1_000_000, "https://example.org/")
    during = counts[0] - before
    done.set()
    thread.join()
    assert during > 1000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.parametrize("function", [page, mbox, column])
def test_forked_processes_work(function: object) -> None:
    """The threads of a call end with it, so that those of a process that is forked after it are not missing."""
    assert callable(function)
    arguments = [1, 2, 3, 4]
    expected = [function(one) for one in arguments]
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(function, arguments, timeout=60)) == expected


def test_file_objects_are_called_from_other_threads(tmp_path: Path) -> None:
    """An object that calls the package again, while the package reads from it."""

    class Nested(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            assert absolve.rewrite("<a href=x>", "http://h/") == "<a href=http://h/x>"
            return super().read(size)

    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(absolve.rewrite_file, Nested(MBOX), tmp_path / f"{number}", type="mbox") for number in range(4)]
        assert [run.result(60).changed for run in runs] == [20_000] * 4
    assert len({(tmp_path / f"{number}").read_bytes() for number in range(4)}) == 1
