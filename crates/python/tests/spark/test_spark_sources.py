"""Web archives and mail as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException, PySparkException
from warcs import page, write_warc

import absolve.spark

MBOX = (
    b"From a@example.org Thu Jan  1 00:00:00 2026\nContent-Base: https://example.org/mail/\nContent-Type: text/html\n\n"
    b"<a href=x>\n\nFrom a@example.org Thu Jan  1 00:00:00 2026\nContent-Type: text/html\n\n<a href=y>\n\n"
)


@pytest.fixture(scope="module", autouse=True)
def registered(spark: Any) -> None:
    absolve.spark.register(spark)


def test_a_web_archive_is_a_table_of_pages(spark: Any, crawl: Path) -> None:
    pages = spark.read.format("warc").load(str(crawl / "part-01.warc.gz"))
    rows = pages.orderBy("url").collect()
    assert len(rows) == 11
    assert rows[0].path == str(crawl / "part-01.warc.gz")
    assert rows[0].url == rows[0].base == "https://example.org/1/0/"
    assert rows[0].layer == "retrieval"
    assert rows[0].media_type == "text/html"
    assert rows[0].content == page(0)
    assert rows[0].error is None


def test_a_schema_selects_the_columns_to_read(spark: Any, crawl: Path) -> None:
    pages = spark.read.format("warc").schema("url string, path string").load(str(crawl / "*.warc.gz"))
    assert pages.columns == ["url", "path"]
    assert pages.count() == sum(10 + number for number in range(40) if number % 4)
    assert pages.rdd.getNumPartitions() == 30


def test_an_unknown_column_is_an_error_that_lists_the_columns(spark: Any, crawl: Path) -> None:
    with pytest.raises(AnalysisException, match="title: string.*media_type: string"):
        spark.read.format("warc").schema("title string").load(str(crawl)).collect()


def test_folders_and_lists_of_paths_are_read(spark: Any, crawl: Path) -> None:
    source = spark.read.format("warc").schema("url string")
    assert source.load(str(crawl)).count() == sum(10 + number for number in range(40))
    assert source.load([str(crawl / "part-01.warc.gz"), str(crawl / "part-02.warc.gz")]).count() == 23


def test_no_file_is_an_error_that_names_the_path(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(AnalysisException, match="none.*matches no file"):
        spark.read.format("warc").load(str(tmp_path / "none*")).collect()


def test_mail_is_a_table_with_the_bases_of_its_headers(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "Inbox").write_bytes(MBOX)
    rows = spark.read.format("mbox").load(str(tmp_path / "Inbox")).orderBy("record").collect()
    assert [(row.record, row.base, row.content) for row in rows] == [
        ("1", "https://example.org/mail/", b"<a href=x>\n"),
        ("2", None, b"<a href=y>\n"),
    ]


def test_a_cut_off_archive_fails_or_is_a_row(spark: Any, tmp_path: Path) -> None:
    whole = tmp_path / "whole.warc.gz"
    write_warc(whole, ((f"https://example.org/{n}", page(n)) for n in range(10)))
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(whole.read_bytes()[:-100])
    with pytest.raises(PySparkException, match="cut.warc.gz"):
        spark.read.format("warc").load(str(cut)).collect()
    rows = spark.read.format("warc").option("on_error", "row").load(str(tmp_path)).collect()
    assert sum(row.error is None for row in rows) == 19
    (bad,) = (row for row in rows if row.error is not None)
    assert bad.path == str(cut) and bad.content is None


def test_pages_go_from_the_source_through_the_function(spark: Any, crawl: Path) -> None:
    pages = spark.read.format("warc").schema("url string, content binary").load(str(crawl / "part-02.warc.gz"))
    out = pages.select(absolve.spark.rewrite("content", "url", type="binary").alias("out")).collect()
    assert len(out) == 12
    assert all(b'href="https://example.org/2/' in row.out for row in out)
