"""One task, without Spark; and the names of files."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from warcs import page, write_warc

from absolve.spark.manifest import Manifest
from absolve.spark.storage import Storage
from absolve.spark.task import FileTask, Job, run_task


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job("rewrite", str(tmp_path / "out"), "run", Storage(), {"date": 0}, "{}", threads=1, last_attempt=3)


@pytest.fixture
def task(tmp_path: Path) -> FileTask:
    source = tmp_path / "a.warc.gz"
    size = write_warc(source, [("https://example.org/1/", page(1))])
    return FileTask(0, str(source), str(tmp_path / "out/a.warc.gz"), size, None)


def test_a_task_that_runs_twice_leaves_one_result(job: Job, task: FileTask) -> None:
    first = run_task(job, task, 0, "1")
    written = Path(task.output).stat().st_mtime_ns
    assert run_task(job, task, 1, "2") == first
    assert Path(task.output).stat().st_mtime_ns == written
    assert first.status == "done" and first.bytes_out == Path(task.output).stat().st_size


def test_two_attempts_at_the_same_time_write_the_same(job: Job, task: FileTask, tmp_path: Path) -> None:
    first = run_task(job, task, 0, "1")
    data = Path(task.output).read_bytes()
    Path(task.output).unlink()  # As if the first attempt had not been that far.
    assert run_task(job, task, 0, "2").sha256 == first.sha256
    assert Path(task.output).read_bytes() == data
    assert len(Manifest(Storage().locate(job.root)).read()) == 1


def test_a_file_that_ends_its_processes_is_a_row(job: Job, task: FileTask) -> None:
    row = run_task(job, task, 3, "9")
    assert row.status == "failed" and row.error is not None and "more memory" in row.error
    assert not Path(task.output).exists()


def test_an_attempt_that_fails_keeps_the_row_of_one_that_did_not(job: Job, task: FileTask) -> None:
    first = run_task(job, task, 0, "1")
    Path(task.input).unlink()
    assert run_task(job, task, 1, "2") == first
    gone = run_task(replace(job, run="next"), task, 0, "3")
    assert gone.status == "failed" and gone.error is not None and "a.warc.gz" in gone.error


def test_a_disk_that_is_full_is_a_row(job: Job, task: FileTask, tmp_path: Path) -> None:
    folder = tmp_path / "out/_absolve/tmp/run"
    folder.mkdir(parents=True)
    (folder / "1-a.warc.gz").symlink_to("/dev/full")
    row = run_task(job, task, 0, "1")
    assert row.status == "failed" and row.error is not None and "No space left" in row.error
    assert not Path(task.output).exists()


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.mbox"])
def test_an_empty_input_has_the_output_of_the_command(job: Job, tmp_path: Path, name: str) -> None:
    source, by_command = tmp_path / "in" / name, tmp_path / "command"
    source.parent.mkdir()
    source.write_bytes(b"")
    done = subprocess.run([sys.executable, "-m", "absolve", "rewrite", source.parent, "-o", by_command], check=False)
    row = run_task(job, FileTask(0, str(source), str(tmp_path / "out" / name), 0, None), 0, "1")
    assert row.status == ("done" if done.returncode == 0 else "damaged")
    assert row.has_output and Path(row.output).read_bytes() == (by_command / name).read_bytes()


def test_a_sidecar_without_conversions_is_not_written(job: Job, tmp_path: Path) -> None:
    source = tmp_path / "a.warc.gz"
    write_warc(source, [("https://example.org/1/", b"no links")])
    row = run_task(replace(job, options={"date": 0, "warc": "sidecar"}), FileTask(0, str(source), str(tmp_path / "out/a.warc.gz"), 0, None), 0, "1")
    assert (row.status, row.bytes_out, row.has_output) == ("done", 0, False)
    assert not Path(row.output).exists()


def test_an_arc_without_conversions_has_no_output(job: Job, tmp_path: Path) -> None:
    source = tmp_path / "a.arc"
    page = b"http://example.org/ 127.0.0.1 20260101000000 text/plain 1\na\n"
    source.write_bytes(b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain 4\n1 0\n\n" + page)
    row = run_task(job, FileTask(0, str(source), str(tmp_path / "out/a.arc.warc"), source.stat().st_size, None), 0, "1")
    assert (row.status, row.records, row.bytes_out, row.has_output) == ("done", 2, 0, False)
    assert not Path(row.output).exists()


def test_a_sidecar_goes_when_its_archive_has_no_more_conversions(job: Job, task: FileTask) -> None:
    job = replace(job, options={"date": 0, "warc": "sidecar"})
    assert run_task(job, task, 0, "1").has_output and Path(task.output).exists()
    write_warc(Path(task.input), [("https://example.org/1/", b"no links")])
    assert not run_task(replace(job, run="next"), task, 0, "2").has_output
    assert not Path(task.output).exists()


@pytest.mark.parametrize("kind", ["rewrite", "links"])
def test_a_task_that_takes_long_says_how_far_it_is(
    job: Job, task: FileTask, kind: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    job = replace(job, kind=kind, options={})
    assert run_task(job, task, 0, "1").status == "done"
    assert capfd.readouterr().err == ""
    monkeypatch.setattr("absolve.spark.task.PROGRESS_SECONDS", 0)
    assert run_task(replace(job, run="next"), replace(task, size=3 << 30), 0, "2").status == "done"
    assert capfd.readouterr().err.startswith(f"absolve: {task.input}: 0.0 of 3.0 GiB read\n")


def test_the_error_of_a_damaged_file_begins_with_its_name(job: Job, tmp_path: Path) -> None:
    source = tmp_path / "a.warc.gz"
    write_warc(source, [("https://example.org/1/", page(1)), ("https://example.org/2/", page(2))])
    source.write_bytes(source.read_bytes()[:-50])
    task = FileTask(0, str(source), str(tmp_path / "out/a.parquet"), 0, None)
    row = run_task(replace(job, kind="links", options={}), task, 0, "1")
    assert row.status == "damaged" and row.error is not None and row.error.startswith("a.warc.gz: incomplete")


@pytest.mark.parametrize(
    ("glob", "names"),
    [
        ("*.warc.gz", ["a.warc.gz"]),
        ("**/*.warc.gz", ["a.warc.gz", "x/b.warc.gz", "x/y/c.warc.gz"]),
        ("x/**", ["b.warc.gz", "y/c.warc.gz"]),
        ("*/[b-d].warc.gz", ["x/b.warc.gz"]),
        ("", ["a.warc.gz", "x/b.warc.gz", "x/y/c.warc.gz"]),
        ("x/b.warc.gz", ["b.warc.gz"]),
    ],
)
def test_globs_name_files_below_their_fixed_part(tmp_path: Path, glob: str, names: list[str]) -> None:
    for name in ("a.warc.gz", "x/b.warc.gz", "x/y/c.warc.gz", ".hidden/d.warc.gz", "_absolve/e.warc.gz"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert [found.relative for found in Storage().expand(f"{tmp_path}/{glob}")] == names
    assert [found.relative for found in Storage().expand(f"file://{tmp_path}/{glob}")] == names


def test_fsspec_opens_what_pyarrow_does_not() -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    place = Storage().locate("memory://folder/a.warc.gz")
    with place.filesystem.open_output_stream(place.path, compression=None) as stream:
        stream.write(b"abc")
    assert [found.place.url for found in Storage().expand("memory://folder/*.gz")] == [place.url]
    assert place.open().read(10) == b"abc"
