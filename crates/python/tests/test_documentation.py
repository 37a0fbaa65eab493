"""The examples of docs/python.md."""

from pathlib import Path

import pytest

import documentation

SECTIONS = documentation.sections()


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.heading)
def test_each_section_prints_what_it_shows(section: documentation.Section, tmp_path: Path) -> None:
    assert not section.missing, "the tests need all packages of requirements.txt"
    assert documentation.printed(section, tmp_path) == section.shown
    assert section.shown, "an example that shows nothing tests nothing"


def test_no_section_is_missed() -> None:
    blocks = documentation.PAGE.read_text(encoding="utf-8").count("```python\n")
    assert sum(len(section.blocks) for section in SECTIONS) == blocks >= 20


def test_the_readme_runs() -> None:
    """The page for PyPI shows no output, so only that it runs is tested."""
    page = Path(__file__).resolve().parents[1] / "README.md"
    for section in documentation.sections(page):
        exec(section.code, {})
