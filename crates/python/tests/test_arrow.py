"""Columns: every type of array that holds texts or bytes, and arrays that are wrong."""

import io
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import absolve
import absolve.arrow

URL = "https://example.org/"
PAGES = ["<a href=x>", None, "", "é<img src=y>", "no link"]
EXPECTED = ["<a href=https://example.org/x>", None, "", "é<img src=https://example.org/y>", "no link"]
TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]

rewrite: Any = absolve.arrow.rewrite
links: Any = absolve.arrow.links


def values(data_type: Any, texts: list[str | None]) -> list[Any]:
    is_text = "string" in str(data_type)
    return [text if text is None or is_text else text.encode() for text in texts]


def array(data_type: Any, texts: list[str | None] = PAGES) -> Any:
    return pa.array(values(data_type, texts), data_type)


@pytest.mark.parametrize("data_type", TYPES, ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_each_type_gives_its_own(data_type: Any, threads: int) -> None:
    result = pa.array(rewrite(array(data_type), URL, threads=threads))
    result.validate(full=True)
    assert result.type == data_type
    assert result.to_pylist() == values(data_type, EXPECTED)


@pytest.mark.parametrize("data_type", TYPES, ids=str)
def test_slices_chunks_and_empty_arrays(data_type: Any) -> None:
    whole = array(data_type)
    for start in range(len(PAGES) + 1):
        for stop in range(start, len(PAGES) + 1):
            result = pa.array(rewrite(whole[start:stop], URL))
            result.validate(full=True)
            assert result.to_pylist() == values(data_type, EXPECTED)[start:stop]
    chunked = pa.chunked_array([whole[:2], whole[2:2], whole[2:]])
    result = pa.chunked_array(rewrite(chunked, URL))
    result.validate(full=True)
    assert [len(chunk) for chunk in result.chunks] == [2, 0, 3]
    assert result.to_pylist() == values(data_type, EXPECTED)
    empty = pa.chunked_array(rewrite(pa.chunked_array([], data_type), URL))
    assert (empty.type, len(empty)) == (data_type, 0)
    batch = pa.record_batch(links(chunked, URL))
    batch.validate(full=True)
    assert batch["row"].to_pylist() == [0, 3]


def test_long_views_and_many_rows() -> None:
    pages = [f"<a href={'x' * (number % 40)}>" for number in range(5000)]
    expected = [absolve.rewrite(page, URL) for page in pages]
    for data_type in (pa.string(), pa.string_view()):
        for threads in (1, 3):
            assert pa.array(rewrite(pa.array(pages, data_type), URL, threads=threads)).to_pylist() == expected


def test_links_have_a_fixed_schema() -> None:
    fields = (
        "row part start end written line column element attribute reference target status base layer out_of_reach url text rel "
        "anchor source_host target_host"
    ).split()
    for html in (array(pa.string()), pa.array([], pa.string())):
        schema = pa.record_batch(links(html, URL)).schema
        assert schema.names == fields
        assert [str(schema.field(name).type) for name in ("row", "start", "end", "target")] == ["int64"] * 3 + ["string"]
        nullable = "target base url text rel anchor source_host target_host".split()
        assert [field.name for field in schema if field.nullable] == nullable
        chosen = pa.record_batch(links(html, URL, columns=["target", "line"]))
        assert chosen.schema.names == ["row", "target", "line"]
        assert len(chosen) == len(pa.record_batch(links(html, URL)))


def test_links_are_those_of_the_function_for_documents() -> None:
    html = pa.array(["<base href=/b/><a href=x>", None, "é<a href=y><a href=//>"])
    for row in pa.record_batch(links(html, URL, threads=2)).to_pylist():
        data = html[row["row"]].as_py().encode()
        found = [link for link in absolve.links(data, URL, charset="utf-8") if link.start == row["start"]]
        assert len(found) == 1
        for name in ("element", "attribute", "reference", "target", "status", "base", "layer", "end"):
            assert getattr(found[0], name) == row[name]


def test_a_column_of_urls_with_nulls() -> None:
    html = pa.array(["<a href=x>"] * 3)
    url = pa.array([URL, None, "https://example.com/d/"], pa.large_string())
    result = pa.array(rewrite(html, url)).to_pylist()
    assert result == ["<a href=https://example.org/x>", "<a href=x>", "<a href=https://example.com/d/x>"]
    assert pa.array(rewrite(html, pa.nulls(3))).to_pylist() == html.to_pylist()
    assert pa.array(rewrite(html)).to_pylist() == html.to_pylist()
    assert pa.record_batch(links(html, url))["status"].to_pylist() == ["relative", "unresolved", "relative"]


@pytest.mark.parametrize("invalid", ["example.org", "mailto:a@b", "", "http://["])
@pytest.mark.parametrize("function", [rewrite, links])
def test_a_url_that_is_none_names_its_row(invalid: str, function: Callable[..., Any]) -> None:
    html, url = pa.array(["<a href=x>"] * 2), pa.array([URL, invalid])
    with pytest.raises(absolve.BaseError, match="^row 1: .*errors="):
        function(html, url)
    with pytest.raises(absolve.BaseError, match="^row 0: "):
        function(html, invalid)
    function(html, url, errors="keep")
    assert pa.array(rewrite(html, url, errors="keep")).to_pylist() == ["<a href=https://example.org/x>", "<a href=x>"]


def test_content_types() -> None:
    html = pa.array([b"a{b:url(c)}", b"<a href=x>", b"<a href=x>", b"\x89PNG<a href=x>", "<a href='é'>".encode("cp1252")])
    types = pa.array(["text/css", None, "TEXT/HTML ; charset=utf-8", "image/png", "text/html;charset=windows-1252"])
    result = pa.array(rewrite(html, URL, types)).to_pylist()
    assert result[0] == b"a{b:url(https://example.org/c)}"
    assert result[1] == result[2] == b"<a href=https://example.org/x>"
    assert result[3] == html[3].as_py()
    assert result[4] == "<a href='https://example.org/é'>".encode("cp1252")
    assert pa.array(rewrite(html, URL, "image/png")).to_pylist() == html.to_pylist()
    assert pa.array(rewrite(html, URL, "no type at all")).to_pylist() == html.to_pylist()


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()], ids=str)
def test_a_column_with_a_dictionary_is_read(type_: pa.DataType) -> None:
    plain = pa.array(["<a href=x>", None, "<a href=y>", "<a href=x>"]).cast(type_)
    html, urls = plain.dictionary_encode(), pa.array([URL, URL, None, URL + "d/"]).dictionary_encode()
    expected = pa.array(rewrite(plain, pa.array([URL, URL, None, URL + "d/"])))
    result = pa.array(rewrite(html, urls))
    assert result.equals(expected)
    assert result.type == type_
    assert pa.array(rewrite(html[1:], urls[1:])).equals(expected[1:])
    chunked = pa.chunked_array([html, html])
    assert pa.chunked_array(rewrite(chunked, URL)).to_pylist() == pa.array(rewrite(plain, URL)).to_pylist() * 2
    assert pa.record_batch(links(html, urls)).equals(pa.record_batch(links(plain, urls)))
    nothing = pa.array([None, None], type_).dictionary_encode()
    assert pa.array(rewrite(nothing, URL)).to_pylist() == [None, None]


