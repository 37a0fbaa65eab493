"""Files: the bytes are those of the command, for each type, from paths and from file objects."""

import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import absolve
import documentation
from conftest import Command

URL = "https://example.org/lighthouse/"
DATE = 1_000_000_000


def rewritten(source: Path, target: Path, **options: Any) -> bytes:
    """Rewrites from path to path and from object to object, and returns what both give."""
    report = absolve.rewrite_file(source, target, date=DATE, **options)
    stream = io.BytesIO()
    with source.open("rb") as file:
        again = absolve.rewrite_file(file, stream, date=DATE, threads=1, **options)
    content = target.read_bytes()
    assert stream.getvalue() == content
    assert (again.counts, again.records, again.changed) == (report.counts, report.records, report.changed)
    assert (again.findings, again.bytes_out) == (report.findings, report.bytes_out)
    assert (report.bytes_in, report.bytes_out) == (source.stat().st_size, len(content))
    return content


def pages(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in {".html", ".css", ".svg"} and path.is_file())


def test_documents_of_the_fixtures(fixtures: Path, command: Command, tmp_path: Path) -> None:
    found = pages(fixtures / "site") + pages(fixtures / "newsletter") + pages(fixtures / "pack")
    assert len(found) >= 6
    changed = 0
    for number, page in enumerate(found):
        command("rewrite", page, "-o", tmp_path / f"{number}.command", "--url", URL)
        content = rewritten(page, tmp_path / f"{number}.python", url=URL)
        assert content == (tmp_path / f"{number}.command").read_bytes()
        if page.suffix == ".html":
            assert absolve.rewrite(page.read_bytes(), URL) == content
        changed += content != page.read_bytes()
    assert changed >= 4


def test_messages_of_the_fixtures(fixtures: Path, command: Command, tmp_path: Path) -> None:
    for number, message in enumerate(sorted(fixtures.glob("mail/**/*.eml"))):
        command("rewrite", message, "-o", tmp_path / f"{number}.command", expected=None)
        assert rewritten(message, tmp_path / f"{number}.python") == (tmp_path / f"{number}.command").read_bytes()


@pytest.mark.parametrize("warc", ["append", "sidecar", "resource"])
def test_an_archive_in_each_form(warc: Any, inputs: Path, command: Command) -> None:
    source = inputs / "crawl.warc.gz"
    command("rewrite", source, "-o", inputs / "c.warc.gz", "--warc", warc, "--warc-date", DATE)
    assert rewritten(source, inputs / "p.warc.gz", warc=warc) == (inputs / "c.warc.gz").read_bytes()
    plain = inputs / "plain.warc"
    plain.write_bytes(gzip.decompress(source.read_bytes()))
    command("rewrite", plain, "-o", inputs / "c.warc", "--warc", warc, "--warc-date", DATE)
    assert rewritten(plain, inputs / "p.warc", warc=warc) == (inputs / "c.warc").read_bytes()


def test_the_name_of_the_output_says_how_it_is_compressed(inputs: Path, command: Command) -> None:
    cases: list[tuple[str, str, Any]] = [
        ("crawl.warc.gz", "side.warc", "sidecar"),
        ("crawl.warc.gz", "side.warc.zst", "sidecar"),
        ("crawl.warc.gz", "derived.warc", "resource"),
        ("list.mbox", "list.mbox.gz", "append"),
        ("list.mbox", "list.mbox.zst", "append"),
        ("list.mbox", "list.mbox.xz", "append"),
    ]
    for source, target, warc in cases:
        (inputs / "c").mkdir(exist_ok=True)
        expected, output = inputs / "c" / target, inputs / target
        command("rewrite", inputs / source, "-o", expected, "--warc", warc, "--warc-date", DATE)
        absolve.rewrite_file(inputs / source, output, warc=warc, date=DATE)
        assert output.read_bytes() == expected.read_bytes(), target
        assert output.read_bytes()[:2] != (inputs / source).read_bytes()[:2]
    for source, target, words in (
        ("crawl.warc.gz", "copy.warc", "those are compressed by gzip; give it a name that ends in .warc.gz"),
        ("list.mbox", "copy.mbox.7z", "give the output a name without .7z"),
    ):
        with pytest.raises(absolve.FileError, match=words) as error:
            absolve.rewrite_file(inputs / source, inputs / target)
        assert error.value.path == str(inputs / target)
        assert not (inputs / target).exists()


@pytest.mark.parametrize("name", ["list.mbox", "list.mbox.gz"])
def test_an_mbox(name: str, inputs: Path, command: Command) -> None:
    content = (inputs / "list.mbox").read_bytes()
    source = inputs / name
    source.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    command("rewrite", source, "-o", inputs / f"c-{name}")
    assert rewritten(source, inputs / f"p-{name}") == (inputs / f"c-{name}").read_bytes()
    assert source.read_bytes() != (inputs / f"p-{name}").read_bytes()


