"""Options: their names and values are those of the command, and a wrong one is an error before any work."""

import importlib.metadata
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import absolve
import absolve.arrow
from conftest import Command

# As calls with wrong arguments: checkers of types refuse them.
rewrite: Any = absolve.rewrite
HTML = "<base href=/b/><a href='x y'><a href=#top><a href='//h/é'>"
URL = "https://example.org/"

# The names of the command, whose help lists the values.
FLAGS = {
    "standard": "--standard",
    "precedence": "--precedence",
    "base_element": "--base-element",
    "same_document": "--same-document",
    "feed_base": "--feed-base",
    "groups": "--groups",
    "spelling": "--spelling",
    "warc": "--warc",
    "type": "--type",
}


def values_of_the_command(help_text: str, flag: str) -> list[str]:
    """Returns the values that the help lists for a flag, in either of its two forms."""
    entry = re.search(rf"^      {flag} <.*?(?=^      \S|\Z)", help_text, re.MULTILINE | re.DOTALL)
    assert entry, flag
    line = re.search(r"\[possible values: ([^\]]+)\]", entry[0])
    return re.split(r",\s+", line[1]) if line else re.findall(r"^ +- ([a-z-]+)", entry[0], re.MULTILINE)


def raised(call: Callable[[], object]) -> str:
    with pytest.raises(absolve.OptionError) as error:
        call()
    return str(error.value)


def listed(message: str) -> list[str]:
    return message.split("one of ")[1].split(", not ")[0].split(", ")


@pytest.mark.parametrize("option", FLAGS)
def test_values_are_those_of_the_command(option: str, command: Command) -> None:
    expected = values_of_the_command(command("rewrite", "--help").stdout.decode(), FLAGS[option])
    assert len(expected) >= 2
    value: Any = ["nonsense"] if option == "groups" else "nonsense"
    call: Any = absolve.rewrite_file if option in ("warc", "type") else absolve.rewrite
    arguments = (io.BytesIO(), io.BytesIO()) if call is absolve.rewrite_file else (HTML, URL)
    assert sorted(listed(raised(lambda: call(*arguments, **{option: value})))) == sorted(expected)
    for one in expected:
        if call is absolve.rewrite:
            rewrite(HTML, URL, **{option: [one] if option == "groups" else one})


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--standard", "rfc3986"], {"standard": "rfc3986"}),
        (["--base-element", "remove"], {"base_element": "remove"}),
        (["--base-element", "comment"], {"base_element": "comment"}),
        (["--same-document", "absolute"], {"same_document": "absolute"}),
        (["--spelling", "ascii"], {"spelling": "ascii"}),
        (["--for", "mail"], {"purpose": "mail"}),
        (["--for", "mail", "--base-element", "keep"], {"purpose": "mail", "base_element": "keep"}),
        (["--keep", "^x"], {"keep": ["^x"]}),
        (["--groups", "legacy"], {"groups": ["legacy"]}),
        (["--attr", "p@data-url=url"], {"attributes": ["p@data-url=url"]}),
        (["--charset", "utf-8"], {"charset": "utf-8"}),
        (["--precedence", "browser"], {"precedence": "browser"}),
    ],
    ids=str,
)
def test_options_do_what_those_of_the_command_do(
    flags: list[str], options: dict[str, Any], command: Command, tmp_path: Path
) -> None:
    page = f"<p data-url=p>{HTML}<table background=t>".encode()
    path, output = tmp_path / "page.html", tmp_path / "out.html"
    path.write_bytes(page)
    command("rewrite", path, "-o", output, "--url", URL, *flags)
    expected = output.read_bytes()
    assert rewrite(page, URL, **options) == expected
    assert absolve.Rewriter(**options).html(page, URL).content == expected
    stream = io.BytesIO()
    absolve.rewrite_file(io.BytesIO(page), stream, url=URL, type="html", **options)
    assert stream.getvalue() == expected


def test_a_wrong_name_lists_the_right_ones() -> None:
    message = raised(lambda: rewrite(HTML, URL, standart="rfc3986"))
    assert message.startswith('unexpected keyword argument "standart"')
    for name in ("standard", "precedence", "base_element", "same_document", "groups", "attributes", "keep", "charset"):
        assert re.search(rf"\b{name}\b", message)
    # For files there are more.
    assert "http_headers" not in message
    assert "http_headers" in raised(lambda: absolve.rewrite_file("a", "b", nonsense=1))  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"standard": 3986}, "standard must be a str, not int"),
        ({"keep": "^x"}, "keep must be a list of str, not str"),
        ({"base": URL}, 'unexpected keyword argument "base"; the URL of the document is url'),
        ({"base": "remove"}, 'unexpected keyword argument "base"; what becomes of the BASE element is base_element'),
        ({"keep": ["("]}, "open group without closing"),
        ({"groups": "core"}, "groups must be a list of str"),
        ({"attributes": ["p"]}, "url, space-list, comma-list, semicolon-list, srcset"),
        ({"charset": "klingon"}, "no charset has the name"),
        ({"type": "pdf"}, "html, css, xml, text, markdown, json-feed, speculation-rules, message"),
        ({"digests": "ignore"}, "unexpected keyword argument"),
        ({"message_url": "example.org/d/"}, "message_url: links cannot be resolved"),
    ],
    ids=str,
)
def test_a_wrong_value_says_what_is_right(options: dict[str, Any], words: str) -> None:
    assert words in raised(lambda: rewrite(HTML, URL, **options))


