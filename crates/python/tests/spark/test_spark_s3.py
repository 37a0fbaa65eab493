"""The job and the data source on object storage."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from places import BUCKET

import absolve.spark
from absolve.spark.__main__ import main
from absolve.spark.storage import Output, Storage


@pytest.fixture(scope="module")
def uploaded(s3: Any, crawl: Path) -> str:
    for path in sorted(crawl.rglob("*.warc.gz")):
        s3.upload_file(str(path), BUCKET, f"crawl/{path.relative_to(crawl)}")
    return f"s3://{BUCKET}/crawl"


def objects(s3: Any, prefix: str) -> dict[str, bytes]:
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
    keys = [item["Key"] for found in pages for item in found.get("Contents", [])]
    return {
        key.removeprefix(prefix): s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        for key in keys
        if "_absolve/" not in key and not key.endswith("/")
    }


def test_the_job_writes_the_same_objects_once(
    spark: Any, s3: Any, s3_endpoint: str, uploaded: str, rewritten: dict[str, bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ["rewrite", "--input", f"{uploaded}/**/*.warc.gz", "--output", f"s3://{BUCKET}/out"]
    arguments += ["--s3-endpoint", s3_endpoint, "--warc-date", "0"]
    assert main(arguments) == 0
    assert objects(s3, "out/") == rewritten
    root = Storage(s3_endpoint).locate(f"s3://{BUCKET}/out/_absolve/manifest")
    (whole,) = root.files()
    rows = pq.read_table(whole.place.path, filesystem=root.filesystem, partitioning=None).to_pylist()
    digests = {row["output"].rsplit("/out/")[1]: row["sha256"] for row in rows}
    assert digests == {name: hashlib.sha256(data).hexdigest() for name, data in rewritten.items()}
    assert "Uploads" not in s3.list_multipart_uploads(Bucket=BUCKET)
    capfd.readouterr()
    assert main(arguments) == 0
    assert "40 of 40 files done (40 of them before)" in capfd.readouterr().err


def test_an_upload_that_fails_leaves_no_object(s3: Any, s3_endpoint: str) -> None:
    folder = Storage(s3_endpoint).locate(f"s3://{BUCKET}/half")
    with pytest.raises(RuntimeError), Output(folder.below("a"), folder.below("tmp/a")) as output:
        for _ in range(12):
            output.write(b"a" * (1 << 20))
        raise RuntimeError("the input ends")
    assert objects(s3, "half/") == {}


def test_the_data_source_reads_objects(spark: Any, s3_endpoint: str, uploaded: str) -> None:
    absolve.spark.register(spark)
    source = spark.read.format("warc").schema("path string, url string").option("s3_endpoint", s3_endpoint)
    rows = source.load(f"{uploaded}/part-0[12].warc.gz").collect()
    assert len(rows) == 23
    assert {row.path for row in rows} == {f"{uploaded}/part-01.warc.gz", f"{uploaded}/part-02.warc.gz"}


def test_a_bucket_that_is_not_there_is_named(spark: Any, s3_endpoint: str, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["rewrite", "--input", "s3://nowhere/*.warc.gz", "--output", "s3://nowhere/out"]
    assert main([*arguments, "--s3-endpoint", s3_endpoint]) == 2
    assert "nowhere" in capfd.readouterr().err
