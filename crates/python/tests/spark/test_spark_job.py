"""The job on local files."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from places import contents
from warcs import page, write_warc

from absolve.spark.__main__ import main


def rewrite(source: Path | str, output: Path | str, *more: str) -> int:
    return main(["rewrite", "--input", str(source), "--output", str(output), "--warc-date", "0", *more])


def manifest(output: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(
        sorted(str(path) for path in (output / "_absolve/manifest").rglob("*.parquet")), partitioning=None
    ).to_pylist()
    return rows


def test_writes_the_bytes_of_the_command_line(
    spark: Any, crawl: Path, rewritten: dict[str, bytes], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    assert rewrite(crawl, output) == 0
    assert contents(output) == rewritten
    rows = manifest(output)
    assert len(rows) == 40
    assert {row["status"] for row in rows} == {"done"}
    assert sum(row["links"] for row in rows) == sum(10 + number for number in range(40)) * 201
    assert not (output / "_absolve/tmp").exists()


def test_a_second_run_does_what_is_missing(
    spark: Any, crawl: Path, rewritten: dict[str, bytes], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    assert rewrite(crawl / "part-0*.warc.gz", output) == 0
    kept = {path: path.stat().st_mtime_ns for path in output.glob("*.warc.gz")}
    lost = output / "part-05.warc.gz"
    lost.unlink()
    del kept[lost]
    assert rewrite(crawl, output) == 0
    assert contents(output) == rewritten
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert f"40 of 40 files done ({len(kept)} of them before)" in capfd.readouterr().err
    assert len(manifest(output)) == 40


def test_a_changed_input_is_done_again(spark: Any, tmp_path: Path) -> None:
    source, output = tmp_path / "a.warc.gz", tmp_path / "out"
    write_warc(source, [("https://example.org/1/", page(1))])
    assert rewrite(source, output) == 0
    before = contents(output)
    write_warc(source, [("https://example.org/2/", page(2))])
    assert rewrite(source, output) == 0
    assert contents(output) != before


def test_an_executor_killed_in_the_middle_changes_nothing(
    spark: Any, crawl: Path, rewritten: dict[str, bytes], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    done_then: list[int] = []

    def kill() -> None:
        while not (done := list(output.glob("_absolve/manifest/*/*.parquet"))):
            time.sleep(0.002)
        os.kill(executor(spark.sparkContext.applicationId), signal.SIGKILL)
        done_then.append(len(done))

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    assert rewrite(crawl, output) == 0
    killer.join(10)
    assert done_then and done_then[0] < 40, "the executor was killed in the middle"
    assert contents(output) == rewritten
    assert len(manifest(output)) == 40
    assert not (output / "_absolve/tmp").exists()
    times = {path: path.stat().st_mtime_ns for path in output.rglob("*.warc.gz")}
    assert rewrite(crawl, output) == 0
    assert {path: path.stat().st_mtime_ns for path in times} == times


def executor(application: str) -> int:
    """Returns the process id of an executor of an application."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if application.encode() in words and b"--executor-id" in words:
                return int(entry.name)
    raise LookupError(application)


