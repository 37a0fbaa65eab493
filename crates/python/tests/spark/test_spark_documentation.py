"""What docs/spark.md shows, in an environment that has the extra ``spark`` alone."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from places import contents
from warcs import page, write_warc

from absolve.spark.__main__ import name_python

PAGE = Path(__file__).resolve().parents[4] / "docs/spark.md"

#: What stands for a cluster and its storage on this machine.
STAND_INS = {
    "spark://head:7077": "'local-cluster[2,1,1024]'",
    "--master yarn": "--master 'local[2]'",
    "s3://bucket": "bucket",
    "hdfs:///": "hdfs/",
}


@pytest.fixture(scope="module")
def python() -> Path:
    """Returns the Python of the environment that has the extra alone."""
    if "ABSOLVE_SPARK_PYTHON" not in os.environ:
        pytest.skip("there is no environment with the extra alone; scripts/python_tests.sh makes it where pip can install it")
    return Path(os.environ["ABSOLVE_SPARK_PYTHON"])


def environment(*folders: Path, **more: str) -> dict[str, str]:
    """Returns the environment of a user who has set nothing, with these folders first in the PATH."""
    rest = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_HOME"))}
    return {**rest, "PATH": os.pathsep.join([*map(str, folders), os.environ["PATH"]]), **more}


def session(text: str) -> str:
    """Returns a program that does what the blocks of a page say, in their order."""
    for shown, here in STAND_INS.items():
        assert shown in text, shown
        text = text.replace(shown, here)
    steps = ["import subprocess"]
    for language, block in re.findall(r"^```(sh|python|sql)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        typed = {"sh": "subprocess.run(['bash', '-ec', {!r}], check=True)", "sql": "spark.sql({!r}).show()"}
        steps.append(typed[language].format(block) if language in typed else block)
    assert len(steps) == 1 + 9, "the page has more blocks, or fewer"
    return "\n".join(steps)


def test_the_page_can_be_typed_from_top_to_bottom(python: Path, tmp_path: Path) -> None:
    for number, place in enumerate(("crawl", "bucket/crawl", "hdfs/crawl")):
        (tmp_path / place).mkdir(parents=True)
        write_warc(tmp_path / place / "a.warc.gz", [(f"https://example.org/{number}/", page(number))])
    text = PAGE.read_text(encoding="utf-8")
    # A cluster of one machine is started from there.
    home = next(python.parents[1].glob("lib/python3*/site-packages/pyspark"))
    done = subprocess.run(
        [python, "-c", session(text)],
        cwd=tmp_path,
        env=environment(python.parent, SPARK_HOME=str(home), VIRTUAL_ENV=str(python.parents[1])),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    (shown,) = re.findall(r"^absolve: .* files done.*$", text, re.MULTILINE)
    numbers = re.compile(r"\d+(\.\d+)?")
    said = numbers.sub("N", done.stdout.replace(f"{tmp_path}/", ""))
    assert numbers.sub("N", shown) in said
    assert said.count("N of N files done, N damaged, N failed") == done.stdout.count(" 0 damaged, 0 failed") == 4
    for output in ("crawl-absolute", "bucket/absolute", "bucket/packed", "hdfs/absolute"):
        assert list(contents(tmp_path / output)) == ["a.warc.gz"], output
    assert re.search(r"relative\|\s*201\|", done.stdout) and re.search(r"done\|\s*1\|", done.stdout)


def test_an_environment_need_not_be_activated(python: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python3").write_text("#!/bin/sh\nexit 9\n")
    (tmp_path / "bin/python3").chmod(0o755)
    write_warc(tmp_path / "a.warc.gz", [("https://example.org/", page(1))])
    job: list[str | Path] = [python, "-m", "absolve.spark", "rewrite", "--master", "local[1]"]
    job += ["--input", "a.warc.gz", "--output", "out"]
    done = subprocess.run(job, cwd=tmp_path, env=environment(tmp_path / "bin"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 files done" in done.stderr


@pytest.mark.parametrize(
    ("master", "variable", "setting", "expected"),
    [
        ("local[*]", None, None, "/this/python"),
        ("local-cluster[2,1,1024]", None, None, "/this/python"),
        ("local[*]", "mine", None, "of pyspark"),
        ("local[*]", None, "/mine", "/mine"),
        ("spark://head:7077", None, None, "of pyspark"),
        ("yarn", None, None, "of pyspark"),
    ],
)
def test_workers_of_this_machine_have_this_python_unless_the_user_set_another(
    monkeypatch: pytest.MonkeyPatch, master: str, variable: str | None, setting: str | None, expected: str
) -> None:
    monkeypatch.setattr("sys.executable", "/this/python")
    monkeypatch.delenv("PYSPARK_PYTHON")
    if variable:
        monkeypatch.setenv("PYSPARK_PYTHON", variable)
    settings = {"spark.pyspark.python": setting}
    context = SimpleNamespace(master=master, pythonExec="of pyspark", getConf=lambda: settings)
    name_python(context)
    assert context.pythonExec == expected
