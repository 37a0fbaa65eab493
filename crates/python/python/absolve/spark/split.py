"""Large files in pieces, each of which is a task.

Where a piece begins and ends is found by its task (``absolve.arrow.file_edges``), which fails if no record begins where it ends. Then the
file is read as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from absolve.spark.manifest import DONE, FAILED, UNSPLIT, Row
from absolve.spark.storage import Place
from absolve.spark.task import FileTask

#: The bytes of a file up to which it is one task. A task takes seconds then, and reads a twentieth more to
#: find where its piece begins and ends.
SPLIT_BYTES = 256 << 20

#: How many pieces all files together would have at most. A driver starts some tens of tasks a second, so more pieces take longer, not shorter.
MOST_PIECES = 10_000

#: Names of files that cannot be read from their middle; the others are looked at by their tasks.
WHOLE_NAMES = (".wacz", ".zst", ".bz2", ".xz", ".lz4", ".mbox.gz", ".mbx.gz")


@dataclass(frozen=True)
class Plan:
    """The tasks of a job: first those of files and of pieces, then the files whose pieces could not be read by themselves."""

    files: Sequence[FileTask]
    first: Sequence[FileTask]
    #: The pieces of each file that has some, by its input.
    pieces: Mapping[str, Sequence[FileTask]]

    @property
    def tasks(self) -> list[FileTask]:
        """Returns all tasks that may have to be done."""
        return [*self.first, *(file for file in self.files if file.input in self.pieces)]

    def as_whole(self, rows: Mapping[str, Row]) -> list[FileTask]:
        """Returns the files that have to be read as a whole after their pieces."""
        return [file for file in self.files if any(row.status == UNSPLIT for row in self._of_pieces(file, rows))]

    def rows_of(self, file: FileTask, rows: Mapping[str, Row]) -> list[Row]:
        """Returns the row of a file, or those of its pieces if it was read in pieces."""
        of_pieces = self._of_pieces(file, rows)
        is_split = bool(of_pieces) and all(row.status in (DONE, FAILED) for row in of_pieces)
        return of_pieces if is_split else [rows[file.output]]

    def _of_pieces(self, file: FileTask, rows: Mapping[str, Row]) -> list[Row]:
        return [rows[piece.output] for piece in self.pieces.get(file.input, ())]


def plan(files: Sequence[FileTask], root: Place, split_bytes: int) -> Plan:
    """Returns the tasks of files, of which those of more bytes are split; none if that is 0. The order of the files is kept."""
    split_bytes = piece_bytes(sum(file.size for file in files), split_bytes)
    first: list[FileTask] = []
    pieces: dict[str, list[FileTask]] = {}
    for file in files:
        count = -(-file.size // split_bytes) if split_bytes else 1
        if count < 2 or file.input.lower().endswith(WHOLE_NAMES):
            first.append(replace(file, index=len(first)))
            continue
        name = file.output.removeprefix(root.below("partial/").url).removesuffix(".parquet")
        of_piece = [root.below(f"pieces/{name}.{number}-of-{count}.parquet").url for number in range(count)]
        pieces[file.input] = [
            replace(file, index=len(first) + number, output=output, piece=(number, count))
            for number, output in enumerate(of_piece)
        ]
        first += pieces[file.input]
    # Behind all pieces, so that the rows of no two tasks have one name.
    whole = [replace(file, index=len(first) + index) for index, file in enumerate(files)]
    return Plan(whole, first, pieces)


def piece_bytes(total: int, split_bytes: int) -> int:
    """Returns the bytes of a piece where files have so many together: ``split_bytes``, doubled until there are no more than ``MOST_PIECES``."""
    while split_bytes and split_bytes * MOST_PIECES < total:
        split_bytes *= 2  # So a few more files change no piece.
    return split_bytes


def of_file(rows: Iterable[Row]) -> Row:
    """Returns the row that says what became of a file: the first that is bad, or the first of all."""
    found = list(rows)
    return next((row for row in found if row.status != DONE), found[0])
