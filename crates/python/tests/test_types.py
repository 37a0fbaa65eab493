"""The types: those of the package are those of the native module, and the examples keep to them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import documentation

HERE = Path(__file__).resolve().parent
STRICT = ["-m", "mypy", "--strict", "--no-error-summary", "--config-file", str(HERE.parent / "pyproject.toml")]


def mypy(*arguments: str | Path, folder: Path = HERE) -> str:
    """Returns what mypy finds; with `folder` as the current one, in which it looks for modules too."""
    # Programs here import what the tests for Spark have.
    environment = {**os.environ, "MYPYPATH": str(HERE / "spark")}
    command = [sys.executable, *STRICT, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
    return done.stdout + done.stderr


def test_the_package_and_the_tests_keep_to_their_types() -> None:
    # The sources, which are those of the wheel: mypy takes an installed file for one of its own folder.
    package = HERE.parent / "python" / "absolve"
    modules = [package / name for name in ("__init__.py", "__main__.py", "arrow.py", "_native.pyi")]
    assert mypy(*modules) == ""
    assert mypy(*sorted(HERE.glob("*.py"))) == ""


def test_the_part_for_spark_keeps_to_its_types() -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install absolve[spark]")
    assert mypy(*sorted((HERE.parent / "python" / "absolve" / "spark").glob("*.py"))) == ""
    assert mypy(*sorted((HERE / "spark").glob("*.py")), folder=HERE / "spark") == ""


def test_the_examples_keep_to_their_types(tmp_path: Path) -> None:
    for number, section in enumerate(documentation.sections()):
        (tmp_path / f"section_{number}.py").write_text(section.code)
    assert mypy(*sorted(tmp_path.glob("*.py")), folder=tmp_path) == ""


def test_types_find_what_is_wrong(tmp_path: Path) -> None:
    """A checker that finds no fault shows nothing, unless it finds those that are there."""
    wrong = [
        'absolve.rewrite("x", standard="rfc9999")',
        'absolve.rewrite("x", nonsense=1)',
        "absolve.rewrite(bytearray())",
        'absolve.Rewriter(keep="a")',
        'absolve.rewrite("x").decode()',
        'absolve.rewrite(b"x").encode()',
        'absolve.Rewriter().html("x").content.decode()',
        "absolve.links(b'x')[0].target.upper()",
        'absolve.rewrite_file("a", "b", warc="replace")',
        'absolve.rewrite_file("a", "b", on_finding=len)',
        'absolve.arrow.rewrite(["x"])',
        'absolve.arrow.read("a", columns=["bytes"])',
        'absolve.resolve("x")',
        "absolve.Rewriter().html('x').changed = True",
    ]
    (tmp_path / "wrong.py").write_text("\n".join(["import absolve", *wrong, ""]))
    found = {line.split(":")[1] for line in mypy("wrong.py", folder=tmp_path).splitlines() if ": error:" in line}
    assert found == {str(number) for number in range(2, len(wrong) + 2)}


def test_the_stubs_are_those_of_the_native_module() -> None:
    """Stubtest compares names, arguments and defaults. All else of the package is Python, which has its types itself."""
    arguments = ["-m", "mypy.stubtest", "absolve._native"]
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=HERE.parent)
    assert done.returncode == 0, done.stdout
