"""The recipes of docs/recipes.md that build a package for PyPI, typed with the wheel."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
RECIPES = [recipe for recipe in PAGE.split("\n## ") if "```toml\n# pyproject.toml\n" in recipe]


@pytest.mark.skipif(shutil.which("bash") is None or shutil.which("unzip") is None, reason="bash or unzip is absent")
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.splitlines()[0])
def test_the_readme_of_a_package_has_absolute_links(recipe: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "recipes" / "readme", tmp_path, dirs_exist_ok=True)
    for name, text in re.findall(r"```(?:toml|python)\n# (\S+)\n(.*?)```", recipe, re.DOTALL):
        (tmp_path / name).write_text(text, encoding="utf-8")
    [console] = re.findall(r"```console\n(.*?)```", recipe, re.DOTALL)
    # Each step begins with a prompt; only the last one prints something.
    *steps, last = console.replace("\\\n", "").removeprefix("$ ").split("\n$ ")
    command, shown = last.split("\n", 1)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    script = "\n".join(["set -e", *steps, command])
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, shown), done.stderr


def test_no_recipe_is_missed() -> None:
    assert [recipe.splitlines()[0] for recipe in RECIPES] == ["A README by Hatch", "A README by hatch-fancy-pypi-readme"]