WRONG = [
    pa.array([1, 2]),
    pa.array([1.5, None]),
    pa.array([["<a href=x>"], None]),
    pa.array([{"html": "x"}, None]),
    pa.array([1, 1]).dictionary_encode(),
    pa.array([b"ab", b"cd"], pa.binary(2)),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong.type)[:20])
@pytest.mark.parametrize("function", [rewrite, links])
def test_an_array_of_a_wrong_type_is_named(wrong: Any, function: Callable[..., Any]) -> None:
    right = pa.array(["a", "b"])
    for arguments, name in (((wrong, URL), "html"), ((right, wrong), "url"), ((right, URL, wrong), "content_type")):
        with pytest.raises(TypeError, match=f"^{name} must be an array of string or binary"):
            function(*arguments)


@pytest.mark.parametrize("wrong", [None, "<a href=x>", ["<a href=x>"], 3, b"x"], ids=repr)
def test_what_is_no_array_is_refused(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        rewrite(wrong, URL)
    if wrong is not None and not isinstance(wrong, (str, bytes)):
        with pytest.raises(TypeError, match="^url must be a str or an Arrow array of string"):
            rewrite(pa.array(["x"]), wrong)


@pytest.mark.parametrize("function", [rewrite, links])
def test_columns_of_different_lengths(function: Callable[..., Any]) -> None:
    html = pa.array(["a", "b"])
    for wrong in (pa.array([URL]), pa.array([URL] * 3), pa.array([], pa.string()), pa.nulls(1)):
        with pytest.raises(ValueError, match=r"url has \d rows, and the documents 2"):
            function(html, wrong)
        with pytest.raises(ValueError, match=r"content_type has \d rows, and the documents 2"):
            function(html, URL, wrong)


def test_columns_in_other_chunks() -> None:
    html = pa.chunked_array([["<a href=x>"], ["<a href=y>", "<a href=z>"]])
    url = pa.chunked_array([[URL, URL], ["https://example.com/"]])
    result = pa.chunked_array(rewrite(html, url)).to_pylist()
    assert result == ["<a href=https://example.org/x>", "<a href=https://example.org/y>", "<a href=https://example.com/z>"]


def no_text(content: bytes) -> Any:
    """Returns an array of strings that is none: nothing checks what a buffer has."""
    offsets = pa.array([0, len(content)], pa.int32()).buffers()[1]
    return pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(content)])


