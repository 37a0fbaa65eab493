"""Web archives and mail as tables: ``spark.read.format("warc")`` and ``("mbox")``."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

import absolve.arrow
from absolve.spark.storage import Found, Storage
from absolve.spark.task import error_text

#: The columns of a document. ``path`` and ``error`` are of the file, the others as ``absolve.arrow.read`` gives them.
COLUMNS = pa.schema(
    [
        ("path", pa.string()),
        ("record", pa.string()),
        ("part", pa.string()),
        ("url", pa.string()),
        ("base", pa.string()),
        ("layer", pa.string()),
        ("media_type", pa.string()),
        ("content", pa.binary()),
        ("findings", pa.list_(pa.string())),
        ("error", pa.string()),
    ]
)

_OF_FILE = ("path", "error")
_ON_ERROR = ("fail", "row")

#: Options that are lists, with commas in the options of Spark.
_LISTS = {"groups", "attributes", "keep"}


class ArchiveSource(DataSource):
    """The documents of the files of one format."""

    extensions: tuple[str, ...] = ()

    def schema(self) -> StructType:
        """Returns the columns of a document."""
        return from_arrow_schema(COLUMNS)

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns a reader of the columns in a schema; the others are not read."""
        return ArchiveReader(self.name(), self.extensions, schema, dict(self.options))


class WarcSource(ArchiveSource):
    """The documents of WARC, ARC and WACZ files."""

    extensions = tuple(f"{e}{c}" for e in (".warc", ".arc") for c in ("", ".gz", ".zst")) + (".wacz",)

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "warc"


class MboxSource(ArchiveSource):
    """The documents of the messages of mbox files."""

    extensions = tuple(f"{e}{c}" for e in (".mbox", ".mbx") for c in ("", ".gz"))

    @classmethod
    def name(cls) -> str:
        """Returns the name of the format."""
        return "mbox"


class FilePartition(InputPartition):
    """One file."""

    def __init__(self, url: str) -> None:
        """Keeps the URL of the file."""
        self.url = url


class ArchiveReader(DataSourceReader):
    """Reads files as record batches, one file a partition."""

    def __init__(self, format: str, extensions: tuple[str, ...], schema: StructType, options: dict[str, str]) -> None:
        """Checks the schema and the options."""
        self.format = format
        self.extensions = extensions
        self.columns = to_arrow_schema(schema)
        for column in self.columns:
            if column.name not in COLUMNS.names or COLUMNS.field(column.name).type != column.type:
                known = ", ".join(f"{field.name}: {field.type}" for field in COLUMNS)
                raise ValueError(f"column {column.name}: {column.type}: the format {format} has {known}")
        options = {name.lower(): value for name, value in options.items()}
        self.urls = _urls(options)
        self.storage = Storage(options.pop("s3_endpoint", None))
        self.on_error = options.pop("on_error", "fail")
        if self.on_error not in _ON_ERROR:
            raise ValueError(f"on_error={self.on_error!r}: one of {', '.join(_ON_ERROR)}")
        self.options: dict[str, Any] = {
            name: value.split(",") if name in _LISTS else value for name, value in options.items()
        }
        self._check_options()

    def _check_options(self) -> None:
        """Raises the error of a wrong option on the driver, not in a task."""
        try:
            absolve.arrow.read(io.BytesIO(), name="-", columns=["record"], **self.options)
        except TypeError as error:
            raise ValueError(f"the format {self.format}: {error}") from error

    def partitions(self) -> list[InputPartition]:
        """Returns the files that the paths name."""
        return [FilePartition(found.place.url) for url in self.urls for found in self._files(url)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yields the documents of one file; with ``on_error=row``, at last a row that says what is wrong with it."""
        if not isinstance(partition, FilePartition):
            return  # No file matches; Spark asks for one partition nevertheless.
        try:
            yield from self._documents(partition.url)
        except Exception as error:
            if self.on_error == "fail":
                raise RuntimeError(f"{partition.url}: {error_text(error)}") from error
            values = {"path": partition.url, "error": error_text(error)}
            row = {name: values.get(name) for name in self.columns.names}
            yield pa.RecordBatch.from_pylist([row], schema=self.columns)

    def _documents(self, url: str) -> Iterator[pa.RecordBatch]:
        place = self.storage.locate(url)
        wanted = [name for name in self.columns.names if name not in _OF_FILE]
        reader = place.open()
        try:
            # A batch needs a column to have a length.
            # An mbox may have any name (Inbox); which archive a file is shows in its name or its first bytes.
            options = {"type": "mbox", **self.options} if self.format == "mbox" else self.options
            stream = absolve.arrow.read(reader, name=place.name, columns=wanted or ["record"], **options)
            for batch in pa.RecordBatchReader.from_stream(stream):
                own = {"path": pa.repeat(url, len(batch)), "error": pa.nulls(len(batch), pa.string())}
                columns = [own[f.name] if f.name in own else batch.column(f.name).cast(f.type) for f in self.columns]
                yield pa.RecordBatch.from_arrays(columns, schema=self.columns)
        finally:
            reader.close()

    def _files(self, url: str) -> list[Found]:
        """Returns the files of a path; of a folder those with an extension of the format."""
        found = self.storage.expand(url)
        if any(c in url for c in "*?[") or [file.place.path for file in found] == [self.storage.locate(url).path]:
            return found
        return [file for file in found if file.relative.lower().endswith(self.extensions)]


def _urls(options: dict[str, str]) -> list[str]:
    """Takes the paths out of the options: ``load`` puts one into ``path``, and several into ``paths`` as JSON."""
    several = options.pop("paths", None)
    one = options.pop("path", None)
    urls = [*(json.loads(several) if several else []), *([one] if one else [])]
    if not urls:
        raise ValueError("no path; give one to load()")
    return urls
