"""The examples of the docstrings."""

import doctest

import pytest

import documentation

EXAMPLES = {test.name: test for test in documentation.docstring_examples()}


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
