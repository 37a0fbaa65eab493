"""Large files in pieces: the same edges, whatever is in them."""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from places import BUCKET
from test_spark_job import edges_in, kill_in_the_middle, manifest
from warcs import response, write_warc

import absolve.arrow
from absolve.spark.__main__ import main
from absolve.spark.split import plan
from absolve.spark.storage import Storage
from absolve.spark.task import FileTask

MIB = 1 << 20

DATE = "Thu Jan  1 00:00:00 2026"

#: What messages are pages of: without it a mailbox has no edges.
MAIL = "https://mail.example/"
OPTIONS = ["--nodes", "pages", "--message-url", MAIL]


def page(number: int) -> bytes:
    """Returns a page with links to other hosts, and text that hardly compresses."""
    noise = random.Random(number).randbytes(900).hex()
    links = "".join(f'<a rel=nofollow href="//h{number * n % 17}.example/{n}">{n}</a>\n' for n in range(1, 9))
    return f"<title>{number}</title>\n{links}<p>{noise}".encode()


def url(number: int) -> str:
    return f"https://site-{number % 11}.example/{number}/"


def stored(record: bytes) -> bytes:
    """Returns the same member without compression: what is in it stands in the file as it is."""
    return gzip.compress(gzip.decompress(record), compresslevel=0, mtime=0)


def warc_gz() -> bytes:
    """Returns an archive without anything odd."""
    return b"".join(response(url(number), page(number)) for number in range(80))


def nested_warc_gz() -> bytes:
    """Returns an archive with archives in members that are stored, and with what only begins like a member."""
    inner = b"".join(response(url(number), page(number)) for number in range(20))
    magic = b"\x1f\x8b\x08" * 40 + b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + gzip.compress(b"WARC is no record")
    members = []
    for number in range(60):
        members.append(response(url(number), page(number)))
        if number % 20 == 7:
            members.append(stored(response(url(number), inner, "application/gzip")))
        if number % 5 == 0:
            members.append(stored(response(url(number), page(number) + magic)))
    return b"".join(members)


def plain_warc() -> bytes:
    """Returns an archive without compression, with lines in pages that look like records."""
    lines = b"\r\nWARC/1.0\r\nWARC-Type: response\r\nContent-Length: 4000\r\n\r\n"
    pages = (page(number) + lines * (number % 30 == 9) for number in range(80))
    return b"".join(gzip.decompress(response(url(number), body)) for number, body in enumerate(pages))


def message(number: int, body: bytes, *fields: str) -> bytes:
    head = [f"From a@b {DATE}", "Content-Type: text/html", *fields]
    return "\n".join(head).encode() + b"\n\n" + body + b"\n\n"


def mbox() -> bytes:
    """Returns a mailbox with quoted and unquoted ``From`` in bodies."""
    odd = b"\nFrom here on\n>From a@b Thu Jan  1 00:00:00 2026\n\nFrom me, without a date\n"
    return b"".join(message(number, page(number) + odd * (number % 3)) for number in range(80))


def nested_mbox() -> bytes:
    """Returns a mailbox in which the ``Content-Length`` of messages reaches over separator lines."""
    messages = []
    for number in range(40):
        inner = b"".join(message(n, page(n)) for n in range(number, number + number % 9))
        body = page(number) + b"\n\n" + inner
        length = len(body) if number % 2 else len(body) // 2
        messages.append(message(number, body, f"Content-Length: {length}"))
    return b"".join(messages)


FILES: dict[str, Callable[[], bytes]] = {
    "a.warc.gz": warc_gz,
    "nested.warc.gz": nested_warc_gz,
    "plain.warc": plain_warc,
    "a.mbox": mbox,
    "nested.mbox": nested_mbox,
    "packed.mbox.gz": lambda: gzip.compress(mbox(), mtime=0),
    "one-member.warc.gz": lambda: gzip.compress(plain_warc(), mtime=0),
    "cut.warc.gz": lambda: warc_gz()[:-700],
}

Edges = dict[tuple[str, str], tuple[int, int, str | None, str | None]]


def edges(path: Path | str, piece: tuple[int, int] | None = None, s3_endpoint: str | None = None) -> Edges:
    """Returns the edges of a file or a piece, as tasks read it."""
    place = Storage(s3_endpoint).locate(str(path))
    stream = absolve.arrow.file_edges(place.open_ranges(), name=place.name, nodes="pages", piece=piece, message_url=MAIL)
    rows = pa.RecordBatchReader.from_stream(stream).read_all().to_pylist()
    return {(row["source"], row["target"]): (row["links"], row["nofollow"], row["first"], row["last"]) for row in rows}