def test_a_string_that_is_no_text() -> None:
    with pytest.raises(ValueError, match="(?i)utf-?8"):
        rewrite(no_text(b"\xff<a href=x>"), URL)
    with pytest.raises(ValueError, match="row 0: url is not text in UTF-8"):
        rewrite(pa.array(["x"]), no_text(b"http://h/\xff"))
    assert pa.record_batch(links(no_text(b"\xff<a href=x>"), URL))["target"].to_pylist() == [URL + "x"]
    # In binary they are bytes like any others.
    assert pa.array(rewrite(pa.array([b"\xff<a href=x>\0"]), URL)).to_pylist() == [b"\xff<a href=https://example.org/x>\0"]


def test_options_and_threads() -> None:
    html = pa.array(["<base href=/d/><a href=x>"])
    assert pa.array(rewrite(html, URL, base_element="remove")).to_pylist() == ["<base><a href=https://example.org/d/x>"]
    for options in ({"threads": 0}, {"threads": 257}, {"errors": "ignore"}, {"nonsense": 1}, {"standard": "x"}):
        with pytest.raises(absolve.OptionError):
            rewrite(html, URL, **options)


def test_fields_keep_their_names_and_metadata() -> None:
    field = pa.field("html", pa.string(), nullable=False, metadata={"a": "b"})
    table = pa.Table.from_arrays([pa.array(["<a href=x>"])], schema=pa.schema([field]))
    batch = table.to_batches()[0]
    assert pa.chunked_array(rewrite(table["html"], URL)).to_pylist() == ["<a href=https://example.org/x>"]
    assert pa.array(rewrite(batch["html"], URL)).to_pylist() == ["<a href=https://example.org/x>"]


def test_polars_and_pandas() -> None:
    for texts in (PAGES, []):
        expected = EXPECTED if texts else []
        series = pl.Series("html", texts, pl.String)
        result = pl.Series("html", rewrite(series, URL))
        assert result.dtype == pl.String
        assert result.to_list() == expected
        frame = pl.DataFrame(links(series, URL))
        assert frame["row"].to_list() == ([0, 3] if texts else [])
        column = pd.Series(texts, dtype="str")
        again = pd.Series.from_arrow(rewrite(column, URL))
        assert [None if pd.isna(text) else text for text in again] == expected


@pytest.mark.parametrize("columns", [None, ["content"], ["layer", "record"], []])
def test_records_with_the_columns_that_are_wanted(columns: Any, inputs: Path) -> None:
    table = pa.RecordBatchReader.from_stream(absolve.arrow.read(inputs / "crawl.warc.gz", columns=columns)).read_all()
    assert table.num_rows == 2
    assert table.schema.names == (
        columns if columns is not None else "record part url base layer media_type content findings".split()
    )
    if "content" in table.schema.names:
        assert table["content"].to_pylist() == [b"<a href=guide/>the guide</a>", b'<a href="//">nowhere</a>']


def test_a_stream_that_fails_says_so_after_its_rows(inputs: Path) -> None:
    (inputs / "cut.warc.gz").write_bytes((inputs / "crawl.warc.gz").read_bytes()[:-20])
    for function in (absolve.arrow.read, absolve.arrow.file_links):
        stream = pa.RecordBatchReader.from_stream(function(inputs / "cut.warc.gz"))
        assert stream.read_next_batch().num_rows == 1
        with pytest.raises(Exception, match="cut.warc.gz: "):
            stream.read_next_batch()
    for source in (inputs / "absent.warc", io.StringIO("text")):
        with pytest.raises(Exception, match="absent.warc|bytes"):
            pa.RecordBatchReader.from_stream(absolve.arrow.read(source, "warc")).read_all()  # type: ignore[arg-type]


def test_links_of_files_are_those_of_the_command(inputs: Path, command: Any) -> None:
    for name in ("crawl.warc.gz", "list.mbox"):
        listed = command("links", "--json", inputs / name).stdout.splitlines()
        expected = [json.loads(line) for line in listed]
        for row in expected:
            row.setdefault("path_base64", None)
            row.setdefault("out_of_reach", False)
        stream = absolve.arrow.file_links(inputs / name, threads=2)
        assert pa.RecordBatchReader.from_stream(stream).read_all().to_pylist() == expected
        for column in ("target", "text", "date"):
            stream = absolve.arrow.file_links(inputs / name, columns=[column])
            rows = pa.RecordBatchReader.from_stream(stream).read_all().to_pylist()
            assert rows == [{column: row[column]} for row in expected]


