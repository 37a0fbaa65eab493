"""What one task of a job does: one file, or a piece of one, from its storage to its storage."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib.metadata import version
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import absolve
from absolve.spark.manifest import DAMAGED, DONE, FAILED, UNSPLIT, Manifest, Row
from absolve.spark.storage import BinaryReader, Output, Ranges, Storage

#: Rows of a row group in Parquet: readers want large ones, and this many links take some tens of megabytes.
ROW_GROUP = 100_000

#: A task that takes longer says how far it is, and again after as many seconds.
PROGRESS_SECONDS = 30
GIB = 1 << 30

_COUNTS = ("documents", "links", "rewritten", "mapped", "absolute", "same_document", "kept", "unresolved")


@dataclass(frozen=True)
class Job:
    """What all tasks of a run have in common."""

    kind: str
    root: str
    run: str
    storage: Storage
    options: dict[str, Any]
    identity: str
    threads: int
    last_attempt: int


@dataclass(frozen=True)
class FileTask:
    """One input and its output, or a piece of an input."""

    index: int
    input: str
    output: str
    size: int
    modified: datetime | None
    #: The number of the piece, from 0, and how many there are.
    piece: tuple[int, int] | None = None


class UnsplitError(Exception):
    """A piece cannot be read by itself."""


def run_task(job: Job, task: FileTask, attempt_number: int, attempt: str) -> Row:
    """Does one file and returns its row; an error of the file is a row too.

    The row is in the manifest just before the output is in its place. So a row without an output is a file to do again, and
    an output without a row is not from this job.
    """
    manifest = Manifest(job.storage.locate(job.root))
    before = manifest.read_part(job.run, task.index)
    if before is not None and is_complete(before, job.storage.locate(task.output).size()):
        return before
    started = time.monotonic()
    if 0 < job.last_attempt <= attempt_number:
        row = _row(job, task, started, FAILED, error=_LOST_WORKERS)
    else:
        try:
            return _work(job, task, manifest, attempt, started)
        except UnsplitError as error:
            row = _row(job, task, started, UNSPLIT, error=str(error))
        except Exception as error:  # Whatever is wrong with one file, the others go on.
            row = _row(job, task, started, FAILED, error=error_text(error))
    manifest.write_part(job.run, task.index, row, attempt)
    return row


_LOST_WORKERS = "each process that worked on this file ended without an answer; it may need more memory than a task has"


def is_complete(row: Row, size: int | None) -> bool:
    """Returns whether a row says that its file is done, and its output is there."""
    return row.status != FAILED and (size == row.bytes_out or not row.has_output)


def _work(job: Job, task: FileTask, manifest: Manifest, attempt: str, started: float) -> Row:
    """Writes the output under the name of this attempt, then the row, then moves the output into its place."""
    source = job.storage.locate(task.input)
    target = job.storage.locate(task.output)
    temporary = manifest.temporary(job.run, f"{attempt}-{target.name}")
    work = _rewrite if job.kind == "rewrite" else _write_table
    with Output(target, temporary) as output:
        reader = _WatchedRanges(source.open_ranges(), task) if task.piece else _Watched(source.open(), task)
        try:
            status, values = work(job, task, source.name, reader, output)
        finally:
            reader.close()
        output.finish()
        # Of an ARC only its conversions are written, whatever ``warc`` is.
        is_empty_sidecar = output.size == 0 and (task.size > 0 or job.options.get("warc") == "sidecar")
        sha256 = None if is_empty_sidecar else output.sha256
        row = _row(job, task, started, status, sha256=sha256, bytes_out=output.size, **values)
        manifest.write_part(job.run, task.index, row, attempt)
        if row.has_output:
            output.publish()
        else:
            output.discard()
            target.remove()  # What an earlier run wrote of an earlier input.
    return row


def _rewrite(job: Job, task: FileTask, name: str, reader: _Watched, output: Output) -> tuple[str, dict[str, Any]]:
    status, error = DONE, None
    try:
        report = absolve.rewrite_file(reader, output, name=name, threads=job.threads, **job.options)
    except absolve.FileError as damage:
        if damage.report is None:
            raise
        status, error, report = DAMAGED, "; ".join(damage.report.errors), damage.report
    values = {count: getattr(report.counts, count) for count in _COUNTS}
    return status, {**values, "records": report.records, "findings": dict(report.findings), "error": error}


def _write_table(job: Job, task: FileTask, name: str, reader: _Watched, output: Output) -> tuple[str, dict[str, Any]]:
    status, error, count = DONE, None, 0
    findings: Counter[str] = Counter()
    table = absolve.arrow.file_links if job.kind == "links" else absolve.arrow.file_edges
    piece: dict[str, Any] = {"piece": task.piece} if task.piece else {}
    stream = pa.RecordBatchReader.from_stream(
        table(
            reader,
            name=name,
            threads=job.threads,
            on_finding=lambda finding: findings.update([finding.code]),
            **piece,
            **job.options,
        )
    )
    with pq.ParquetWriter(output, stream.schema) as writer:
        held: list[pa.RecordBatch] = []
        try:
            for batch in stream:
                held.append(batch)
                count += len(batch)
                if sum(map(len, held)) >= ROW_GROUP:
                    _write_group(writer, task.input, held)
                    held = []
        except pa.ArrowException as damage:
            # A stream has but one kind of error. If reading failed, another try may not; damage stays.
            if task.piece and reader.error is None:
                raise UnsplitError(error_text(damage)) from damage
            if reader.error is not None or count == 0:
                raise reader.error or damage from damage
            status, error = DAMAGED, error_text(damage)
        if held:
            _write_group(writer, task.input, held)
    return status, {"links": count, "findings": dict(findings), "error": error}


def _write_group(writer: pq.ParquetWriter, path: str, batches: list[pa.RecordBatch]) -> None:
    """Writes batches as one row group. The path of links is that of their file in the storage."""
    table = pa.Table.from_batches(batches)
    if "path" in table.column_names:
        table = table.set_column(0, table.schema.field("path"), pa.repeat(path, table.num_rows))
    writer.write_table(table)


class _Watched:
    """A stream that remembers why it could not be read, and says on stderr now and then how far it is."""

    def __init__(self, reader: BinaryReader, task: FileTask) -> None:
        self._reader = reader
        self._task = task
        self._bytes = 0
        self._said = time.monotonic()
        self.error: Exception | None = None

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._reader.read(size)
        except Exception as error:
            self.error = error
            raise
        self._bytes += len(data)
        if time.monotonic() - self._said >= PROGRESS_SECONDS:
            self._said = time.monotonic()
            part = f"{self._bytes / GIB:.1f} of {self._task.size / GIB:.1f} GiB read"
            print(f"absolve: {self._task.input}: {part}", file=sys.stderr, flush=True)
        return data

    def close(self) -> None:
        self._reader.close()


class _WatchedRanges(_Watched):
    """The same of a file that is read from any place."""

    def __init__(self, reader: Ranges, task: FileTask) -> None:
        super().__init__(reader, task)
        self._ranges = reader

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return self._ranges.seek(offset, whence)


def _row(job: Job, task: FileTask, started: float, status: str, **values: Any) -> Row:
    return Row(
        input=task.input,
        output=task.output,
        status=status,
        bytes_in=task.size,
        modified=task.modified,
        options=job.identity,
        version=version("absolve"),
        run=job.run,
        finished=datetime.now(timezone.utc),
        seconds=time.monotonic() - started,
        piece=f"{task.piece[0] + 1} of {task.piece[1]}" if task.piece else None,
        **values,
    )


def error_text(error: Exception) -> str:
    """Returns the error with its kind, because the text of some is only a name. That of a stream has only its text."""
    if isinstance(error, pa.ArrowException):
        return str(error).removeprefix("External error: ")
    return f"{type(error).__name__}: {error}"
