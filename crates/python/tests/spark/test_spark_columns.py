"""Columns and tables of documents."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.errors import PythonException

import absolve
import absolve.spark

BASE = "https://example.org/d/"


@pytest.fixture(scope="module")
def pages(spark: Any) -> Any:
    rows = [
        ('<a href="x">', BASE, 1),
        ('<a href="x">', None, 2),
        (None, BASE, 3),
        (f'<base href="{BASE}"><a href="y"><img src="z">', None, 4),
    ]
    return spark.createDataFrame(rows, "html string, url string, id long").repartition(2)


def expected(html: str | None, url: str | None) -> str | None:
    return None if html is None else absolve.rewrite(html, url=url)


def test_rewrites_a_column_as_the_library_does(pages: Any) -> None:
    rows = pages.select("html", "url", absolve.spark.rewrite("html", "url").alias("out")).collect()
    assert len(rows) == 4
    assert all(row.out == expected(row.html, row.url) for row in rows)


def test_rewrites_bytes_to_bytes(pages: Any) -> None:
    data = pages.select(pages.html.cast("binary").alias("html"), "url")
    rows = data.select("html", "url", absolve.spark.rewrite("html", "url", type="binary").alias("out")).collect()
    for row in rows:
        out = None if row.html is None else expected(bytes(row.html).decode(), row.url)
        assert row.out == (None if out is None else out.encode())


def test_rewrites_in_sql_with_the_options_of_the_registration(spark: Any, pages: Any) -> None:
    absolve.spark.register(spark, base_element="remove")
    pages.createOrReplaceTempView("pages")
    (row,) = spark.sql("SELECT absolve_rewrite(html, url) AS out FROM pages WHERE id = 4").collect()
    assert row.out == absolve.rewrite(f'<base href="{BASE}"><a href="y"><img src="z">', base_element="remove")


def test_lists_links_with_the_columns_to_keep(pages: Any) -> None:
    links = absolve.spark.links(pages, keep=["id"])
    assert links.columns[:2] == ["url", "id"]
    rows = {(row.id, row.element, row.target, row.status) for row in links.collect()}
    assert {row for row in rows if row[0] == 1} == {(1, "a", BASE + "x", "relative")}
    assert {row[1] for row in rows if row[0] == 4} >= {"a", "img"}
    assert not any(row[0] == 3 for row in rows)


def test_a_column_of_the_wrong_type_is_an_error_that_names_it(pages: Any) -> None:
    with pytest.raises(PythonException, match="html: a column of the type int64, not string"):
        pages.select(absolve.spark.rewrite("id", "url")).collect()


def test_a_wrong_option_is_an_error_before_any_work() -> None:
    with pytest.raises(ValueError, match="rfc3986"):
        absolve.spark.rewrite("html", "url", standard="rfc9999")
    with pytest.raises(ValueError, match="'string' or 'binary'"):
        absolve.spark.rewrite("html", "url", type="text")
