"""The examples of docs/python.md and of the docstrings."""

import doctest
from pathlib import Path

import pytest

import documentation

SECTIONS = documentation.sections()
EXAMPLES = {test.name: test for test in documentation.docstring_examples()}


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


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_give_what_they_show(name: str) -> None:
    result = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(EXAMPLES[name])
    assert result.failed == 0


def test_each_public_name_has_an_example() -> None:
    """An exception is shown where it is raised, in docs/python.md."""
    exceptions = {"absolve.BaseError", "absolve.FileError", "absolve.OptionError"}
    without = {name for name, test in EXAMPLES.items() if not test.examples}
    assert without == exceptions
    # If the search for docstrings finds fewer, it is broken.
    assert sum(len(test.examples) for test in EXAMPLES.values()) >= 40


def test_docstrings_of_functions_begin_with_a_verb() -> None:
    for name, value in documentation.documented():
        if callable(value) and not isinstance(value, type):
            first = (value.__doc__ or "").split(" ")[0]
            assert first.endswith("s") and first[0].isupper(), name
