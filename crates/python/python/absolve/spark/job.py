"""The job: plans which files to do, has Spark do each in a task, and says what became of them."""

from __future__ import annotations

import io
import json
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import SparkSession

import absolve
from absolve.spark.graph import add_up
from absolve.spark.manifest import DAMAGED, DONE, FAILED, Manifest, Row
from absolve.spark.split import SPLIT_BYTES, of_file, plan
from absolve.spark.storage import Found, Place, Storage
from absolve.spark.task import FileTask, Job, is_complete, run_task

#: The extensions of files that a folder is searched for. A glob or a path names any file.
ARCHIVES = (".warc", ".arc", ".mbox", ".mbx")
COMPRESSIONS = ("", ".gz", ".zst")
PACKAGES = (".wacz",)


class UsageError(ValueError):
    """The job cannot begin as it was asked for."""


@dataclass(frozen=True)
class Request:
    """What a job is asked to do."""

    kind: str
    inputs: Sequence[str]
    output: str
    options: dict[str, Any] = field(default_factory=dict)
    storage: Storage = field(default_factory=Storage)
    overwrite: bool = False
    #: The bytes of a file up to which it is one task; 0 if none is split. Only a graph is made of pieces.
    split_bytes: int = SPLIT_BYTES


@dataclass(frozen=True)
class Summary:
    """What became of the files of a job."""

    manifest: str
    seconds: float
    done_before: int
    left_out: int
    rows: list[Row]
    #: How many edges a graph has; None if it was not written, or none was wanted.
    edges: int | None = None
    is_graph: bool = False

    @property
    def bad(self) -> list[Row]:
        """Returns the rows of files that failed or are damaged."""
        return [row for row in self.rows if row.status != DONE]


def run_job(spark: SparkSession, request: Request) -> Summary:
    """Does what is missing of a request, one task a file or a piece of one, and returns what became of all its files."""
    started = time.monotonic()
    check_options(request)
    root = request.storage.locate(request.output)
    _refuse_overlap(request, root)
    manifest = Manifest(root)
    rows = manifest.read()
    found, left_out = _inputs(request)
    planned = plan(_tasks(request, root, found), root, request.split_bytes if request.kind == "graph" else 0)
    missing = {task.output for task in _missing(request, root, planned.tasks, rows)}
    run = f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{uuid.uuid4().hex[:8]}"
    job = _job(spark, request, root, run)
    # If Spark gives up, tasks may still be writing their rows. The next run reads them where they are.
    first = [task for task in planned.first if task.output in missing]
    rows.update(_run(spark, job, manifest, first))
    second = [file for file in planned.as_whole(rows) if file.output in missing]
    rows.update(_run(spark, job, manifest, second))
    if first or second:
        manifest.compact(run, rows.values())
    redone = {task.input for task in (*first, *second)}
    of_files = [planned.rows_of(file, rows) for file in planned.files]
    done = [of_file(of_one) for of_one in of_files]
    edges = None
    if request.kind == "graph" and all(row.status != FAILED for row in done):
        partial = [row.output for of_one in of_files for row in of_one if row.has_output]
        edges = add_up(spark, request.storage, partial, root, run)
    return Summary(
        manifest=manifest.folder.url,
        seconds=time.monotonic() - started,
        done_before=len(planned.files) - len(redone),
        left_out=left_out,
        rows=done,
        edges=edges,
        is_graph=request.kind == "graph",
    )


def check_options(request: Request) -> None:
    """Raises an error that names a wrong option, before any work."""
    message = b"From a@example.org Thu Jan  1 00:00:00 2026\nSubject: a\n\na\n"
    options = {**request.options, "type": "mbox"}
    if request.kind == "graph":
        pa.RecordBatchReader.from_stream(absolve.arrow.file_edges(io.BytesIO(message), **options)).read_all()
    elif request.kind == "links":
        pa.RecordBatchReader.from_stream(absolve.arrow.file_links(io.BytesIO(message), **options)).read_all()
    else:
        absolve.rewrite_file(io.BytesIO(message), io.BytesIO(), **options)
    # The message above is an mbox whatever the type is.
    absolve.arrow.file_links(io.BytesIO(), request.options.get("type"))


def _refuse_overlap(request: Request, root: Place) -> None:
    """Refuses an output that is an input, within it or around it: the next run would take outputs for inputs."""
    for url in request.inputs:
        place, pattern = request.storage.around(url)
        # Such a glob names files at one depth, and their outputs are deeper.
        is_flat = bool(pattern) and "**" not in pattern
        if root.is_within(place) and place.is_within(root):
            raise UsageError(f"the output {request.output} is the input {url}; choose another output")
        if root.is_within(place) and not is_flat:
            raise UsageError(f"the output {request.output} lies within the input {url}")
        if place.is_within(root):
            raise UsageError(f"the input {url} lies within the output {request.output}")


def _run(spark: SparkSession, job: Job, manifest: Manifest, tasks: Sequence[FileTask]) -> dict[str, Row]:
    """Returns the rows of all tasks by their outputs. Each is one partition and so one task of Spark."""
    if not tasks:
        return {}
    manifest.remove_temporary()
    manifest.folder.make_folder()

    def work(task: FileTask) -> Row:
        context = TaskContext.get()
        assert context is not None, "Spark runs this in a task"
        return run_task(job, task, context.attemptNumber(), str(context.taskAttemptId()))

    rows: list[Row] = spark.sparkContext.parallelize(tasks, len(tasks)).map(work).collect()
    return {row.output: row for row in rows}