@pytest.mark.parametrize("threads", [0, -1, 257, 2**40])
def test_numbers_of_threads_have_the_limits_of_the_command(threads: int) -> None:
    assert "1 to 256" in raised(lambda: absolve.rewrite_file("absent", "out", threads=threads))
    assert "1 to 256" in raised(lambda: absolve.arrow.read("absent", threads=threads))


@pytest.mark.parametrize("date", [-1, 253_402_300_800, 2**62])
def test_a_date_that_no_archive_can_hold_is_refused(date: int) -> None:
    assert "date must be" in raised(lambda: absolve.rewrite_file("absent", "out", date=date))


def test_wrong_options_are_errors_of_both_kinds() -> None:
    assert issubclass(absolve.OptionError, ValueError)
    assert issubclass(absolve.OptionError, TypeError)


def test_nothing_is_read_or_written_before_options_are_right(tmp_path: Path) -> None:
    class Untouched(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise AssertionError("read")

        def write(self, data: Any) -> int:
            raise AssertionError("written")

    output = tmp_path / "out"
    wrong: list[dict[str, Any]] = [
        {"standard": "x"},
        {"nonsense": 1},
        {"warc": "x"},
        {"type": "x"},
        {"threads": 0},
        {"date": -1},
        {"url": "example.org/x"},
        {"on_finding": 3},
    ]
    for options in wrong:
        for target in (Untouched(), output):
            with pytest.raises((ValueError, TypeError)):
                absolve.rewrite_file(Untouched(), target, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["https://example.org/d/", "archived-at"])
def test_the_url_of_messages_that_declare_none(url: str, command: Command, tmp_path: Path) -> None:
    message = b"Archived-At: <https://archive.example/m/1>\nContent-Type: text/html\n\n<a href=x>"
    mbox = b"From a@b Thu Jan  1 00:00:00 1998\n" + message + b"\n\n"
    path, output = tmp_path / "a.mbox", tmp_path / "out.mbox"
    path.write_bytes(mbox)
    command("rewrite", path, "-o", output, "--message-url", url)
    stream = io.BytesIO()
    absolve.rewrite_file(io.BytesIO(mbox), stream, type="mbox", message_url=url)
    assert stream.getvalue() == output.read_bytes() != mbox
    assert absolve.rewrite_message(message, message_url=url) in output.read_bytes()
    assert absolve.rewrite("<a href=x>", message_url=url) == "<a href=x>"


def test_none_is_the_default() -> None:
    options = dict.fromkeys(["standard", "precedence", "base_element", "same_document", "groups", "attributes", "keep"])
    assert rewrite(HTML, URL, **options) == absolve.rewrite(HTML, URL)


@pytest.mark.parametrize("url", ["example.org/x", "mailto:a@b", "", "http://[", "//h/"])
def test_a_url_that_cannot_be_a_base_is_an_error(url: str) -> None:
    with pytest.raises(absolve.BaseError):
        absolve.rewrite(HTML, url)
    with pytest.raises(absolve.BaseError):
        absolve.links(HTML, url)
    with pytest.raises(absolve.BaseError):
        absolve.Rewriter().html(HTML, url)
    with pytest.raises(absolve.BaseError):
        absolve.rewrite_message(b"a: b\n\n", url)
    with pytest.raises(absolve.BaseError):
        absolve.rewrite_file(io.BytesIO(), io.BytesIO(), url=url)


def test_resolve_refuses_what_is_no_url() -> None:
    for base in ("example.org/x", "", "//h/"):
        with pytest.raises(absolve.BaseError, match="cannot be a base"):
            absolve.resolve("x", base=base)
    assert absolve.resolve("x", base="mailto:a@b") is None


def test_the_arguments_of_a_function_are_among_its_options() -> None:
    with pytest.raises(TypeError, match='"overwrit"; options are url, type, name, .* overwrite, standard, .* digests'):
        absolve.rewrite_file(io.BytesIO(), io.BytesIO(), overwrit=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match='"thread"; options are url, content_type, threads, errors, standard'):
        absolve.arrow.rewrite(None, thread=2)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "call",
    [
        lambda: absolve.rewrite("", url=3),  # type: ignore[call-overload]
        lambda: absolve.rewrite_message(b"", 3),  # type: ignore[arg-type]
        lambda: absolve.links("", url=3),  # type: ignore[arg-type]
        lambda: absolve.Rewriter().html("", 3),  # type: ignore[call-overload]
        lambda: absolve.rewrite_file(io.BytesIO(), io.BytesIO(), url=3),  # type: ignore[arg-type]
        lambda: absolve.arrow.read(io.BytesIO(), url=3),  # type: ignore[arg-type]
    ],
)
def test_a_url_of_a_wrong_type_is_named(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="url must be a str or None, not int"):
        call()


def test_the_version_is_that_of_the_package() -> None:
    assert absolve.__version__ == importlib.metadata.version("absolve")