def total(parts: list[Edges]) -> Edges:
    """Returns the sums of the edges of pieces, all of which have one date or none."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    dates: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    for part in parts:
        for edge, (links, nofollow, *both) in part.items():
            counts.setdefault(edge, Counter()).update(links=links, nofollow=nofollow)
            dates[edge] = (both[0], both[1])
    return {edge: (count["links"], count["nofollow"], *dates[edge]) for edge, count in counts.items()}


@pytest.mark.parametrize("name", [name for name in FILES if name != "cut.warc.gz"])
def test_pieces_without_an_error_are_the_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name]())
    whole = edges(path)
    assert whole
    split = 0
    for count in (1, 2, 3, 5, 7, 12, 20, 33, 64):
        try:
            parts = [edges(path, (number, count)) for number in range(count)]
        except pa.ArrowException as error:
            assert "does not end where a record begins" in str(error) or "damaged" in str(error) or "incomplete" in str(error)
            continue
        assert total(parts) == whole, count
        split += sum(1 for part in parts if part) - 1
    if name in ("a.warc.gz", "a.mbox"):
        assert split > 60, "all pieces are read by themselves"
    if name in ("packed.mbox.gz", "one-member.warc.gz"):
        assert split == 0


def test_pieces_are_read_from_object_storage(s3: Any, s3_endpoint: str, tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(warc_gz())
    s3.put_object(Bucket=BUCKET, Key="pieces/a.warc.gz", Body=warc_gz())
    parts = [edges(f"s3://{BUCKET}/pieces/a.warc.gz", (number, 5), s3_endpoint) for number in range(5)]
    assert all(parts) and total(parts) == edges(tmp_path / "a.warc.gz")


def test_ranges_are_the_file(tmp_path: Path) -> None:
    content = random.Random(1).randbytes(5 * MIB)
    (tmp_path / "a").write_bytes(content)
    reader = Storage().locate(str(tmp_path / "a")).open_ranges()
    assert reader.seek(0, os.SEEK_END) == len(content) and reader.read(10) == b""
    assert reader.seek(3 * MIB) == 3 * MIB and reader.read(10) == content[3 * MIB : 3 * MIB + 10]
    assert reader.seek(5, os.SEEK_CUR) == 3 * MIB + 15
    assert b"".join(iter(lambda: reader.read(700_000), b"")) == content[3 * MIB + 15 :]
    reader.seek(0)
    assert len(reader.read()) == MIB and len(reader.read()) == 2 * MIB
    reader.close()


def test_a_piece_has_a_number_below_the_count(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    path.write_bytes(mbox())
    with pytest.raises(ValueError, match=r"piece=\(3, 3\)"):
        absolve.arrow.file_edges(path, nodes="hosts", piece=(3, 3))
    stream = absolve.arrow.file_edges(path, nodes="hosts", piece=(1, 3), message_url=MAIL)
    assert pa.RecordBatchReader.from_stream(stream).read_all().num_rows > 0


@pytest.mark.parametrize("size", ["20K", "64K"])
def test_the_graph_of_pieces_is_that_of_the_command_line(spark: Any, command: str, tmp_path: Path, size: str) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    (source / "below").mkdir(parents=True)
    for name, content in FILES.items():
        (source / ("below" if name == "a.mbox" else ".") / name).write_bytes(content())
    run = ["graph", "--input", str(source), "--output", str(output), "--split-size", size, *OPTIONS]
    if size == "20K":
        threading.Thread(target=kill_in_the_middle, args=(spark, output), daemon=True).start()
    assert main(run) == 1
    call = [command, "links", str(source), "--json", "--graph", "pages", "-q", "-o", str(tmp_path / "edges"), *OPTIONS[2:]]
    assert subprocess.run(call).returncode == 1
    assert edges_in(output) == [json.loads(line) for line in (tmp_path / "edges").read_text().splitlines()]
    rows = manifest(output)
    states: dict[str, set[str]] = {name: set() for name in FILES}
    for row in rows:
        if row["piece"]:
            states[Path(row["input"]).name].add(row["status"])
    whole = {Path(row["input"]).name: row["status"] for row in rows if not row["piece"]}
    assert states["a.warc.gz"] == states["a.mbox"] == {"done"} and "a.mbox" not in whole
    assert whole["cut.warc.gz"] == "damaged" and "unsplit" in states["cut.warc.gz"]
    assert whole["packed.mbox.gz"] == "done"
    if size == "20K":
        assert "unsplit" in states["nested.warc.gz"] and whole["nested.warc.gz"] == "done"
    before = {path: path.stat().st_mtime_ns for path in output.rglob("*.parquet") if "of-" in path.name}
    assert len(before) > 10
    assert main(run) == 1
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_pieces_are_as_many_as_a_driver_can_start(tmp_path: Path) -> None:
    def tasks(sizes: list[int], split_bytes: int = 256 * MIB) -> list[str]:
        files = [FileTask(n, f"/in/{n}.warc.gz", f"{root.url}/partial/{n}.warc.gz.parquet", size, None) for n, size in enumerate(sizes)]
        planned = plan(files, root, split_bytes)
        assert [task.index for task in planned.first] == list(range(len(planned.first)))
        return [task.output.removeprefix(f"{root.url}/") for task in planned.first]

    root = Storage().locate(str(tmp_path))
    assert tasks([300 * MIB, 256 * MIB]) == [
        "pieces/0.warc.gz.0-of-2.parquet",
        "pieces/0.warc.gz.1-of-2.parquet",
        "partial/1.warc.gz.parquet",
    ]
    assert tasks([300 * MIB, 0], 0) == ["partial/0.warc.gz.parquet", "partial/1.warc.gz.parquet"]
    crawl = [1024 * MIB] * 9_000
    assert len(tasks(crawl)) == 9_000
    assert len(tasks([100 * 1024 * MIB, *crawl])) == 9_000 + 100


def test_a_graph_is_resumed_at_its_pieces(spark: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, output = tmp_path / "a.warc.gz", tmp_path / "out"
    write_warc(source, [(url(number), page(number)) for number in range(60)])
    run = ["graph", "--input", str(source), "--output", str(output), "--split-size", "16K"]
    assert main(run) == 0
    expected = edges_in(output)
    pieces = {path: path.stat().st_mtime_ns for path in sorted((output / "pieces").glob("*.parquet"))}
    assert len(pieces) > 3
    lost = next(iter(pieces))
    lost.unlink()
    assert main(run) == 0
    assert edges_in(output) == expected
    assert {path for path, time in pieces.items() if path.stat().st_mtime_ns != time} == {lost}
    assert main([*run[:-1], "0"]) == 0
    assert edges_in(output) == expected
    assert (output / "partial/a.warc.gz.parquet").exists()
    with pytest.raises(SystemExit):
        main([*run[:-1], "many"])
    assert "'many' is not a number of bytes" in capfd.readouterr().err
