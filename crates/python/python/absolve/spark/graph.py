"""The graph of a job: the partial sums of each file, added up by Spark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from absolve.spark.manifest import Manifest
from absolve.spark.storage import Output, Place, Storage

#: The columns of edges, as Spark names their types.
EDGES = "source string, target string, links long, nofollow long, first string, last string"

#: The file that says that a folder of edges is whole.
MARKER = "_SUCCESS"

#: The most tasks that read partial edges. A driver starts some tens of tasks a second.
READERS = 1_000

#: Rows of a row group.
ROWS = 100_000


def add_up(spark: SparkSession, storage: Storage, partial: Sequence[str], root: Place, run: str) -> int:
    """Adds up the partial edges of files, writes them below ``edges``, and returns how many there are.

    Each file of ``edges`` is sorted by source and target, and an edge is in one of them. ``edges/_SUCCESS`` is there when all are.
    """
    folder = root.below("edges")
    before = [found.place for found in folder.files()]
    for place in sorted(before, key=lambda place: place.name != MARKER):
        place.remove()
    manifest = Manifest(root)

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for url in batch.column("url").to_pylist():
                place = storage.locate(url)
                with place.filesystem.open_input_file(place.path) as file:
                    yield from pq.ParquetFile(file).iter_batches()

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        assert context is not None, "Spark runs this in a task"
        target = folder.below(f"part-{context.partitionId():05}.parquet")
        rows = 0
        with Output(target, manifest.temporary(run, f"{context.taskAttemptId()}-edges.parquet")) as output:
            writer = None
            for batch in batches:
                writer = writer or pq.ParquetWriter(output, batch.schema)
                writer.write_batch(batch, row_group_size=ROWS)
                rows += batch.num_rows
            if writer is not None:
                writer.close()
                output.finish()
                output.publish()
        yield pa.record_batch({"rows": pa.array([rows], pa.int64())})

    urls = spark.sparkContext.parallelize([(url,) for url in partial], max(1, min(READERS, len(partial))))
    edges = spark.createDataFrame(urls, "url string").mapInArrow(read, EDGES)
    sums = edges.groupBy("source", "target").agg(
        f.sum("links").alias("links"),
        f.sum("nofollow").alias("nofollow"),
        f.min("first").alias("first"),
        f.max("last").alias("last"),
    )
    written = sums.sortWithinPartitions("source", "target").mapInArrow(write, "rows long").collect()
    with Output(folder.below(MARKER), manifest.temporary(run, MARKER)) as output:
        output.finish()
        output.publish()
    manifest.remove_temporary()
    return sum(row["rows"] for row in written)