def _job(spark: SparkSession, request: Request, root: Place, run: str) -> Job:
    conf = spark.sparkContext.getConf()
    options = dict(request.options)
    if request.kind == "rewrite" and options.get("date") is None:
        # One date for all attempts, so that a file that is done twice has the same bytes.
        options["date"] = int(time.time())
    return Job(
        kind=request.kind,
        root=root.url,
        run=run,
        storage=request.storage,
        options=options,
        identity=_identity(request),
        threads=int(conf.get("spark.task.cpus", "1") or 1),
        last_attempt=int(conf.get("spark.task.maxFailures", "4") or 4) - 1,
    )


def _identity(request: Request) -> str:
    """Returns the options that decide about the bytes of an output, as text, with the date of its records if it was given."""
    options = {name: value for name, value in request.options.items() if value not in (None, [])}
    return json.dumps({"job": request.kind, **options}, sort_keys=True)


def _inputs(request: Request) -> tuple[list[Found], int]:
    """Returns the files to do, and the number of files in folders that are not archives."""
    chosen: dict[str, Found] = {}
    left_out = 0
    for url in request.inputs:
        is_folder = not any(c in url for c in "*?[")
        for found in request.storage.expand(url):
            if is_folder and found.place.path != request.storage.locate(url).path and not is_archive(found.relative):
                left_out += 1
            else:
                chosen.setdefault(found.place.url, found)
    if not chosen:
        raise UsageError(f"{', '.join(request.inputs)}: no WARC, ARC, WACZ or mbox; name other files by a glob")
    return list(chosen.values()), left_out


def is_archive(name: str) -> bool:
    """Returns whether the name of a file is that of an archive."""
    lower = name.lower()
    return lower.endswith(PACKAGES) or any(lower.endswith(a + c) for a in ARCHIVES for c in COMPRESSIONS)


def _tasks(request: Request, root: Place, found: Iterable[Found]) -> list[FileTask]:
    """Returns a task for each file, the largest first, so that the last ones are short."""
    tasks: dict[str, FileTask] = {}
    for index, file in enumerate(sorted(found, key=lambda found: -found.size)):
        output = root.below(_output_name(request, file.relative)).url
        task = FileTask(index, file.place.url, output, file.size, file.modified)
        if output in tasks:
            raise UsageError(f"{tasks[output].input} and {task.input} have the same output, {output}; run a job for each")
        if output == task.input:
            raise UsageError(f"{output} is an input; choose another output")
        tasks[output] = task
    return list(tasks.values())


def _output_name(request: Request, relative: str) -> str:
    """Returns the path of an output below the output folder."""
    if request.kind == "links":
        return relative + ".parquet"
    if request.kind == "graph":
        return f"partial/{relative}.parquet"
    for compression in COMPRESSIONS:
        # An ARC holds no conversions, so they become a WARC, which the command line names in this way too.
        if relative.lower().endswith(".arc" + compression):
            return f"{relative[: len(relative) - len(compression)]}.warc{compression}"
    return relative


def _missing(request: Request, root: Place, tasks: Sequence[FileTask], rows: dict[str, Row]) -> list[FileTask]:
    """Returns the tasks that are not done; refuses to replace what this job did not write."""
    sizes = {found.place.url: found.size for found in root.files()}
    ours = _identity(request)
    todo, foreign, other = [], [], []
    for task in tasks:
        row = rows.get(task.output)
        if row is None:
            todo.append(task)
            if task.output in sizes:
                foreign.append(task.output)
        elif row.options != ours and row.has_output and task.output in sizes:
            todo.append(task)
            other.append(task.output)
        elif not is_complete(row, sizes.get(task.output)) or (row.bytes_in, row.modified) != (task.size, task.modified):
            todo.append(task)
    if not request.overwrite:
        if foreign:
            raise UsageError(f"{_names(foreign)}: not written by this job; --overwrite replaces what exists")
        if other:
            raise UsageError(
                f"{_names(other)}: written with other options ({rows[other[0]].options}); "
                f"choose another output, or --overwrite to do all again"
            )
    return todo


def _names(urls: Sequence[str]) -> str:
    """Returns the first of some files, and how many there are."""
    return urls[0] if len(urls) == 1 else f"{urls[0]} and {len(urls) - 1} more"


def report(summary: Summary) -> int:
    """Writes what became of the files to stderr, and returns the exit status."""
    states = Counter(row.status for row in summary.rows)
    before = f" ({summary.done_before} of them before)" if summary.done_before else ""
    print(
        f"absolve: {states[DONE]} of {len(summary.rows)} files done{before}, {states[DAMAGED]} damaged, "
        f"{states[FAILED]} failed; {summary.seconds:.1f} s; manifest: {summary.manifest}",
        file=sys.stderr,
    )
    if summary.edges is not None:
        print(f"absolve: {summary.edges} edges in edges/", file=sys.stderr)
    elif summary.is_graph:
        print("absolve: no edges were written: they are, when no file fails", file=sys.stderr)
    if summary.left_out:
        print(f"absolve: {summary.left_out} files of folders are not archives; a glob names them", file=sys.stderr)
    shown = 20
    for row in summary.bad[:shown]:
        print(f"absolve: {row.input}: {row.status}: {row.error}", file=sys.stderr)
    if len(summary.bad) > shown:
        print(f"absolve: {len(summary.bad) - shown} more are in the manifest", file=sys.stderr)
    if states[FAILED]:
        print("absolve: to try the failed files again, run the same command again", file=sys.stderr)
    if states[DAMAGED]:
        print("absolve: the outputs of damaged files hold what could be read", file=sys.stderr)
    return 1 if summary.bad else 0
