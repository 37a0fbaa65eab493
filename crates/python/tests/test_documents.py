"""Documents in memory: str and bytes, offsets, results, and what is no text."""

import io
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import absolve
from conftest import Command

URL = "https://example.org/d/"
rewrite: Any = absolve.rewrite


class Text(str):
    pass


def test_str_gives_str_and_bytes_give_bytes() -> None:
    html = '<p>é 😀</p><a href="x">'
    expected = '<p>é 😀</p><a href="https://example.org/d/x">'
    assert absolve.rewrite(html, URL) == expected
    assert absolve.rewrite(html.encode(), URL) == expected.encode()
    assert type(absolve.Rewriter().html(html, URL).content) is str
    assert type(absolve.Rewriter().html(html.encode(), URL).content) is bytes


@pytest.mark.parametrize("data", ["", b"", "no link", b"no link", "é<a href='http://h/'>", Text("plain"), "\0<a href='#a'>"])
def test_unchanged_is_the_same_object(data: Any) -> None:
    assert rewrite(data, URL) is data
    page = absolve.Rewriter().html(data, URL)
    assert page.content is data
    assert not page.changed


def test_a_subclass_of_str_gives_str() -> None:
    assert absolve.rewrite(Text("<a href=x>"), URL) == "<a href=https://example.org/d/x>"


@pytest.mark.parametrize("html", ["<a href=x><img src=y>", "é<a href=x>😀<img src=y>", "\ufeff<a href='é'>日本<img srcset='a 1x, b 2x'>"])
@pytest.mark.parametrize("kind", ["html", "xml", "text"])
def test_offsets_are_those_of_the_data(html: str, kind: Any) -> None:
    html = {
        "xml": "<?xml version='1.0'?><div xmlns='http://www.w3.org/1999/xhtml'>é<a href='x'/>😀<img src='y'/></div>",
        "text": "é 😀 <URL:x> and <URL:y>",
    }.get(kind, html)
    for data in (html, html.encode()):
        links = absolve.links(data, URL, type=kind)
        assert len(links) >= 2
        for link in links:
            written = data[link.start : link.end]
            assert (written if isinstance(written, str) else written.decode()) == link.reference
        assert [link.start for link in links] == sorted(link.start for link in links)


def test_offsets_in_a_message_are_those_of_its_decoded_part() -> None:
    part = "é<a href='x'>"
    message = f"Subject: 日本\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{part}"
    for data in (message, message.encode()):
        (link,) = absolve.links(data, URL, type="message")
        assert part.encode()[link.start : link.end] == b"x"


def test_offsets_in_other_encodings_are_those_of_the_bytes() -> None:
    for encoding in ("utf-16", "utf-16-be", "cp1252", "shift_jis"):
        data = "\ufeff<p>わ<a href='x'>".encode(encoding, "ignore")
        (link,) = absolve.links(data, URL)
        assert data[link.start : link.end].strip(b"\0") == b"x"


def test_offsets_of_many_links_do_not_take_time_of_their_square() -> None:
    html = "é<a href=x>" * 200_000
    links = absolve.links(html, URL)
    assert [link.start for link in links[-2:]] == [len(html) - 13, len(html) - 2]


def test_a_meta_charset_counts_in_bytes_only() -> None:
    html = '<meta charset=shift_jis><a href="わ">'
    target = "https://example.org/d/わ"
    assert [link.target for link in absolve.links(html, URL)] == [target]
    assert [link.target for link in absolve.links(html.encode("shift_jis"), URL)] == [target]
    assert [link.target for link in absolve.links(html.encode(), URL)] != [target]
    assert absolve.rewrite(html.encode("shift_jis"), URL).decode("shift_jis") == absolve.rewrite(html, URL)


