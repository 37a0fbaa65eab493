"""What is refused before any work, and what a page whose URL cannot be a base does to a query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException, PythonException
from warcs import page, write_warc

import absolve.spark
from absolve.spark.__main__ import main


@pytest.fixture
def archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "n/more").mkdir(parents=True)
    for path in (tmp_path / "n/a.warc.gz", tmp_path / "n/more/b.warc.gz"):
        write_warc(path, [("https://example.org/1/", page(1))])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", ["rewrite", "links"])
@pytest.mark.parametrize(
    ("source", "output", "message"),
    [
        ("n", "n/out", "the output n/out lies within the input n"),
        ("n/**/*.gz", "n/out", "the output n/out lies within the input n/**/*.gz"),
        ("n/**", "link/out", "the output link/out lies within the input n/**"),
        ("n/more", "n", "the input n/more lies within the output n"),
        ("n/more/b.warc.gz", "n", "the input n/more/b.warc.gz lies within the output n"),
        ("n", "n/", "the output n/ is the input n; choose another output"),
        ("n/m*/*.gz", "n/", "the output n/ is the input n/m*/*.gz; choose another output"),
    ],
)
def test_an_output_within_an_input_is_refused(
    spark: Any, archives: Path, capfd: pytest.CaptureFixture[str], kind: str, source: str, output: str, message: str
) -> None:
    (archives / "link").symlink_to("n")
    before = sorted(archives.rglob("*"))
    assert main([kind, "--input", source, "--output", output]) == 2
    assert f"absolve: {message}\n" in capfd.readouterr().err
    assert sorted(archives.rglob("*")) == before


def test_an_output_beside_an_input_with_a_similar_name_is_accepted(spark: Any, archives: Path) -> None:
    assert main(["rewrite", "--input", "n", "--output", "n-absolute"]) == 0


def test_an_output_below_a_glob_of_one_depth_is_accepted(spark: Any, archives: Path) -> None:
    for _ in range(2):
        assert main(["rewrite", "--input", "n/*.gz", "--output", "n/out"]) == 0
        assert [path.name for path in (archives / "n/out").glob("**/*.gz")] == ["a.warc.gz"]


def test_an_unknown_type_is_refused_before_any_task(
    spark: Any, archives: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for kind in ("rewrite", "links"):
        assert main([kind, "--input", "n", "--output", "out", "--type", "foo"]) == 2
        assert "type must be one of" in capfd.readouterr().err
        assert not (archives / "out").exists()


def test_a_setting_without_a_value_is_refused(archives: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["rewrite", "--input", "n", "--output", "out", "--conf", "foo"])
    assert stop.value.code == 2
    assert "'foo' is not NAME=VALUE" in capfd.readouterr().err


@pytest.mark.parametrize(("option", "value"), [("standrad", "x"), ("standard", "x"), ("type", "foo"), ("columns", "url")])
def test_a_wrong_option_of_a_data_source_is_refused_before_any_task(
    spark: Any, archives: Path, option: str, value: str
) -> None:
    absolve.spark.register(spark)
    with pytest.raises(AnalysisException, match=option):
        spark.read.format("warc").option(option, value).load(str(archives / "n")).collect()


def test_a_row_whose_url_cannot_be_a_base_is_kept_on_request(spark: Any) -> None:
    rows = [("<a href=x>", "https://example.org/"), ("<a href=y>", "example.org/x")]
    pages = spark.createDataFrame(rows, "html string, url string")
    kept = pages.select(absolve.spark.rewrite("html", "url", errors="keep").alias("out")).collect()
    assert sorted(row.out for row in kept) == ["<a href=https://example.org/x>", "<a href=y>"]
    links = absolve.spark.links(pages, errors="keep").collect()
    assert sorted((row.reference, row.status) for row in links) == [("x", "relative"), ("y", "unresolved")]
    absolve.spark.register(spark, errors="keep")
    pages.createOrReplaceTempView("with_a_bad_url")
    assert spark.sql("SELECT absolve_rewrite(html, url) AS out FROM with_a_bad_url").collect() == kept
    with pytest.raises(PythonException, match="example.org/x.*errors=.keep. leaves such rows unchanged"):
        pages.select(absolve.spark.rewrite("html", "url")).collect()
    with pytest.raises(ValueError, match="errors must be one of raise, keep"):
        absolve.spark.rewrite("html", "url", errors="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["element", "start", "Base"])
def test_a_column_with_the_name_of_one_of_a_link_is_refused(spark: Any, name: str) -> None:
    pages = spark.createDataFrame([("<a href=x>", None, 1)], f"html string, url string, {name} long")
    with pytest.raises(ValueError, match=f"{name}: a link has a column of this name; rename that of the table"):
        absolve.spark.links(pages, keep=[name])
