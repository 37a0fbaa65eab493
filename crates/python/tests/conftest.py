"""What the tests share."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import documentation

ROOT = Path(__file__).resolve().parents[3]

Command = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def fixtures() -> Path:
    """Returns the folder with the fixtures of the project."""
    return ROOT / "fixtures"


@pytest.fixture
def corpora() -> Path:
    """Returns the folder with the corpora; without it, the test is skipped."""
    folder = ROOT.parent / "shared" / "corpora"
    if not folder.is_dir():
        pytest.skip("../shared/corpora is absent")
    return folder


@pytest.fixture
def command() -> Command:
    """Returns a function that runs the command of the wheel."""

    def run(*arguments: str | Path | int, expected: int | None = 0) -> subprocess.CompletedProcess[bytes]:
        done = subprocess.run([sys.executable, "-m", "absolve", *map(str, arguments)], capture_output=True)
        assert expected is None or done.returncode == expected, done.stderr.decode(errors="replace")
        return done

    return run


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Returns a folder with `list.mbox` and `crawl.warc.gz`."""
    documentation.write_inputs(tmp_path)
    return tmp_path
