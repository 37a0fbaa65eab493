"""Measures the graph job on one large archive among small ones of 16 MiB, with and without pieces.

    python crates/python/tests/measure_spark_graph.py CORPORA WORK

CORPORA and WORK are those of measure_spark.py. Compares the edges of each run with those of the command line, kills an executor in the middle
of one, and prints the figures of docs/scale.md. What two programs do at once that do not know each other says how much the machine can
do at once at all.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pyspark
from measure_spark import MIB, records

#: MiB of a small archive.
SMALL = 16
NODES = "pages"
ORDER = [("source", "ascending"), ("target", "ascending")]


@dataclass(frozen=True)
class Setting:
    """How a job is run."""

    name: str
    executors: int
    split: str
    #: Seconds after which an executor is killed, from its first finished task on.
    kill_after: float | None = None


SETTINGS = (
    Setting("1 executor, pieces", 1, "64M"),
    Setting("2 executors, pieces", 2, "64M"),
    Setting("2 executors, no pieces", 2, "0"),
    Setting("2 executors, pieces, one killed", 2, "64M", 1.0),
)


def main() -> int:
    """Makes the archives, runs the command line and the jobs, and returns 1 if any edge differs."""
    parser = argparse.ArgumentParser(description="Measure the graph job")
    parser.add_argument("corpora", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--large", type=int, default=1024, help="MiB of the large archive")
    parser.add_argument("--small", type=int, default=64, help="how many small ones there are")
    arguments = parser.parse_args()
    source = arguments.work / "skewed"
    if not source.exists():
        make_archives(arguments.corpora, source, ((1, arguments.large), (arguments.small, SMALL)))
    sizes = [path.stat().st_size for path in source.iterdir()]
    print(f"{len(sizes)} archives, {sum(sizes) / MIB:.0f} MiB, the largest {max(sizes) / MIB:.0f} MiB", flush=True)
    two_at_once(source, arguments.work)
    expected = run_command(source, arguments.work / "edges.parquet")
    is_same = True
    for setting in SETTINGS:
        output = arguments.work / "graph"
        seconds = run_job(source, output, setting)
        found = pa.concat_tables(pq.read_table(path) for path in (output / "edges").glob("*.parquet")).sort_by(ORDER)
        same = found.select(expected.column_names).cast(expected.schema).equals(expected)
        is_same = is_same and same
        tasks = pq.read_table(sorted(map(str, (output / "_absolve/manifest").glob("*.parquet"))), partitioning=None)
        times = tasks["seconds"]
        ended = pc.max(tasks["finished"]).as_py().timestamp()
        added = (output / "edges/_SUCCESS").stat().st_mtime - ended
        print(
            f"{setting.name}: {seconds:.1f} s; {len(tasks)} tasks, {pc.sum(times).as_py():.1f} s together, "
            f"the longest {pc.max(times).as_py():.1f} s, of the small ones {spread(tasks)}; "
            f"{pc.sum(tasks['links']).as_py()} rows of edges in {pc.sum(tasks['bytes_out']).as_py()} bytes added up in {added:.1f} s "
            f"to {len(found)} edges, {'equal' if same else 'DIFFERENT'}",
            flush=True,
        )
        shutil.rmtree(output)
    return 0 if is_same else 1


def spread(tasks: pa.Table) -> str:
    """Returns the mean of the seconds of the small archives, and the standard deviation of their logarithm: how much equal tasks differ."""
    small = tasks.filter(pc.less(tasks["bytes_in"], 2 * SMALL * MIB))["seconds"]
    return f"{pc.mean(small).as_py():.2f} s, spread {pc.stddev(pc.ln(small)).as_py():.2f}"


def make_archives(corpora: Path, target: Path, archives: tuple[tuple[int, int], ...]) -> None:
    """Writes the archives, each with the same records in another order; the large one has all of them several times."""
    members = records(corpora, SMALL * MIB)
    partial = target.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for count, mib in archives:
        for number in range(count):
            start = number * len(members) // count
            content = b"".join(members[start:] + members[:start])
            with (partial / f"of-{mib:04}-{number:02}.warc.gz").open("wb") as file:
                for _ in range(mib // SMALL):
                    file.write(content)
    partial.rename(target)


def command() -> str:
    """Returns the command line, that of this Python or of the PATH."""
    found = shutil.which("absolve", path=os.environ["PATH"] + os.pathsep + os.path.dirname(sys.executable))
    if found is None:
        raise SystemExit("the command absolve is not installed")
    return found


def graph_of(*inputs: str) -> list[str]:
    """Returns the call of the command line on one thread, without its output."""
    return [command(), "links", *inputs, "--graph", NODES, "--format", "parquet", "-j", "1", "-q", "--force"]


def two_at_once(source: Path, work: Path) -> None:
    """Prints how long one program takes for small archives, and two of them at once for as many each."""
    inputs = sorted(str(path) for path in source.glob(f"of-{SMALL:04}-*"))[:4]
    seconds = []
    for count in (1, 2):
        started = time.monotonic()
        outputs = [str(work / f"once-{number}.parquet") for number in range(count)]
        for process in [subprocess.Popen([*graph_of(*inputs), "-o", output]) for output in outputs]:
            process.wait()
        seconds.append(time.monotonic() - started)
    ratio = 2 * seconds[0] / seconds[1]
    print(f"one program: {seconds[0]:.1f} s; two at once: {seconds[1]:.1f} s; together {ratio:.2f} times as fast", flush=True)


def run_command(source: Path, edges: Path) -> pa.Table:
    """Runs the command line on one thread, prints what it took, and returns the edges."""
    before, started = os.times(), time.monotonic()
    subprocess.run([*graph_of(str(source)), "-o", str(edges)], check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"command line, 1 thread: {time.monotonic() - started:.1f} s, {used:.1f} s of the processor", flush=True)
    return pq.read_table(edges).sort_by(ORDER)


def run_job(source: Path, output: Path, setting: Setting) -> float:
    """Runs the job, and returns the seconds that it says it took."""
    shutil.rmtree(output, ignore_errors=True)
    run = [sys.executable, "-m", "absolve.spark", "graph", "--master", f"local-cluster[{setting.executors},1,1024]"]
    # All executors are there before the clock starts.
    run += ["--conf", "spark.scheduler.minRegisteredResourcesRatio=1", "--conf", "spark.ui.showConsoleProgress=false"]
    run += ["--conf", "spark.scheduler.maxRegisteredResourcesWaitingTime=60s", "--conf", "spark.sql.shuffle.partitions=4"]
    mark = uuid.uuid4().hex
    environment = {
        **os.environ,
        "SPARK_HOME": os.path.dirname(pyspark.__file__),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "ABSOLVE_MEASURED": mark,
    }
    run += ["--nodes", NODES, "--split-size", setting.split, "--input", str(source), "--output", str(output)]
    process = subprocess.Popen(run, env=environment, stderr=subprocess.PIPE, text=True)
    if setting.kill_after is not None:
        threading.Thread(target=kill_one, args=(output, mark, setting.kill_after), daemon=True).start()
    _, messages = process.communicate()
    said = re.search(r"failed; ([\d.]+) s", messages)
    if process.returncode != 0 or said is None:
        raise SystemExit(messages)
    return float(said[1])


def kill_one(output: Path, mark: str, seconds: float) -> None:
    """Kills an executor of the run with this mark, when it has done some tasks."""
    while len(list(output.glob("_absolve/manifest/*/*.parquet"))) < 4:
        time.sleep(0.1)
    time.sleep(seconds)
    for entry in Path("/proc").iterdir():
        try:
            is_ours = entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes()
            if is_ours and b"--executor-id" in (entry / "cmdline").read_bytes().split(b"\0"):
                os.kill(int(entry.name), signal.SIGKILL)
                print("an executor was killed", flush=True)
                return
        except OSError:
            continue  # The process ended, or is that of another user.


if __name__ == "__main__":
    sys.exit(main())
