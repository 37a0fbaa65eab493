"""What a job did: a row for each input, in Parquet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from absolve.spark.storage import OWN_FOLDER, Output, Place

SCHEMA = pa.schema(
    [
        ("input", pa.string()),
        ("output", pa.string()),
        ("status", pa.string()),
        ("error", pa.string()),
        ("sha256", pa.string()),
        ("bytes_in", pa.int64()),
        ("bytes_out", pa.int64()),
        ("modified", pa.timestamp("us", tz="UTC")),
        ("records", pa.int64()),
        ("documents", pa.int64()),
        ("links", pa.int64()),
        ("rewritten", pa.int64()),
        ("mapped", pa.int64()),
        ("absolute", pa.int64()),
        ("same_document", pa.int64()),
        ("kept", pa.int64()),
        ("unresolved", pa.int64()),
        ("findings", pa.map_(pa.string(), pa.int64())),
        ("seconds", pa.float64()),
        ("finished", pa.timestamp("us", tz="UTC")),
        ("options", pa.string()),
        ("version", pa.string()),
        ("run", pa.string()),
        ("piece", pa.string()),
    ]
)

DONE = "done"
DAMAGED = "damaged"
FAILED = "failed"
UNSPLIT = "unsplit"


@dataclass(frozen=True)
class Row:
    """What became of one input, or of a piece of one.

    ``done``: its output is whole. ``damaged``: its output holds what could be read. ``failed``: it has no new output. ``unsplit``: the
    piece could not be read by itself, so the input has a row of its own.
    """

    input: str
    output: str
    status: str
    bytes_in: int
    modified: datetime | None
    options: str
    version: str
    run: str
    finished: datetime
    seconds: float
    error: str | None = None
    sha256: str | None = None
    bytes_out: int | None = None
    records: int | None = None
    documents: int | None = None
    links: int | None = None
    rewritten: int | None = None
    mapped: int | None = None
    absolute: int | None = None
    same_document: int | None = None
    kept: int | None = None
    unresolved: int | None = None
    findings: dict[str, int] = field(default_factory=dict)
    piece: str | None = None

    @property
    def has_output(self) -> bool:
        """Returns whether the output of this row was written: a sidecar without conversions is not, and has no digest."""
        return self.status != FAILED and self.sha256 is not None


class Manifest:
    """The rows of all runs into one output folder.

    Each task writes its own small file. At its end a run puts the rows of all runs into one file, so a job that is killed
    leaves many small files and no broken one.
    """

    def __init__(self, root: Place) -> None:
        """Describes the manifest of an output folder; writes nothing."""
        self._own = root.below(OWN_FOLDER)
        self.folder = self._own.below("manifest")

    def temporary(self, run: str, name: str) -> Place:
        """Returns a place for a file that is not complete yet."""
        return self._own.below(f"tmp/{run}/{name}")

    def read(self) -> dict[str, Row]:
        """Returns the last row of each output."""
        rows: dict[str, Row] = {}
        for row in sorted(_rows(self.folder), key=lambda row: row.finished):
            rows[row.output] = row
        return rows

    def write_part(self, run: str, index: int, row: Row, attempt: str) -> None:
        """Writes the row of one task."""
        self._write(self._part(run, index), [row], run, f"{attempt}-{index}.parquet")

    def read_part(self, run: str, index: int) -> Row | None:
        """Returns the row that an earlier attempt of a task wrote."""
        part = self._part(run, index)
        return None if part.size() is None else next(iter(_rows(part)))

    def compact(self, run: str, rows: Iterable[Row]) -> None:
        """Puts all rows into one file, and removes the files and the unfinished outputs that were there before."""
        before = [found.place for found in self.folder.files()]
        whole = self.folder.below(f"{run}.parquet")
        self._write(whole, rows, run, "manifest.parquet")
        self.folder.below(run).remove_folder()
        for place in before:
            # The rows of the runs before are in the new file.
            if place.path != whole.path and place.size() is not None:
                place.filesystem.delete_file(place.path)
        self.remove_temporary()

    def remove_temporary(self) -> None:
        """Removes what attempts left that were killed."""
        self._own.below("tmp").remove_folder()

    def _part(self, run: str, index: int) -> Place:
        return self.folder.below(f"{run}/{index:06}.parquet")

    def _write(self, target: Place, rows: Iterable[Row], run: str, name: str) -> None:
        table = pa.Table.from_pylist([_values(row) for row in rows], schema=SCHEMA)
        with Output(target, self.temporary(run, name)) as output:
            pq.write_table(table, output)
            output.finish()
            output.publish()


def _rows(place: Place) -> Iterable[Row]:
    """Reads the rows of a file, or of all files in a folder."""
    info = place.filesystem.get_file_info(place.path)
    if info.type == pafs.FileType.NotFound:
        return
    paths = [place.path] if info.type == pafs.FileType.File else [found.place.path for found in place.files()]
    if not paths:
        return
    names = [item.name for item in fields(Row)]
    # Files, not a folder: pyarrow would skip the folder because of the underscore in its path.
    table = pq.read_table(paths, filesystem=place.filesystem, schema=SCHEMA, partitioning=None)
    for values in table.select(names).to_pylist():
        yield _row(values)


def _row(values: dict[str, Any]) -> Row:
    return Row(**{**values, "findings": dict(values["findings"] or [])})


def _values(row: Row) -> dict[str, Any]:
    return {**asdict(row), "findings": sorted(row.findings.items())}
