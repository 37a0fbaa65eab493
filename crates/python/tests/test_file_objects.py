"""File objects that misbehave: the exception is theirs, or says what is wrong with them."""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import absolve

MESSAGE = b"From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n\n"
MBOX = MESSAGE * 50_000


class Source:
    """A file object of one method."""

    def __init__(self, read: Callable[[int], Any]) -> None:
        self.read = read


class Target:
    def __init__(self, write: Callable[[bytes], Any]) -> None:
        self.write = write


def run(source: Any, target: Any, **options: Any) -> absolve.FileReport:
    return absolve.rewrite_file(source, target, type="mbox", **options)


def expected() -> bytes:
    output = io.BytesIO()
    run(io.BytesIO(MBOX), output)
    assert output.getvalue().count(b"http://h/x") == 50_000
    return output.getvalue()


def test_short_reads_and_short_writes_are_no_errors() -> None:
    source, parts = io.BytesIO(MBOX), []

    def write(data: bytes) -> int:
        parts.append(data[: 1 + len(data) // 2])
        return len(parts[-1])

    run(Source(lambda size: source.read(min(size, 70_001))), Target(write))
    assert b"".join(parts) == expected()


def test_a_writer_may_return_nothing() -> None:
    parts: list[bytes] = []
    run(io.BytesIO(MBOX), Target(parts.append))
    assert b"".join(parts) == expected()


@pytest.mark.parametrize("after", [0, 1, 2])
def test_an_exception_of_read_is_raised(after: int, tmp_path: Path) -> None:
    source, calls = io.BytesIO(MBOX), iter(range(after))

    def read(size: int) -> bytes:
        if next(calls, None) is None:
            raise ConnectionResetError("the bucket is gone")
        return source.read(size)

    for target in (tmp_path / "out.mbox", io.BytesIO()):
        with pytest.raises(ConnectionResetError, match="the bucket is gone"):
            run(Source(read), target)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("after", [0, 1])
def test_an_exception_of_write_is_raised(after: int) -> None:
    calls = iter(range(after))

    def write(data: bytes) -> int:
        if next(calls, None) is None:
            raise BrokenPipeError("nobody reads")
        return len(data)

    with pytest.raises(BrokenPipeError, match="nobody reads"):
        run(io.BytesIO(MBOX * 4), Target(write))


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_exception_of_on_finding_is_raised(error: type[BaseException], tmp_path: Path) -> None:
    def on_finding(finding: absolve.Finding) -> None:
        raise error(finding.code)

    mbox = b"From a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n<a href=x>\n\n"
    # At the end of the input as in the middle, and for a document, which goes through a temporary file.
    for content, kind in ((mbox, "mbox"), (mbox * 100_000, "mbox"), (b"<a href=x>", "html")):
        with pytest.raises(error, match="no-base"):
            absolve.rewrite_file(io.BytesIO(content), tmp_path / "out", on_finding=on_finding, type=kind)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="read.. must return bytes, not str; open the file in binary mode"):
        run(io.StringIO("From "), tmp_path / "out")
    with pytest.raises(TypeError, match="bytes"):
        run(io.BytesIO(MBOX), io.StringIO())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [3, bytearray(b"x"), ["x"]])
def test_what_is_no_bytes_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=type(wrong).__name__):
        run(Source(lambda size: wrong), io.BytesIO())


def test_too_many_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="more bytes than it was called for"):
        run(Source(lambda size: b"x" * (size + 1)), io.BytesIO())


@pytest.mark.parametrize("wrong", ["3", -1, 2.5])
def test_a_wrong_number_of_written_bytes_is_refused(wrong: Any) -> None:
    with pytest.raises((TypeError, OverflowError)):
        run(io.BytesIO(MBOX), Target(lambda data: wrong))


def test_a_writer_that_writes_nothing_is_an_error() -> None:
    with pytest.raises(OSError, match="write"):
        run(io.BytesIO(MBOX), Target(lambda data: 0))


def test_a_writer_that_claims_too_much_is_an_error() -> None:
    with pytest.raises(ValueError, match="write.. returned .*, and was called with .* bytes"):
        run(io.BytesIO(MBOX), Target(lambda data: len(data) + 1))


def test_a_raw_file_that_takes_no_bytes_is_an_error() -> None:
    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> None:
            return None

    with pytest.raises(BlockingIOError, match="write.. returned None"):
        run(io.BytesIO(MBOX), Full())


def test_a_full_pipe_that_does_not_block_is_an_error() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with open(reader, "rb"), open(writer, "wb", buffering=0) as pipe:
        with pytest.raises(BlockingIOError, match="pass a file that blocks"):
            run(io.BytesIO(MBOX), pipe)


def test_a_reader_without_bytes_yet_is_named() -> None:
    with pytest.raises(TypeError, match="read.. returned None, .*; pass a file that blocks"):
        run(Source(lambda size: None), io.BytesIO())


def test_a_closed_file_is_an_error() -> None:
    closed = io.BytesIO(MBOX)
    closed.close()
    with pytest.raises(ValueError, match="closed file"):
        run(closed, io.BytesIO())
    with pytest.raises(ValueError, match="closed file"):
        run(io.BytesIO(MBOX), closed)


@pytest.mark.parametrize("wrong", [None, 3, object(), b"path"])
def test_what_is_neither_path_nor_file_is_refused(wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="input must be a path or a binary file object"):
        absolve.rewrite_file(wrong, tmp_path / "out")
    with pytest.raises(TypeError, match="output must be a path or a binary file object"):
        absolve.rewrite_file(io.BytesIO(), wrong)
    assert list(tmp_path.iterdir()) == []


def test_an_archive_from_objects_through_temporary_files(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error on the way leaves no temporary file."""
    folder = inputs / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    content = (inputs / "crawl.warc.gz").read_bytes()
    output = io.BytesIO()
    absolve.rewrite_file(io.BytesIO(content), output, warc="resource", date=0, name="crawl.warc.gz")
    assert output.getvalue()[:2] == b"\x1f\x8b"
    assert list(folder.iterdir()) == []

    def write(data: bytes) -> int:
        raise BrokenPipeError("nobody reads")

    with pytest.raises(BrokenPipeError):
        absolve.rewrite_file(io.BytesIO(content), Target(write), warc="resource", name="crawl.warc.gz")
    assert list(folder.iterdir()) == []