def test_a_killed_job_leaves_a_manifest_and_the_next_run_does_the_rest(
    spark: Any, crawl: Path, rewritten: dict[str, bytes], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    run = [sys.executable, "-m", "absolve.spark", "rewrite", "--master", "local[1]", "--warc-date", "0"]
    process = subprocess.Popen(
        [*run, "--input", str(crawl), "--output", str(output)], stderr=subprocess.DEVNULL, start_new_session=True
    )
    while len(list(output.glob("_absolve/manifest/*/*.parquet"))) < 3 and process.poll() is None:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    rows = manifest(output)
    assert 3 <= len(rows) < 40
    assert contents(output).items() <= rewritten.items()
    kept = {path: path.stat().st_mtime_ns for path in output.rglob("*.warc.gz") if "_absolve" not in path.parts}
    assert rewrite(crawl, output) == 0
    assert contents(output) == rewritten
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert len(manifest(output)) == 40


def test_one_bad_file_is_a_row_and_the_rest_goes_on(
    spark: Any, crawl: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    whole = (crawl / "part-09.warc.gz").read_bytes()
    (source / "whole.warc.gz").write_bytes(whole)
    (source / "cut.warc.gz").write_bytes(whole[:-100])
    (source / "bad.wacz").write_bytes(b"this is no archive")
    (source / "notes.txt").write_text("no archive")
    assert rewrite(source, output) == 1
    rows = {Path(row["input"]).name: row for row in manifest(output)}
    assert rows["whole.warc.gz"]["status"] == "done"
    assert rows["cut.warc.gz"]["status"] == "damaged"
    assert rows["bad.wacz"]["status"] == "failed"
    assert (output / "cut.warc.gz").read_bytes() == whole[:-100]
    assert not (output / "bad.wacz").exists()
    message = capfd.readouterr().err
    assert "cut.warc.gz: damaged" in message and "bad.wacz: failed" in message
    assert "run the same command again" in message
    assert "1 files of folders are not archives" in message


def test_an_output_of_somebody_else_is_not_replaced(
    spark: Any, crawl: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    output.mkdir()
    (output / "part-01.warc.gz").write_bytes(b"mine")
    assert rewrite(crawl / "part-0[12].warc.gz", output) == 2
    assert contents(output) == {"part-01.warc.gz": b"mine"}
    assert "part-01.warc.gz: not written by this job; --overwrite" in capfd.readouterr().err
    assert rewrite(crawl / "part-0[12].warc.gz", output, "--overwrite") == 0
    assert len(contents(output)["part-01.warc.gz"]) > 4


def test_other_options_do_not_mix_in_one_output(
    spark: Any, crawl: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    assert rewrite(crawl / "part-01.warc.gz", output) == 0
    assert rewrite(crawl / "part-01.warc.gz", output, "--warc", "sidecar") == 2
    assert "written with other options" in capfd.readouterr().err


@pytest.mark.parametrize("name", ["cut.warc", "cut.warc.gz"])
def test_the_links_of_a_cut_off_archive_are_those_before(
    spark: Any, crawl: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    source, output = tmp_path / name, tmp_path / "links"
    data = (crawl / "part-39.warc.gz").read_bytes()
    source.write_bytes((data if name.endswith(".gz") else gzip.decompress(data))[:-100])
    assert main(["links", "--input", str(source), "--output", str(output)]) == 1
    assert f"{name}: damaged" in capfd.readouterr().err
    (row,) = manifest(output)
    assert pq.read_metadata(output / f"{name}.parquet").num_rows == row["links"] == 48 * 201


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--standard", "rfc9999"], "rfc3986"),
        (["--input", "/nowhere/at/all"], "/nowhere/at/all: no such file or folder"),
    ],
)
def test_what_cannot_begin_says_why(
    spark: Any, crawl: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert rewrite(crawl, tmp_path / "out", *arguments) == 2
    assert message in capfd.readouterr().err
    assert not (tmp_path / "out").exists()


def test_lists_as_many_links_as_the_command_line(spark: Any, crawl: Path, command: str, tmp_path: Path) -> None:
    output = tmp_path / "links"
    assert main(["links", "--input", str(crawl), "--output", str(output), "--format", "parquet"]) == 0
    listed = subprocess.run([command, "links", str(crawl), "--json"], capture_output=True, check=True).stdout.splitlines()
    table = spark.read.option("recursiveFileLookup", "true").parquet(str(output))
    assert table.count() == len(listed)
    rows = sorted(({**json.loads(line), "path": None} for line in listed), key=json.dumps)
    found = [{**row.asDict(), "path": None} for row in table.drop("path_base64", "out_of_reach").collect()]
    assert sorted(found, key=json.dumps) == rows


@pytest.mark.parametrize("nodes", ["pages", "hosts"])
def test_the_graph_is_that_of_the_command_line(
    spark: Any, crawl: Path, command: str, tmp_path: Path, nodes: str, capfd: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "graph"
    run = ["graph", "--input", str(crawl), "--output", str(output), "--nodes", nodes, "--internal"]
    if nodes == "pages":
        killer = threading.Thread(target=kill_in_the_middle, args=(spark, output), daemon=True)
        killer.start()
    assert main(run) == 0
    call = [command, "links", str(crawl), "--json", "--graph", nodes, "--internal", "-q", "-o", str(tmp_path / "edges")]
    subprocess.run(call, check=True)
    expected = [json.loads(line) for line in (tmp_path / "edges").read_text().splitlines()]
    assert edges_in(output) == expected
    assert f"{len(expected)} edges in edges/" in capfd.readouterr().err
    before = {path: path.stat().st_mtime_ns for path in (output / "partial").rglob("*.parquet")}
    assert len(before) == 40
    assert main(run) == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert edges_in(output) == expected


def kill_in_the_middle(spark: Any, output: Path) -> None:
    while not list(output.glob("_absolve/manifest/*/*.parquet")):
        time.sleep(0.002)
    os.kill(executor(spark.sparkContext.applicationId), signal.SIGKILL)


def edges_in(output: Path) -> list[dict[str, Any]]:
    """Returns the edges of a graph, each file of which is sorted."""
    assert (output / "edges/_SUCCESS").exists()
    edges: list[dict[str, Any]] = []
    for path in sorted((output / "edges").glob("*.parquet")):
        part = pq.read_table(path).to_pylist()
        assert part == sorted(part, key=lambda edge: (edge["source"].encode(), edge["target"].encode()))
        edges += part
    return sorted(edges, key=lambda edge: (edge["source"].encode(), edge["target"].encode()))


def test_a_graph_of_a_failed_file_is_not_written(spark: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    write_warc(tmp_path / "in/a.warc.gz", [("https://example.org/1/", page(1))])
    (tmp_path / "in/bad.wacz").write_bytes(b"this is no archive")
    run = ["graph", "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--internal"]
    assert main(run) == 1
    assert "no edges were written" in capfd.readouterr().err
    assert not (tmp_path / "out/edges").exists()
    (tmp_path / "in/bad.wacz").unlink()
    assert main(run) == 0
    assert [edge["links"] for edge in edges_in(tmp_path / "out")] == [201]


def test_no_permission_is_a_row_or_a_message(crawl: Path, tmp_path: Path) -> None:
    # Root reads and writes everything, unless it gives up its capabilities.
    as_user = [] if os.getuid() else ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    if as_user and shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed, so root cannot do without permissions")
    source, output, closed = tmp_path / "in", tmp_path / "out", tmp_path / "closed"
    source.mkdir()
    closed.mkdir(0o555)
    for name in ("part-01.warc.gz", "part-02.warc.gz"):
        (source / name).write_bytes((crawl / name).read_bytes())
    (source / "part-02.warc.gz").chmod(0)
    source.chmod(0o555)
    run = [*as_user, sys.executable, "-m", "absolve.spark", "rewrite", "--master", "local[1]", "--input", str(source)]
    bad_file = subprocess.run([*run, "--output", str(output)], capture_output=True, text=True)
    assert bad_file.returncode == 1, bad_file.stderr
    assert "part-02.warc.gz: failed: PermissionError" in bad_file.stderr
    assert list(contents(output)) == ["part-01.warc.gz"]
    bad_output = subprocess.run([*run, "--output", str(closed / "out")], capture_output=True, text=True)
    assert bad_output.returncode == 2
    assert "Permission denied" in bad_output.stderr