def test_charset_is_that_of_http() -> None:
    html = '<p>é <a href="わ">'.encode("shift_jis", "ignore")
    assert [link.reference for link in absolve.links(html, URL, charset="shift_jis")] == ["わ"]
    assert [link.reference for link in absolve.links(html, URL, charset="windows-1252")] != ["わ"]
    # A str is decoded already.
    assert [link.reference for link in absolve.links('<a href="わ">', URL, charset="windows-1252")] == ["わ"]


@pytest.mark.parametrize(
    ("data", "type", "expected"),
    [
        ("a { b: url(c) }", "css", "a { b: url(https://example.org/d/c) }"),
        ("<URL:c>", "text", "<URL:https://example.org/d/c>"),
        ("<a xlink:href='c' xmlns:xlink='http://www.w3.org/1999/xlink'/>", "xml", "https://example.org/d/c"),
        ("Content-Type: text/html\n\n<a href=c>", "message", "\n\n<a href=https://example.org/d/c>"),
    ],
)
def test_types(data: str, type: Any, expected: str) -> None:
    for one in (data, data.encode()):
        changed = rewrite(one, URL, type=type)
        page = absolve.Rewriter().document(one, type, URL)
        assert page.content == changed
        assert expected in (changed if isinstance(changed, str) else changed.decode())


def test_messages_declare_their_bases(fixtures: Path, command: Command, tmp_path: Path) -> None:
    for path in sorted(fixtures.glob("mail/**/*.eml")):
        command("rewrite", path, "-o", tmp_path / path.name, expected=None)
        message = path.read_bytes()
        expected = (tmp_path / path.name).read_bytes()
        assert absolve.rewrite_message(message) == expected
        assert absolve.Rewriter().message(message).content == expected
        assert absolve.rewrite(message, type="message") == expected
        assert absolve.rewrite_message(expected) is expected


def test_a_page_says_what_happened() -> None:
    html = "<base href=/b/><a href=x><a href='http://h/'><a href=#top><a href='{{x}}'><a href='//'>"
    page = absolve.Rewriter().html(html, URL)
    counts = page.counts
    assert (counts.documents, counts.links, counts.rewritten) == (1, 6, 2)
    assert (counts.absolute, counts.same_document, counts.kept, counts.unresolved) == (1, 1, 1, 1)
    assert page.base == absolve.Rewriter().html(html, URL).base
    assert (page.base.url, page.base.layer) == ("https://example.org/b/", "element")
    assert [finding.code for finding in page.findings] == ["no-target"]
    assert str(page.findings[0]).startswith("1:")
    assert absolve.Rewriter().html("<a href=x>").base.layer == "none"


def test_results_are_values() -> None:
    one, two = (absolve.links("<a href=x><a href=y>", URL) for _ in range(2))
    assert one == two
    assert one[0] != one[1]
    assert len({*one, *two}) == 2
    for value in (one[0], absolve.Rewriter().html("x").base, absolve.Rewriter().html("x").counts):
        with pytest.raises(AttributeError):
            setattr(value, "url", "x")
        assert type(value).__name__ in repr(value)


@pytest.mark.parametrize("data", ["\ud800", "<a href=x>\udfff", "\udcff<a href='\ud83d'>"])
def test_a_lone_surrogate_is_no_text(data: str) -> None:
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed") as error:
        absolve.rewrite(data, URL)
    assert data[error.value.start] in "\ud800\udfff\udcff"
    for call in (absolve.links, absolve.Rewriter().html, absolve.Rewriter().links):
        with pytest.raises(UnicodeEncodeError):
            call(data, URL)
    with pytest.raises(UnicodeEncodeError):
        absolve.rewrite("<a href=x>", url="http://\ud800/")
    with pytest.raises(UnicodeEncodeError):
        absolve.resolve("\ud800", base=URL)


