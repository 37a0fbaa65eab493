"""Links made absolute in Spark: columns, tables of documents, web archives and mail, and a job for whole files.

The job is ``python -m absolve.spark``.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from absolve.spark.columns import links, rewrite, rewrite_function
from absolve.spark.sources import MboxSource, WarcSource

__all__ = ["links", "register", "rewrite"]


def register(spark: SparkSession, **options: Any) -> None:
    """Registers the SQL functions, with these options (``errors`` too), and the data sources ``warc`` and ``mbox``.

    ``absolve_rewrite(html, url)`` is for strings, ``absolve_rewrite_binary(html, url)`` for bytes.
    """
    spark.udf.register("absolve_rewrite", rewrite_function("string", **options))
    spark.udf.register("absolve_rewrite_binary", rewrite_function("binary", **options))
    for source in (WarcSource, MboxSource):
        spark.dataSource.register(source)
