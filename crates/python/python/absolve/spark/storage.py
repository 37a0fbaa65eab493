"""Where files are: local folders, HDFS, object storage and all that fsspec opens, through ``pyarrow.fs``."""

from __future__ import annotations

import fnmatch
import hashlib
import io
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import lru_cache
from types import TracebackType
from typing import Any, Protocol
from urllib.parse import quote, unquote

import pyarrow.fs as pafs

#: The folder of an output that holds the manifest and unfinished files. Hadoop, Spark and pyarrow skip names with ``_``.
OWN_FOLDER = "_absolve"

#: A read from object storage is one request, so few large reads are faster than many small ones.
READ_BYTES = 8 << 20

#: What is read first behind a seek: it may be all that is needed, where a record is looked for.
SHORT_READ_BYTES = 1 << 20

#: S3 copies no larger object in one request, and ``pyarrow`` moves an object by copying it.
S3_MOVE_BYTES = 5 << 30

_OBJECT_STORES = {"s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "gcs": "gs"}
_HADOOP = ("hdfs", "viewfs")

_NO_FILE = "neither a file nor a folder"


class BinaryReader(Protocol):
    """A stream that bytes are read from."""

    def read(self, size: int = -1, /) -> bytes: ...

    def close(self) -> None: ...


class Ranges:
    """A file that is read from any place. The first read behind a seek is short, and those after it become longer, up to ``READ_BYTES``."""

    def __init__(self, file: Any) -> None:
        """Reads a random access file of ``pyarrow``."""
        self._file = file
        self._size = int(file.size())
        self._at = 0
        self._held = b""
        self._next = SHORT_READ_BYTES

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Goes to a place and returns it."""
        at = self._at - len(self._held)
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: at, os.SEEK_END: self._size}[whence]
        self._held = b""
        self._next = SHORT_READ_BYTES
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        """Returns some bytes, at most so many; none at the end."""
        if not self._held:
            self._held = self._file.read_at(max(0, min(self._next, self._size - self._at)), self._at)
            self._at += len(self._held)
            self._next = min(2 * self._next, READ_BYTES)
        data = self._held if size < 0 else self._held[:size]
        self._held = self._held[len(data) :]
        return data

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


@dataclass(frozen=True)
class Place:
    """A file or a folder on one file system."""

    filesystem: Any
    path: str
    prefix: str

    @property
    def url(self) -> str:
        """Returns the text that names this place, in the form in which it was given."""
        return self.prefix + self.path

    @property
    def name(self) -> str:
        """Returns the last segment of the path."""
        return self.path.rstrip("/").rsplit("/", 1)[-1]

    def below(self, relative: str) -> Place:
        """Returns the place at a relative path below this folder."""
        return Place(self.filesystem, f"{self.path.rstrip('/')}/{relative}" if relative else self.path, self.prefix)

    def is_within(self, other: Place) -> bool:
        """Returns whether this place is another one, or below it."""
        around = other._segments()
        return bool(self.filesystem == other.filesystem) and self._segments()[: len(around)] == around

    def _segments(self) -> list[str]:
        is_local = isinstance(self.filesystem, pafs.LocalFileSystem)
        path = os.path.realpath(self.path) if is_local else self.path
        return [segment for segment in path.split("/") if segment]

    def parent(self) -> Place:
        """Returns the folder around this place."""
        head, slash, _ = self.path.rstrip("/").rpartition("/")
        return Place(self.filesystem, head or slash, self.prefix)

    def make_folder(self) -> None:
        """Makes this folder and those around it."""
        # Object storage has no folders, and a job need not be allowed to make markers for them.
        if self.filesystem.type_name not in ("s3", "gcs"):
            self.filesystem.create_dir(self.path, recursive=True)

    def remove_folder(self) -> None:
        """Removes this folder and what it contains, if it exists."""
        if self.filesystem.get_file_info(self.path).type == pafs.FileType.Directory:
            self.filesystem.delete_dir(self.path)

    def size(self) -> int | None:
        """Returns the number of bytes of this file, or None if there is no such file."""
        info = self.filesystem.get_file_info(self.path)
        return int(info.size) if info.type == pafs.FileType.File else None

    def remove(self) -> None:
        """Removes this file, if it exists."""
        if self.size() is not None:
            self.filesystem.delete_file(self.path)

    def files(self) -> Iterator[Found]:
        """Lists the files at any depth below this folder; none if it does not exist."""
        if isinstance(self.filesystem, pafs.LocalFileSystem):
            yield from _local_files(self)
            return
        selector = pafs.FileSelector(self.path, recursive=True, allow_not_found=True)
        start = len(self.path.rstrip("/")) + 1
        for info in self.filesystem.get_file_info(selector):
            if info.type == pafs.FileType.File:
                yield _found(self, info.path[start:], info.size, info.mtime_ns)

    def open(self) -> BinaryReader:
        """Opens this file for reading from its beginning."""
        if self.filesystem.get_file_info(self.path).type == pafs.FileType.Unknown:
            raise OSError(_NO_FILE)  # A pipe would wait for its writer.
        reader: BinaryReader = self.filesystem.open_input_stream(self.path, compression=None, buffer_size=READ_BYTES)
        return reader

    def open_ranges(self) -> Ranges:
        """Opens this file for reading from any place of it."""
        if self.filesystem.get_file_info(self.path).type == pafs.FileType.Unknown:
            raise OSError(_NO_FILE)
        return Ranges(self.filesystem.open_input_file(self.path))


@dataclass(frozen=True)
class Found:
    """A file that an input names, with its size and time, which show whether it changed."""

    root: Place
    relative: str
    size: int
    modified: datetime | None

    @property
    def place(self) -> Place:
        """Returns the place of the file."""
        return self.root.below(self.relative)


@dataclass(frozen=True)
class Storage:
    """Finds places by their URLs. Small and picklable, so that a task finds them again."""

    s3_endpoint: str | None = None

    def locate(self, url: str) -> Place:
        """Returns the place that a path or a URL names; it need not exist."""
        scheme, mark, rest = url.partition("://")
        if not mark:
            return Place(_filesystem("file", "", None), os.path.abspath(url), "")
        if scheme == "file":
            return Place(_filesystem("file", "", None), unquote("/" + rest.partition("/")[2]), "")
        if scheme in _OBJECT_STORES:
            bucket = rest.partition("/")[0]
            return Place(_filesystem(_OBJECT_STORES[scheme], bucket, self.s3_endpoint), rest.rstrip("/"), f"{scheme}://")
        if scheme in _HADOOP:
            authority, _, path = rest.partition("/")
            return Place(_filesystem(scheme, authority, None), f"/{path}", f"{scheme}://{authority}")
        filesystem, path = _fsspec(url.removeprefix("fsspec+"))
        return Place(filesystem, path, "" if "://" in path else f"{scheme}://")

    def expand(self, url: str) -> list[Found]:
        """Returns the files that a path, a URL, a folder or a glob names, in the order of their names.

        ``*``, ``?`` and ``[…]`` match within a name, ``**`` any number of folders.
        """
        place = self.locate(url)
        info = place.filesystem.get_file_info(place.path)
        if info.type == pafs.FileType.File:
            return [_found(place.parent(), place.name, info.size, info.mtime_ns)]
        if info.type == pafs.FileType.Directory:
            return _sorted(place, lambda _: True)
        if info.type == pafs.FileType.Unknown:
            raise OSError(f"{url}: {_NO_FILE}")
        root, pattern = _split_glob(place)
        if not pattern:
            raise FileNotFoundError(f"{url}: no such file or folder")
        found = _sorted(root, lambda relative: _matches(relative.split("/"), pattern))
        if not found:
            raise FileNotFoundError(f"{url}: matches no file")
        return found

    def around(self, url: str) -> tuple[Place, list[str]]:
        """Returns the file or the folder that a URL names; of a glob the folder before its first wildcard, and the segments after it."""
        place = self.locate(url)
        is_there = place.filesystem.get_file_info(place.path).type != pafs.FileType.NotFound
        return (place, []) if is_there else _split_glob(place)


class Output(io.RawIOBase):
    """A file that is written under a temporary name, and appears under its own when it is whole.

    This holds for object storage too: ``pyarrow`` completes an upload when its stream is closed or dropped, also after an
    error, so half a file must never be at the final name.
    """

    def __init__(self, target: Place, temporary: Place) -> None:
        """Opens the temporary file."""
        super().__init__()
        self.target = target
        self.temporary = temporary
        self.size = 0
        self._digest = hashlib.sha256()
        temporary.parent().make_folder()
        self._stream = temporary.filesystem.open_output_stream(temporary.path, compression=None)

    @property
    def sha256(self) -> str:
        """Returns the digest of what is written so far."""
        return self._digest.hexdigest()

    def writable(self) -> bool:
        """Returns True."""
        return True

    def write(self, data: Any) -> int:
        """Writes all bytes and returns their number."""
        view = memoryview(data).cast("B")
        self.size += len(view)
        if self.size > S3_MOVE_BYTES and self.target.filesystem.type_name == "s3":
            raise OSError(
                f"{self.target.url}: S3 moves no object of more than 5 GiB into its place; "
                f"use an output that begins with fsspec+s3:// (pip install s3fs)"
            )
        self._digest.update(view)
        self._stream.write(view)
        return len(view)

    def finish(self) -> None:
        """Completes the temporary file."""
        self._stream.close()

    def publish(self) -> None:
        """Moves the finished file into its place, atomically where the file system can."""
        filesystem = self.target.filesystem
        self.target.parent().make_folder()
        try:
            filesystem.move(self.temporary.path, self.target.path)
        except OSError:
            # HDFS renames no file onto another one.
            if filesystem.type_name != "hdfs" or self.target.size() is None:
                raise
            filesystem.delete_file(self.target.path)
            filesystem.move(self.temporary.path, self.target.path)

    def discard(self) -> None:
        """Removes the temporary file, if it can."""
        for step in (self._stream.close, lambda: self.temporary.filesystem.delete_file(self.temporary.path)):
            try:
                step()
            except OSError:
                pass  # The run removes its folder of temporary files at the end.

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Discards what is not published after an error."""
        if kind is not None:
            self.discard()
        super().__exit__(kind, value, trace)


def _sorted(root: Place, wanted: Callable[[str], bool]) -> list[Found]:
    """Lists the files below a folder that are wanted, without hidden ones and those of the job itself."""
    return sorted(
        (found for found in root.files() if wanted(found.relative) and not _hidden(found.relative)),
        key=lambda found: found.relative,
    )


def _split_glob(place: Place) -> tuple[Place, list[str]]:
    """Returns the part of a path before its first wildcard, and the segments from there on."""
    segments = place.path.split("/")
    fixed = next((n for n, segment in enumerate(segments) if any(c in segment for c in "*?[")), len(segments))
    return Place(place.filesystem, "/".join(segments[:fixed]) or "/", place.prefix), segments[fixed:]


def _hidden(relative: str) -> bool:
    """Returns whether a name below a folder is hidden, or belongs to the job."""
    return any(segment.startswith(".") or segment == OWN_FOLDER for segment in relative.split("/"))


def _matches(segments: list[str], patterns: list[str]) -> bool:
    """Returns whether a path matches a glob, both split at slashes."""
    if not patterns:
        return not segments
    if patterns[0] == "**":
        return _matches(segments, patterns[1:]) or (bool(segments) and _matches(segments[1:], patterns))
    return bool(segments) and fnmatch.fnmatchcase(segments[0], patterns[0]) and _matches(segments[1:], patterns[1:])


def _local_files(root: Place) -> Iterator[Found]:
    """Lists all but folders, so that a link to nothing and a pipe fail as files; a linked folder once."""
    around = {os.path.realpath(root.path)}
    for folder, folders, names in os.walk(root.path, onerror=_raise_unless_absent, followlinks=True):
        for name in list(folders):
            real = os.path.realpath(os.path.join(folder, name))
            if real in around and os.path.islink(os.path.join(folder, name)):
                folders.remove(name)
            around.add(real)
        for name in names:
            path = os.path.join(folder, name)
            try:
                status = os.stat(path)
            except OSError:  # Its task says why.
                status = os.lstat(path)
            size = status.st_size if stat.S_ISREG(status.st_mode) else 0
            yield _found(root, os.path.relpath(path, root.path), size, status.st_mtime_ns)


def _raise_unless_absent(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def _found(root: Place, relative: str, size: int, mtime_ns: int | None) -> Found:
    """Returns what a listing says of a file."""
    modified = None
    if mtime_ns is not None:
        # Whole microseconds, as the manifest has them.
        seconds, rest = divmod(mtime_ns // 1000, 1_000_000)
        modified = datetime.fromtimestamp(seconds, timezone.utc).replace(microsecond=rest)
    return Found(root, relative, size, modified)


@lru_cache(maxsize=None)
def _filesystem(scheme: str, authority: str, s3_endpoint: str | None) -> Any:
    """Returns the file system of a bucket or a name node. Keeps it, because its connections are worth keeping."""
    if scheme == "file":
        return pafs.LocalFileSystem()
    query = ""
    if scheme == "s3" and s3_endpoint:
        protocol, _, host = s3_endpoint.rpartition("://")
        query = f"?endpoint_override={quote(host.rstrip('/'), safe='')}&scheme={protocol or 'https'}"
    filesystem, _ = pafs.FileSystem.from_uri(f"{scheme}://{authority}{query}")
    return filesystem


def _fsspec(url: str) -> tuple[Any, str]:
    """Returns the file system of fsspec for a URL, and the path on it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ValueError(f"{url}: this kind of storage needs fsspec (pip install fsspec)") from error
    filesystem, path = url_to_fs(url)
    return pafs.PyFileSystem(pafs.FSSpecHandler(filesystem)), path
