"""Where outputs are, and what they contain."""

from __future__ import annotations

from pathlib import Path

#: The bucket of the S3 interface.
BUCKET = "archives"


def contents(folder: Path) -> dict[str, bytes]:
    """Returns the files of a folder and their bytes, without those of the job itself."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    relative = {str(path.relative_to(folder)): path for path in files}
    return {name: path.read_bytes() for name, path in relative.items() if not name.startswith("_absolve/")}
