#!/usr/bin/env python3
"""Tries docs/ci.md, and the workflow of docs/recipes.md: the logs of `absolve check` by the schema of SARIF, the YAML by those of GitHub and GitLab, and the hook in a clone.

Needs jsonschema, check-jsonschema and pre-commit (pip); without them it exits 77. The schema of SARIF 2.1.0 is in the crate serde-sarif
(src/schema.json): it is taken from where cargo keeps crates, or from `--schema`. `--build` also lets pre-commit build the hook, which
takes minutes."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def schema_of_sarif():
    """Returns the schema in a crate that some project on this machine has used."""
    home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
    return next(iter(home.glob("registry/src/*/serde-sarif-*/src/schema.json")), None)


def run(command, **options):
    print("$", " ".join(str(word) for word in command))
    return subprocess.run(command, capture_output=True, text=True, **options)


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def blocks(page):
    """Returns the YAML files that the page shows, by their names."""
    found = re.findall(r"```yaml\n# (\S+)\n(.*?)```", page, re.DOTALL)
    return {name: text for name, text in found}


def check_sarif(absolve, schema, folder):
    from jsonschema import Draft7Validator, FormatChecker

    with open(schema) as file:
        schema = json.load(file)
    if "draft-04" in schema.get("$schema", ""):
        from jsonschema import Draft4Validator as Validator
    else:
        Validator = Draft7Validator
    validator = Validator(schema, format_checker=FormatChecker())
    write(folder, {
        "site/a b.html": "<p>\n<a href='50%,b'>\n<a href=x><a href='\"&#7;&#10;'>",
        "site/c:d\n.html": "<a href=x>",
        "site/ü.html": "<a href=ü>",
        "site/m.mbox": "From a@b Thu Jan  1 00:00:00 1998\nContent-Type: text/html\n\n<a href=x>\n\n",
        "site/u.html": "<meta charset=utf-7><a href=x>",
        "clean.html": "<a href=http://h/>",
    })
    for inputs, results in [(["site"], 7), (["site", "missing"], 7), (["clean.html"], 0), ([str(folder / "site")], 7)]:
        log = json.loads(run([absolve, "check", "--format", "sarif", *inputs], cwd=folder).stdout)
        errors = list(validator.iter_errors(log))
        assert not errors, errors
        assert len(log["runs"][0]["results"]) == results, log["runs"][0]["results"]
    print("4 logs are valid by the schema of SARIF")


def check_files(folder):
    # Both have a configuration of pre-commit; that of the recipes is typed by a test.
    page = blocks((ROOT / "docs/recipes.md").read_text()) | blocks((ROOT / "docs/ci.md").read_text())
    write(folder, page)
    schemas = {
        ".github/workflows/links.yml": "vendor.github-workflows",
        ".github/workflows/readme.yml": "vendor.github-workflows",
        ".gitlab-ci.yml": "vendor.gitlab-ci",
        ROOT / "action.yml": "vendor.github-actions",
    }
    for name, schema in schemas.items():
        done = run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(folder / name)])
        assert done.returncode == 0, done.stdout + done.stderr
    done = run([sys.executable, "-m", "pre_commit", "validate-config", str(folder / ".pre-commit-config.yaml")])
    assert done.returncode == 0, done.stdout + done.stderr
    done = run([sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")])
    assert done.returncode == 0, done.stdout + done.stderr


def check_hook(absolve, folder, hook):
    """Runs the hook of a clone of this repository in a repository of its own."""
    write(folder, {"a.html": "<p>\n<a href=b>", "b.html": "<a href=http://h/>", "c.txt": "<URL:x>"})
    path = f"{pathlib.Path(absolve).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PRE_COMMIT_HOME": str(folder / ".home")}
    for command in (["git", "init", "-q"], ["git", "add", "a.html", "b.html", "c.txt"]):
        assert run(command, cwd=folder).returncode == 0
    head = run(["git", "rev-parse", "HEAD"], cwd=ROOT).stdout.strip()
    config = f"repos:\n  - repo: {ROOT}\n    rev: {head}\n    hooks: [{{ id: {hook} }}]\n"
    write(folder, {".pre-commit-config.yaml": config})
    run(["git", "add", ".pre-commit-config.yaml"], cwd=folder)
    for file, status in [("a.html", 1), ("b.html", 0), ("c.txt", 0)]:
        command = [sys.executable, "-m", "pre_commit", "run", "--files", file]
        done = run(command, cwd=folder, env=environment)
        assert done.returncode == status, f"{file}: {done.stdout}{done.stderr}"
        assert status == 0 or "a.html:2:9: a@href: b" in done.stdout, done.stdout
    print(f"{hook} finds what it is to find")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--absolve", default=str(ROOT / "target/debug/absolve"))
    parser.add_argument("--schema", default=schema_of_sarif(), help="the schema of SARIF 2.1.0")
    parser.add_argument("--build", action="store_true", help="let pre-commit build the hook too")
    arguments = parser.parse_args()
    try:
        import check_jsonschema  # noqa: F401
        import jsonschema  # noqa: F401
        import pre_commit  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    absolve = str(pathlib.Path(arguments.absolve).resolve())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in ("sarif", "files", "hook", "built"):
            (folder / name).mkdir()
        if arguments.schema:
            check_sarif(absolve, arguments.schema, folder / "sarif")
        else:
            print("skipped: the schema of SARIF is absent")
        check_files(folder / "files")
        check_hook(absolve, folder / "hook", "absolve-check-system")
        if arguments.build:
            check_hook(absolve, folder / "built", "absolve-check")
    return 0


if __name__ == "__main__":
    sys.exit(main())
