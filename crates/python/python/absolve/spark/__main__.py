"""The command line of the job: ``python -m absolve.spark``, or this file for ``spark-submit``."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from absolve.spark.job import Request, report, run_job
from absolve.spark.split import SPLIT_BYTES
from absolve.spark.storage import Storage

#: Options of the command line that libraries have under the same name, with underscores.
_SAME_NAME = (
    "type",
    "charset",
    "standard",
    "precedence",
    "root",
    "images-url",
    "same-document",
    "feed-base",
    "groups",
    "spelling",
    "message-url",
)
_REPEATED = {"attr": "attributes", "keep": "keep"}

#: Options of the command line that are values of an option of the library.
_FLAGS = {
    "headers": ("headers", "absolute"),
    "http-headers": ("http_headers", "count"),
    "ignore-digests": ("digests", "ignore"),
    "break-signatures": ("signatures", "break"),
    "keep-dkim": ("signatures", "keep-all"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a job and returns its exit status: 0 done, 1 a file failed or is damaged, 2 the job could not run."""
    parsed = _parser().parse_args(arguments)
    request = Request(
        kind=parsed.kind,
        inputs=parsed.input,
        output=parsed.output,
        options=_options(parsed),
        storage=Storage(parsed.s3_endpoint),
        overwrite=parsed.overwrite,
        split_bytes=getattr(parsed, "split_size", 0),
    )
    builder: Any = SparkSession.builder
    builder = builder.appName(f"absolve {parsed.kind}")
    if parsed.master:
        builder = builder.master(parsed.master)
    for name, value in parsed.conf:
        builder = builder.config(name, value)
    running = SparkSession.getActiveSession()
    spark = running or builder.getOrCreate()
    if running is None:
        name_python(spark.sparkContext)
    try:
        return report(run_job(spark, request))
    except (ValueError, OSError) as error:
        print(f"absolve: {error}", file=sys.stderr)
        return 2
    except Py4JJavaError as error:
        print(f"absolve: Spark gave up: {error.java_exception.getMessage()}", file=sys.stderr)
        print("absolve: what is in its place is whole; the same command does the rest", file=sys.stderr)
        return 2
    finally:
        if running is None:
            spark.stop()


def name_python(context: Any) -> None:
    """Sets the Python of workers on this machine to this one, unless the user set another: the first of the PATH may lack what this has."""
    if "PYSPARK_PYTHON" not in os.environ and context.master.startswith("local"):
        context.pythonExec = context.getConf().get("spark.pyspark.python") or sys.executable


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m absolve.spark", description="Make links absolute on a cluster")
    kinds = parser.add_subparsers(dest="kind", required=True)
    rewrite = kinds.add_parser("rewrite", help="make links absolute in web archives and mail")
    links = kinds.add_parser("links", help="list links to Parquet")
    graph = kinds.add_parser("graph", help="sum up links as the edges of a graph, in Parquet")
    for kind in (rewrite, links, graph):
        _common(kind)
    graph.add_argument("--nodes", choices=["pages", "hosts", "domains"], default="hosts", help="what the nodes are")
    graph.add_argument("--internal", action="store_true", help="count links from a node to itself as well")
    graph.add_argument(
        "--split-size",
        type=_bytes,
        default=SPLIT_BYTES,
        metavar="SIZE",
        help="the bytes of a file up to which it is one task, also with K, M or G; 0 splits none [default: 256M]",
    )
    links.add_argument("--format", choices=["parquet"], default="parquet", help="the format of the lists")
    rewrite.add_argument("--warc", metavar="WHAT", help="append (default), sidecar or resource")
    rewrite.add_argument(
        "--warc-date",
        metavar="DATE",
        default=os.environ.get("SOURCE_DATE_EPOCH"),
        help="the date of records added to web archives: seconds since 1970, or as in 2024-01-01T00:00:00Z [default: now]",
    )
    rewrite.add_argument("--base-element", metavar="WHAT", help="keep, remove or comment")
    rewrite.add_argument("--for", dest="purpose", metavar="WHAT", help="mail")
    rewrite.add_argument("--break-signatures", action="store_true", help="change signed and encrypted parts too")
    rewrite.add_argument("--keep-dkim", action="store_true", help="leave messages with a DKIM or ARC signature unchanged")
    rewrite.add_argument("--ignore-digests", action="store_true", help="change records whose digests do not match")
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    """Adds the options of both jobs."""
    parser.add_argument(
        "--input", required=True, action="append", metavar="URL", help="a file, a folder or a glob [can be repeated]"
    )
    parser.add_argument("--output", required=True, metavar="URL", help="the folder of the outputs and the manifest")
    parser.add_argument("--overwrite", action="store_true", help="replace outputs that exist")
    parser.add_argument("--master", metavar="URL", help="the cluster [default: that of spark-submit, or local[*]]")
    parser.add_argument(
        "--conf", action="append", default=[], type=_setting, metavar="NAME=VALUE", help="a setting of Spark"
    )
    parser.add_argument("--s3-endpoint", metavar="URL", help="an S3 interface other than that of AWS")
    for name in _SAME_NAME:
        parser.add_argument(f"--{name}", metavar="VALUE", help=f"as `absolve rewrite --{name}`")
    for name, parameter in _REPEATED.items():
        parser.add_argument(
            f"--{name}", dest=parameter, action="append", metavar="VALUE", help=f"as `absolve rewrite --{name}`"
        )
    for name in ("headers", "http-headers"):
        parser.add_argument(f"--{name}", action="store_true", help=f"as `absolve rewrite --{name}`")


def _setting(text: str) -> tuple[str, str]:
    """Returns the name and the value of a setting of Spark."""
    name, mark, value = text.partition("=")
    if not (name and mark):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _bytes(text: str) -> int:
    """Returns the number of bytes that a text such as ``256M`` is."""
    found = re.fullmatch(r"(\d+)([KMG]?)", text.upper(), re.ASCII)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of bytes, such as 256M")
    return int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2]]


def _options(parsed: argparse.Namespace) -> dict[str, Any]:
    """Returns the options of the library that the options of the command line stand for."""
    given = vars(parsed)
    options = {name.replace("-", "_"): given[name.replace("-", "_")] for name in _SAME_NAME}
    options.update({parameter: given[parameter] for parameter in _REPEATED.values()})
    options.update(warc=given.get("warc"), date=given.get("warc_date"), base_element=given.get("base_element"))
    options.update(purpose=given.get("purpose"), nodes=given.get("nodes"), internal=given.get("internal"))
    if parsed.groups:
        options["groups"] = parsed.groups.split(",")
    for flag, (parameter, value) in _FLAGS.items():
        if given.get(flag.replace("-", "_")):
            options[parameter] = value
    return {name: value for name, value in options.items() if value is not None}


if __name__ == "__main__":
    sys.exit(main())