def test_a_sidecar_without_conversions_is_no_file(inputs: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "a.warc", tmp_path / "side.warc"
    source.write_bytes(documentation.response(b"text/html", b"no links"))
    report = absolve.rewrite_file(source, target, warc="sidecar")
    assert (report.records, report.changed, report.bytes_out, report.errors) == (1, 0, 0, [])
    assert not target.exists()
    stream = io.BytesIO()
    absolve.rewrite_file(source, stream, warc="sidecar")
    assert stream.getvalue() == b""


@pytest.mark.parametrize("more", [[], ["--unique-hosts"]])
def test_the_command_of_the_wheel_writes_parquet(inputs: Path, command: Command, more: list[str]) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    listed = command("links", inputs / "crawl.warc.gz", "--json", *more).stdout.splitlines()
    command("links", inputs / "crawl.warc.gz", "--format", "parquet", "-o", inputs / "links.parquet", *more)
    rows = pq.read_table(inputs / "links.parquet").to_pylist()
    assert rows and list(map(given, rows)) == [given(json.loads(line)) for line in listed]


def given(row: dict[str, Any]) -> dict[str, Any]:
    """Returns the columns of a row that say something: JSON leaves out some of the others."""
    return {name: value for name, value in row.items() if value}


CONTAINERS = [".mbox", ".warc", ".warc.gz", ".arc", ".arc.gz", ".warc.zst", ".eml"]


def containers(corpora: Path) -> list[Path]:
    """Returns the containers of the corpora, up to a size that is read in a moment."""
    small = (path for path in corpora.rglob("*") if path.is_file() and 0 < path.stat().st_size < 4 << 20)
    return sorted(path for path in small if path.name.endswith(tuple(CONTAINERS)))


def test_containers_of_the_corpora(corpora: Path, command: Command, tmp_path: Path) -> None:
    """At most twelve of each kind: the command is started for each."""
    done: dict[str, int] = {}
    for source in containers(corpora):
        kind = next(kind for kind in CONTAINERS if source.name.endswith(kind))
        if done.get(kind, 0) >= 12:
            continue
        forms: list[Any] = ["append", "sidecar", "resource"] if "warc" in kind else ["append"]
        for form in forms:
            name = f"{done.get(kind, 0)}-{form}{kind}".replace(".arc", ".arc.warc")
            target, expected = tmp_path / f"p-{name}", tmp_path / f"c-{name}"
            ended = command(
                "rewrite", source, "-o", expected, "--warc", form, "--warc-date", DATE, "--quiet", expected=None
            )
            try:
                absolve.rewrite_file(source, target, warc=form, date=DATE)
                assert ended.returncode == 0, source
            except absolve.FileError:
                assert ended.returncode != 0, source
            if expected.exists():
                assert target.read_bytes() == expected.read_bytes(), source
            else:
                assert not target.exists(), source
        done[kind] = done.get(kind, 0) + 1
    assert len(done) >= 4


def test_pages_of_the_corpora(corpora: Path, command: Command, tmp_path: Path) -> None:
    folder = corpora / "html-nokogiri-sjis"
    command("rewrite", folder, "-o", tmp_path / "out", "--url", URL, "--exclude", "*.css", expected=None)
    rewriter = absolve.Rewriter()
    found = [path for path in folder.rglob("*.html") if path.stat().st_size]
    assert found
    for page in found:
        url = URL + page.relative_to(folder).as_posix()
        assert rewriter.html(page.read_bytes(), url).content == (tmp_path / "out" / page.relative_to(folder)).read_bytes()


def test_a_type_by_name_and_by_content(tmp_path: Path) -> None:
    css = b"a { b: url(c) }"

    def run(**options: Any) -> bytes:
        output = io.BytesIO()
        absolve.rewrite_file(io.BytesIO(css), output, url="https://h/", **options)
        return output.getvalue()

    assert run(type="css") == run(name="a.css") == run(name=Path("a.css")) == b"a { b: url(https://h/c) }"
    with pytest.raises(absolve.FileError, match="give it with type"):
        run()
    named = tmp_path / "a.css"
    named.write_bytes(css)
    output = io.BytesIO()
    with named.open("rb") as source:
        absolve.rewrite_file(source, output, url="https://h/")
    assert output.getvalue() == run(type="css")
    # Without a name, an mbox is recognized by its first line.
    mbox = b"From a@b Thu Jan  1 00:00:00 1998\nContent-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n\n"
    assert absolve.rewrite_file(io.BytesIO(mbox), io.BytesIO()).changed == 1


def test_findings_are_passed_on_and_counted(inputs: Path) -> None:
    found: list[absolve.Finding] = []
    report = absolve.rewrite_file(inputs / "crawl.warc.gz", inputs / "out.warc.gz", on_finding=found.append)
    assert report.findings == {"no-target": 1}
    assert [(finding.code, finding.record) for finding in found] == [("no-target", "4")]
    assert found[0].path == str(inputs / "crawl.warc.gz")


def test_a_file_named_by_a_hyphen_is_a_file(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(inputs)
    absolve.rewrite_file("list.mbox", "-")
    assert b"https://example.org/archive/x" in (inputs / "-").read_bytes()
    assert absolve.rewrite_file("-", "again.mbox", type="mbox").changed == 0


@pytest.mark.parametrize(
    ("source", "name", "extension"),
    [
        (b"<a href=x>", "v.html.gz", "gz"),
        (b"<a href=x>", "v.html.zst", "zst"),
        (b"Subject: x\nContent-Type: text/html\n\n<a href=x>", "v.eml.lz", "lz"),
        (b"From a@b Thu Jan  1 00:00:00 1998\nSubject: x\n\nx\n", "v.mbox.7z", "7z"),
    ],
)
def test_a_compression_that_is_not_written_is_refused(
    source: bytes, name: str, extension: str, tmp_path: Path, command: Command
) -> None:
    why = f"not compressed by absolve; give the output a name without .{extension}"
    plain, target = tmp_path / Path(name).stem, tmp_path / name
    plain.write_bytes(source)
    with pytest.raises(absolve.FileError, match=re.escape(f"{name}: {why}")):
        absolve.rewrite_file(plain, target, url="http://h/")
    assert why in command("rewrite", plain, "-o", target, expected=2).stderr.decode()
    assert list(tmp_path.iterdir()) == [plain]