def test_edges_of_files_are_those_of_the_command(inputs: Path, command: Any) -> None:
    for nodes in ("pages", "hosts", "domains"):
        listed = command("links", "--json", "--graph", nodes, "--internal", inputs / "crawl.warc.gz").stdout.splitlines()
        stream = absolve.arrow.file_edges(inputs / "crawl.warc.gz", nodes=nodes, internal=True)
        edges = pa.RecordBatchReader.from_stream(stream).read_all().to_pylist()
        assert edges == [json.loads(line) for line in listed]
        assert edges
    with pytest.raises(absolve.OptionError, match="pages, hosts, domains"):
        absolve.arrow.file_edges(inputs / "crawl.warc.gz", nodes="sites")  # type: ignore[arg-type]


def test_graphml_and_web_graphs_are_read_by_others(inputs: Path, command: Any, tmp_path: Path) -> None:
    """Networkx reads the one, and lines of two columns are the other, as Common Crawl's own tools read them."""
    networkx = pytest.importorskip("networkx")
    listed = command("links", "--json", "--graph", "hosts", "--internal", inputs / "crawl.warc.gz").stdout.splitlines()
    edges = [json.loads(line) for line in listed]
    common = ("links", "--graph", "hosts", "--internal", "-q", inputs / "crawl.warc.gz")
    command(*common, "--format", "graphml", "-o", tmp_path / "g.graphml")
    graph = networkx.read_graphml(tmp_path / "g.graphml")
    found = {(source, target): data for source, target, data in graph.edges(data=True)}
    assert {pair: data["links"] for pair, data in found.items()} == {(e["source"], e["target"]): e["links"] for e in edges}
    command(*common, "--format", "webgraph", "-o", tmp_path / "g")
    vertices = [line.split("\t") for line in (tmp_path / "g-vertices.txt").read_text().splitlines()]
    names = {number: ".".join(reversed(name.split("."))) for number, name in vertices}
    pairs = [line.split("\t") for line in (tmp_path / "g-edges.txt").read_text().splitlines()]
    assert sorted((names[a], names[b]) for a, b in pairs) == sorted((e["source"], e["target"]) for e in edges)


def test_wrong_columns_are_refused(inputs: Path) -> None:
    wrong: Any = ["content", "bytes"]
    with pytest.raises(absolve.OptionError, match="record, part, url"):
        absolve.arrow.read(inputs / "list.mbox", columns=wrong)
    wrong = ["href"]
    with pytest.raises(ValueError, match='no column is named "href"'):
        absolve.arrow.file_links(inputs / "list.mbox", columns=wrong)
    with pytest.raises(ValueError, match='no column is named "href"'):
        links(pa.array(["<a>"]), URL, columns=wrong)


@pytest.mark.parametrize("kind", [pa.string(), pa.binary()])
@pytest.mark.parametrize("function", [absolve.arrow.rewrite, absolve.arrow.links])
def test_offsets_that_decrease_are_an_error(kind: pa.DataType, function: Callable[..., object]) -> None:
    offsets = pa.py_buffer(struct.pack("<4i", 0, 4, 10, 5))
    array = pa.Array.from_buffers(kind, 3, [None, offsets, pa.py_buffer(b"<b>\n<a href=x>")])
    with pytest.raises(ValueError, match="row 1: html: the offsets of this array are not valid"):
        function(array, "http://h/")


def test_a_text_that_is_not_utf_8_is_named() -> None:
    array = pa.chunked_array([pa.array([b"<b>"]), pa.array([None, b"\xff<a href=x>"])]).cast(pa.binary())
    texts = pa.chunked_array([chunk.view(pa.string()) for chunk in array.chunks])
    with pytest.raises(ValueError, match="row 2: html is not text in UTF-8"):
        absolve.arrow.rewrite(texts, "http://h/")


@pytest.mark.parametrize("wrong", [["<a href=x>"], pa.array(["<a href=x>"]).to_numpy(zero_copy_only=False), "<a href=x>", None])
def test_what_is_no_column_is_refused_with_what_is_one(wrong: Any) -> None:
    name = type(wrong).__name__
    for function in (absolve.arrow.rewrite, absolve.arrow.links):
        with pytest.raises(TypeError, match=f"html must be an Arrow array of .*, not {name}; pyarrow.array makes one"):
            function(wrong, "http://h/")
    if isinstance(wrong, list):
        with pytest.raises(TypeError, match="url must be a str or an Arrow array of string, not list"):
            absolve.arrow.rewrite(pa.array(wrong), wrong)  # type: ignore[call-overload]


@pytest.mark.parametrize("function", [absolve.arrow.read, absolve.arrow.file_links])
def test_a_missing_file_is_an_error_before_the_stream_begins(function: Callable[..., object], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        function(tmp_path / "none.warc")
    assert error.value.filename == str(tmp_path / "none.warc")
    with pytest.raises(IsADirectoryError):
        function(tmp_path)
