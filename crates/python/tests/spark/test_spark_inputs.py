"""What is among the inputs besides files: pipes, and links to nothing, to files and to folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from places import contents
from warcs import page, write_warc

import absolve.spark
from absolve.spark.__main__ import main
from absolve.spark.storage import Storage


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Returns a folder with one web archive, a link to it, a link to nothing and a pipe."""
    folder = tmp_path / "in"
    folder.mkdir()
    write_warc(folder / "a.warc.gz", [("https://example.org/1/", page(1))])
    (folder / "linked.warc.gz").symlink_to("a.warc.gz")
    (folder / "nothing.warc.gz").symlink_to("nowhere.warc.gz")
    os.mkfifo(folder / "pipe.warc.gz")
    os.mkfifo(folder / "pipe.sock")
    return folder


@pytest.mark.parametrize("kind", ["rewrite", "links"])
@pytest.mark.parametrize("glob", ["", "/*.warc.gz"])
def test_a_pipe_and_a_link_to_nothing_are_failed_rows(
    spark: Any, odd: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], kind: str, glob: str
) -> None:
    output = tmp_path / "out"
    assert main([kind, "--input", f"{odd}{glob}", "--output", str(output)]) == 1
    message = capfd.readouterr().err
    assert "2 of 4 files done, 0 damaged, 2 failed" in message
    assert f"{odd}/pipe.warc.gz: failed: OSError: neither a file nor a folder" in message
    assert f"{odd}/nothing.warc.gz: failed: FileNotFoundError" in message
    end = ".parquet" if kind == "links" else ""
    assert list(contents(output)) == [f"a.warc.gz{end}", f"linked.warc.gz{end}"]
    (manifest,) = (output / "_absolve/manifest").glob("*.parquet")
    assert sorted(pq.read_table(manifest, partitioning=None)["status"].to_pylist()) == ["done", "done", "failed", "failed"]


def test_a_pipe_that_is_the_input_is_refused(
    spark: Any, odd: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pipe = odd / "pipe.warc.gz"
    assert main(["rewrite", "--input", str(pipe), "--output", str(tmp_path / "out")]) == 2
    assert f"absolve: {pipe}: neither a file nor a folder\n" in capfd.readouterr().err


def test_a_pipe_and_a_link_to_nothing_are_rows_of_a_table(spark: Any, odd: Path) -> None:
    absolve.spark.register(spark)
    rows = spark.read.format("warc").option("on_error", "row").load(str(odd)).select("path", "error").collect()
    errors = {Path(row.path).name: row.error and row.error.partition(":")[0] for row in rows}
    assert errors == {
        "a.warc.gz": None,
        "linked.warc.gz": None,
        "nothing.warc.gz": "FileNotFoundError",
        "pipe.warc.gz": "OSError",
    }


def test_links_to_folders_are_followed_once(tmp_path: Path) -> None:
    for name in ("in/a.warc", "in/x/b.warc", "elsewhere/c.warc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "in/around").symlink_to(".")
    (tmp_path / "in/x/up").symlink_to("..")
    (tmp_path / "in/other").symlink_to("../elsewhere")
    (tmp_path / "elsewhere/back").symlink_to("../in")
    assert [found.relative for found in Storage().expand(str(tmp_path / "in"))] == ["a.warc", "other/c.warc", "x/b.warc"]
