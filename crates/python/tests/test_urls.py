"""Roots, images at a URL of their own, and maps: the vectors that the library and the command are tested with."""

import json
from pathlib import Path
from typing import Any

import pytest

import absolve


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    names = ["root", "images-url", "map", "standard", "spelling", "same-document", "keep"]
    options = {name.replace("-", "_"): case[name] for name in names if name in case}
    if isinstance(options.get("map"), list):
        options["map"] = dict(options["map"])
    return options | ({"relative_links": "keep"} if case.get("map-only") else {})


def test_every_vector(fixtures: Path) -> None:
    cases = json.loads((fixtures / "rewrite/urls.json").read_text())
    assert len(cases) > 80
    for case in cases:
        rewriter: Any = absolve.Rewriter
        if "error" in case:
            with pytest.raises(absolve.OptionError) as error:
                rewriter(**options_of(case))
            assert case["error"] in str(error.value), case["name"]
            continue
        url = case.get("url", "http://h/d/page.html") or None
        page = rewriter(**options_of(case)).document(case["document"], case.get("type", "html"), url=url)
        assert page.content == case.get("expected", case["document"]), case["name"]
        assert page.counts.mapped == case.get("mapped", 0), case["name"]


def test_a_link_is_mapped() -> None:
    [link] = absolve.links("<a href=http://a/x>", map={"http://a/": "https://b/"})
    assert (link.status, link.target, link.layer) == ("mapped", "https://b/x", "none")


def test_a_map_is_a_dict() -> None:
    call: Any = absolve.rewrite
    with pytest.raises(absolve.OptionError, match="map must be a dict of str to str, not list"):
        call("", map=["http://a/=http://b/"])
