"""Bad files and bad places: an exception that names them, and nothing half-written."""

import errno
import gzip
import io
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import absolve


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("warc", ["append", "sidecar", "resource"])
def test_an_archive_that_is_cut_off(warc: Any, inputs: Path) -> None:
    whole = (inputs / "crawl.warc.gz").read_bytes()
    cut = inputs / "cut.warc.gz"
    cut.write_bytes(whole[:-20])
    for source in (cut, io.BytesIO(cut.read_bytes())):
        output = io.BytesIO()
        with pytest.raises(absolve.FileError, match="truncated") as error:
            absolve.rewrite_file(source, output, warc=warc, name=cut)
        assert (error.value.path, error.value.record, error.value.byte) == (str(cut), "4", gzip.decompress(whole).rindex(b"WARC/1.1"))
        report = error.value.report
        assert report is not None
        assert report.errors == [str(error.value)]
        assert report.bytes_out == len(output.getvalue())
        if warc == "append":
            assert output.getvalue() == cut.read_bytes()
        else:
            assert report.changed == 1
            assert b"https://example.org/lamp/guide/" in b"".join(members(output.getvalue()))


def members(archive: bytes) -> list[bytes]:
    with gzip.GzipFile(fileobj=io.BytesIO(archive)) as file:
        return [file.read()]


def test_every_length_of_an_archive_ends_well(inputs: Path) -> None:
    """Cut off anywhere, it is an exception or a whole output, and what is read to the end of a record is right."""
    whole = (inputs / "crawl.warc.gz").read_bytes()
    ends = 0
    for length in range(0, len(whole), 7):
        output = io.BytesIO()
        try:
            absolve.rewrite_file(io.BytesIO(whole[:length]), output, type="warc")
            ends += 1
        except absolve.FileError as error:
            assert error.report is None or output.getvalue().startswith(whole[:length])
    assert ends < 6