@pytest.mark.parametrize("data", [None, 1, bytearray(b"x"), memoryview(b"x"), ["x"], Path("x")])
def test_other_types_are_errors_that_name_them(data: Any) -> None:
    for call in (rewrite, absolve.links, absolve.Rewriter().html, absolve.Rewriter().links):
        with pytest.raises(TypeError, match=type(data).__name__):
            call(data, URL)
    with pytest.raises(TypeError):
        rewrite("<a href=x>", url=data if data is not None else 1)


def test_a_message_is_bytes() -> None:
    message: Any = "Content-Type: text/html\n\n<a href=x>"
    with pytest.raises(TypeError, match="bytes"):
        absolve.rewrite_message(message)
    with pytest.raises(TypeError, match="bytes"):
        absolve.Rewriter().message(message)


@pytest.mark.parametrize("length", [1, 7, 1000, 100_000])
def test_bytes_that_are_no_text_come_back(length: int) -> None:
    """Any bytes are read as some text, and what is no link stays."""
    noise = bytes((index * 7919 + index // 251) % 256 for index in range(length))
    for kind in ("html", "css", "xml", "text", "markdown", "json-feed", "speculation-rules", "message"):
        page = absolve.Rewriter().document(noise, kind, URL)
        assert page.changed or page.content is noise
    for data in (noise, b"\0" * length, b"\xff" * length, b"<" * length, b"\xff\xfe" + b"<\0a\0" * length):
        rewritten = absolve.rewrite(data, URL)
        assert len(rewritten) >= len(data)


def test_nul_stays() -> None:
    assert absolve.rewrite("\0<a\0 href=x>\0<a href=x>", URL).endswith("\0<a href=https://example.org/d/x>")


def test_resolve_by_each_standard() -> None:
    standards: Any = ["rfc1630", "rfc1808", "draft1996", "rfc2396", "rfc3986", "whatwg"]
    found = [absolve.resolve("../../../g", base="http://a/b/c/d;p?q", standard=standard) for standard in standards]
    assert found[-1] == found[-2] == "http://a/g"
    assert len(set(found)) > 1
    assert absolve.resolve("//", base="http://a/b") is None


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_rewriters_and_pages_can_be_pickled(protocol: int) -> None:
    keep = ["^~"]
    rewriter = absolve.Rewriter(standard="rfc3986", base_element="remove", keep=keep)
    keep.append("x")
    other = pickle.loads(pickle.dumps(rewriter, protocol))
    html = "<base href=/d/><a href=x><a href=~y><a href=Talk:Foo><a href='//['>"
    pages = [one.html(html, url=URL) for one in (rewriter, other)]
    for page in [*pages, pickle.loads(pickle.dumps(pages[0], protocol))]:
        assert (page.content, page.changed, page.base, page.counts, page.findings) == (
            pages[0].content,
            True,
            pages[0].base,
            pages[0].counts,
            pages[0].findings,
        )
    assert pages[0].counts.kept == 1
    assert pages[0].findings
    nothing = absolve.Rewriter().html(b"<a href=x>")
    assert pickle.loads(pickle.dumps(nothing, protocol)).base == nothing.base
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(rewriter.html, html, URL).result().content == pages[0].content


def test_wrong_types_name_the_argument() -> None:
    anything: Any = absolve
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: anything.rewrite(3), "data"),
        (lambda: anything.rewrite("x", 3), "url"),
        (lambda: anything.rewrite("x", type=3), "type"),
        (lambda: anything.rewrite("x", keep=3), "keep"),
        (lambda: anything.rewrite_message("x"), "data"),
        (lambda: anything.Rewriter().document("x", 3), "type"),
        (lambda: anything.resolve(3, base=URL), "reference"),
        (lambda: anything.resolve("x", base=3), "base"),
        (lambda: anything.rewrite_file("a", "b", threads="2"), "threads"),
        (lambda: anything.rewrite_file(3, "b"), "input"),
        (lambda: anything.rewrite_file(io.BytesIO(), 3), "output"),
    ]
    for call, name in wrong:
        with pytest.raises(TypeError, match=rf"\b{name}\b"):
            call()
