#!/usr/bin/env python3
"""Compares the graphs of `absolve links --graph` with the sums that DuckDB makes of its rows, over any inputs.

scripts/check_graphs.py --absolve PROGRAM INPUT...

Hosts are those of the rows, which urllib reads a second time; domains those that tldextract finds by its own copy of the Public Suffix List.
Exits with 1 if an edge differs, and with 77 where DuckDB, pyarrow or tldextract is absent.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import duckdb
    import tldextract
except ImportError as absent:
    print(f"skipped: {absent.name} is not installed (pip install duckdb tldextract)")
    sys.exit(77)

SUMS = """
    SELECT {source} AS source, {target} AS target, count(*)::BIGINT AS links,
           count(*) FILTER (WHERE list_contains(string_split_regex(lower(coalesce(rel, '')), '[ \\t\\n\\f\\r]+'), 'nofollow'))::BIGINT AS nofollow,
           min(left(date, 19) || 'Z') AS first, max(left(date, 19) || 'Z') AS last
    FROM rows
    WHERE {source} IS NOT NULL AND {target} IS NOT NULL AND (element, attribute) != ('base', 'href')
          AND attribute NOT IN ('codebase', 'xml:base') AND anchor IS NULL
    GROUP BY ALL ORDER BY source, target
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--absolve", required=True)
    parser.add_argument("inputs", nargs="+")
    arguments = parser.parse_args()
    extract = tldextract.TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)
    wrong = edges = rows = 0
    for source in arguments.inputs:
        with tempfile.TemporaryDirectory() as folder:
            differences, of_rows, of_edges = compared(arguments.absolve, source, Path(folder), extract)
        wrong, rows, edges = wrong + differences, rows + of_rows, edges + of_edges
    print(f"{len(arguments.inputs)} inputs, {rows} rows, {edges} edges: {wrong} wrong")
    return 1 if wrong else 0


def compared(program: str, source: str, folder: Path, extract: tldextract.TLDExtract) -> tuple[int, int, int]:
    """Returns how many edges of hosts and domains differ, and how many rows and edges there are."""
    common = [program, "links", source, "--quiet", "--url", "http://given.example/d/"]
    columns = "element,attribute,rel,anchor,date,source_host,target_host"
    listed = subprocess.run([*common, "--format", "parquet", "--columns", columns, "-o", str(folder / "rows.parquet")])
    if listed.returncode == 2:
        return 0, 0, 0
    database = duckdb.connect()
    database.execute(f"CREATE TABLE rows AS SELECT * FROM '{folder}/rows.parquet'")
    (count,) = database.execute("SELECT count(*) FROM rows").fetchone() or (0,)
    anchors = database.execute("SELECT count(*) FROM rows WHERE anchor IS NOT NULL").fetchone()
    hosts = {host for pair in database.execute("SELECT DISTINCT source_host, target_host FROM rows").fetchall() for host in pair}
    database.execute("CREATE TABLE domains (host VARCHAR, domain VARCHAR)")
    pairs = [(host, domain_of(host, extract)) for host in hosts if host]
    if pairs:
        database.executemany("INSERT INTO domains VALUES (?, ?)", pairs)
    names = {"hosts": "{}_host", "domains": "(SELECT domain FROM domains WHERE host = {}_host)"}
    wrong = edges = 0
    for nodes, name in names.items():
        output = folder / f"{nodes}.parquet"
        run = [*common, "--graph", nodes, "--internal", "--format", "parquet", "-o", str(output)]
        subprocess.run(run, check=False)
        found = database.execute(f"SELECT * FROM '{output}' ORDER BY source, target").fetchall()
        sums = SUMS.format(source=name.format("source"), target=name.format("target"))
        expected = database.execute(sums).fetchall()
        differences = set(map(repr, found)) ^ set(map(repr, expected))
        if differences and anchors and anchors[0]:
            print(f"{source}: {nodes}: not compared, since {anchors[0]} links have another source (anchor=)")
        elif differences:
            wrong += len(differences)
            print(f"{source}: {nodes}: {len(differences)} differ, as {sorted(differences)[:4]}")
        edges += len(found)
    return wrong, count, edges


def domain_of(host: str, extract: tldextract.TLDExtract) -> str:
    """Returns the domain of a host that someone can register, or the host if it is none."""
    if host.startswith("["):
        return host
    found = extract(host.removesuffix("."))
    return found.top_domain_under_public_suffix or host.removesuffix(".") if found.suffix else plain(host)


def plain(host: str) -> str:
    """Returns the last two labels of a host whose last label is in no list; an address stays."""
    labels = host.removesuffix(".").split(".")
    if labels[-1].isdigit() or len(labels) < 2:
        return host
    return ".".join(labels[-2:])


if __name__ == "__main__":
    sys.exit(main())