def test_a_damaged_record_is_named(inputs: Path) -> None:
    content = bytearray((inputs / "crawl.warc.gz").read_bytes())
    content[len(content) // 2] ^= 0xFF
    with pytest.raises(absolve.FileError, match="record [0-9]") as error:
        absolve.rewrite_file(io.BytesIO(bytes(content)), io.BytesIO(), name="damaged.warc.gz")
    assert error.value.path == "damaged.warc.gz"
    assert error.value.record is not None


@pytest.mark.parametrize("kind", ["warc", "arc", "mbox", "message", "wacz", "html"])
@pytest.mark.parametrize("content", [b"", b"\0" * 100_000, b"\x1f\x8b" + b"x" * 1000, os.urandom(100_000)], ids=["empty", "nul", "gzip", "random"])
def test_what_is_no_such_file(kind: Any, content: bytes, tmp_path: Path) -> None:
    output = tmp_path / "out"
    try:
        report: absolve.FileReport | None = absolve.rewrite_file(io.BytesIO(content), output, type=kind)
    except absolve.FileError as error:
        report = error.report
    # Of an ARC there is only a sidecar, and without conversions that is no file.
    has_output = report is not None and (kind != "arc" or report.changed > 0)
    assert names(tmp_path) == ({"out"} if has_output else set())
    assert report is None or not has_output or report.bytes_out == output.stat().st_size


def test_an_output_that_exists(inputs: Path) -> None:
    output = inputs / "out.mbox"
    output.write_text("mine")
    with pytest.raises(FileExistsError, match="overwrite=True") as error:
        absolve.rewrite_file(inputs / "list.mbox", output)
    assert (error.value.errno, error.value.filename) == (errno.EEXIST, str(output))
    assert output.read_text() == "mine"
    absolve.rewrite_file(inputs / "list.mbox", output, overwrite=True)
    assert output.read_text().startswith("From ")


def test_an_output_that_is_a_folder(inputs: Path) -> None:
    (inputs / "folder").mkdir()
    for overwrite in (False, True):
        with pytest.raises(IsADirectoryError) as error:
            absolve.rewrite_file(inputs / "list.mbox", inputs / "folder", overwrite=overwrite)
        assert error.value.filename == str(inputs / "folder")
    assert names(inputs / "folder") == set()


def test_an_output_in_no_folder(inputs: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        absolve.rewrite_file(inputs / "list.mbox", inputs / "absent" / "out.mbox")
    assert str(inputs / "absent") in str(error.value)


@pytest.mark.parametrize("source", ["absent.mbox", "folder.mbox", ""])
def test_an_input_that_is_no_file(source: str, inputs: Path) -> None:
    (inputs / "folder.mbox").mkdir()
    before = names(inputs)
    with pytest.raises(OSError) as error:
        absolve.rewrite_file(inputs / source, inputs / "out.mbox", type="mbox")
    assert str(inputs / source) in str(error.value)
    assert names(inputs) == before


def test_an_output_onto_its_input(inputs: Path) -> None:
    path = inputs / "list.mbox"
    with pytest.raises(FileExistsError):
        absolve.rewrite_file(path, path)
    absolve.rewrite_file(path, path, overwrite=True)
    assert b"https://example.org/archive/x" in path.read_bytes()


def as_nobody(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs code as a user whom permissions bind; root is not bound."""
    drop = "import os\nif os.getuid() == 0: os.setgid(65534); os.setuid(65534)\n"
    program = f"import absolve\n{drop}{textwrap.dedent(code)}"
    return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)


def test_no_permission(inputs: Path) -> None:
    for parent in [inputs, *inputs.parents[:3]]:
        if parent.stat().st_uid == os.getuid() and "pytest" in str(parent):
            parent.chmod(0o755)
    (inputs / "secret.mbox").write_bytes((inputs / "list.mbox").read_bytes())
    (inputs / "secret.mbox").chmod(0)
    (inputs / "closed").mkdir(mode=0o555)
    (inputs / "open").mkdir()
    (inputs / "open").chmod(0o777)
    done = as_nobody(
        """
        for source, target in (("secret.mbox", "open/out"), ("list.mbox", "closed/out")):
            try:
                absolve.rewrite_file(source, target)
            except PermissionError as error:
                print(error.errno, error.filename)
        """,
        inputs,
    )
    assert done.stdout == f"{errno.EACCES} secret.mbox\n{errno.EACCES} closed/out\n", done.stderr
    assert names(inputs / "open") == names(inputs / "closed") == set()


FULL_DISK = """
import io, os, sys
import absolve
message = b"From a@b Thu Jan  1 00:00:00 1998\\nContent-Base: http://h/\\nContent-Type: text/html\\n\\n<a href=x>\\n\\n"
for kind, content in (("mbox", message * 40_000), ("html", b"<a href=x>" * 400_000)):
    try:
        absolve.rewrite_file(io.BytesIO(content), "full/out", type=kind, url="http://h/" if kind == "html" else None)
        print("written")
    except OSError as error:
        print(kind, error.errno, error.filename, os.listdir("full"))
with open("full/out", "wb") as output:
    try:
        absolve.rewrite_file(io.BytesIO(message * 40_000), output, type="mbox")
        output.flush()
    except OSError as error:
        print("object", error.errno)
        os.truncate("full/out", 0)
"""


def test_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full.py").write_text(FULL_DISK)
    mount = f"mount -t tmpfs -o size=1m none full && exec {sys.executable} full.py"
    inside = [["unshare", "-m"]] if os.getuid() == 0 else [["unshare", "-rm"]]
    if not shutil.which("unshare") or subprocess.run([*inside[0], "true"], capture_output=True).returncode:
        pytest.skip("a namespace with mounts of its own is not allowed here")
    done = subprocess.run([*inside[0], "sh", "-c", mount], cwd=tmp_path, capture_output=True, text=True)
    if "mount:" in done.stderr:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    lines = done.stdout.splitlines()
    assert lines == [
        f"mbox {errno.ENOSPC} full/out []",
        f"html {errno.ENOSPC} full/out []",
        f"object {errno.ENOSPC}",
    ], done.stderr


def test_a_message_of_two_gibibytes(tmp_path: Path) -> None:
    """It is copied, with a finding; a str or bytes of that length fits into no message, and is left to memory."""
    if shutil.disk_usage(tmp_path).free < 6 << 30:
        pytest.skip("fewer than 6 GiB are free for a message of 2 GiB")
    message = tmp_path / "long.eml"
    head = b"Content-Base: http://h/\nContent-Type: text/html\n\n<a href=x>\n"
    with message.open("wb") as file:
        file.write(head)
        file.truncate(2 << 30)
    found: list[str] = []
    program = f"""
import sys, absolve
found = []
report = absolve.rewrite_file("long.eml", "out.eml", on_finding=lambda finding: found.append(finding.code))
# Not that of getrusage, which counts the process before this program, too.
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(found, report.bytes_out, report.changed, peak < 1 << 20)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == f"['message-too-long'] {2 << 30} 0 True\n", done.stderr
    with (tmp_path / "out.eml").open("rb") as file:
        assert file.read(len(head)) == head
    message.unlink()
    (tmp_path / "out.eml").unlink()


@pytest.mark.parametrize("content", [b"\x1f", b"W"])
def test_what_has_no_record_is_copied_with_a_finding(content: bytes) -> None:
    output, findings = io.BytesIO(), list[absolve.Finding]()
    absolve.rewrite_file(io.BytesIO(content), output, name="a.warc.gz", on_finding=findings.append)
    assert output.getvalue() == content and [finding.code for finding in findings] == ["not-its-type"]


@pytest.mark.parametrize("content", [b"WARC/1.1\r\nWARC-Type: response\r\n", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"])
def test_the_first_record_is_number_1(content: bytes) -> None:
    with pytest.raises(absolve.FileError, match="record 1 is truncated") as error:
        absolve.rewrite_file(io.BytesIO(content), io.BytesIO(), name="a.warc.gz")
    assert error.value.record == "1"


def test_messages_name_arguments_and_not_options_of_the_command_line(inputs: Path) -> None:
    cut = inputs / "cut.warc.gz"
    cut.write_bytes((inputs / "crawl.warc.gz").read_bytes()[:-20])
    with pytest.raises(absolve.FileError, match='; warc="sidecar" writes them') as error:
        absolve.rewrite_file(cut, inputs / "out.warc.gz")
    assert all("--" not in line for line in error.value.report.errors)  # type: ignore[union-attr]
    findings: list[absolve.Finding] = []
    name = inputs / "crawl.warc.gz"
    absolve.rewrite_file(name, inputs / "new.wacz.warc.gz", url="http://h/", warc="resource", on_finding=findings.append)
    assert "URL is ignored" in findings[0].message and "--url" not in str(findings[0])


def test_an_archive_keeps_its_compression_whatever_its_name(tmp_path: Path) -> None:
    source, output = tmp_path / "a.warc.gz", tmp_path / "b.warc.gz"
    source.write_bytes(b"WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    absolve.rewrite_file(source, output)
    assert output.read_bytes() == source.read_bytes()
    with pytest.raises(absolve.FileError, match="those are not compressed; give it a name that ends in .warc"):
        absolve.rewrite_file(source, tmp_path / "b.warc.bz2")
