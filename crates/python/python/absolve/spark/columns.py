"""Columns and tables of documents in Spark, by Arrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined]
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

import absolve.arrow


def _link_columns() -> pa.Schema:
    """Returns the columns of a link, without those of the table that it is from."""
    schema = pa.record_batch(absolve.arrow.links(pa.array([], pa.string()))).schema
    return pa.schema([field for field in schema if field.name not in ("row", "url")])


#: The columns of a link, in the order of ``links``, without those of the table that it is from.
LINK_COLUMNS = _link_columns()

#: What becomes of a page whose URL cannot be a base: the query fails, or the page has no URL.
Errors = Literal["raise", "keep"]

#: The types of documents that a column can have, and the functions for arrays of other types that hold the same.
_TYPES = {
    "string": (pa.string(), (pa.types.is_string, pa.types.is_large_string)),
    "binary": (pa.binary(), (pa.types.is_binary, pa.types.is_large_binary)),
}


def rewrite_function(type: str = "string", *, errors: Errors = "raise", **options: Any) -> Callable[..., Column]:
    """Returns the Arrow UDF that makes links absolute in columns of a type, ``string`` or ``binary``."""
    if type not in _TYPES:
        raise ValueError(f"type={type!r}: a document is of the type 'string' or 'binary'")
    _check(errors, options)

    def absolve_rewrite(html: pa.Array, url: pa.Array) -> pa.Array:
        arrow_type, fits = _TYPES[type]
        if not any(fit(html.type) for fit in fits):
            raise TypeError(f"html: a column of the type {html.type}, not {type}")
        return pa.array(absolve.arrow.rewrite(html, url, errors=errors, **options)).cast(arrow_type)

    function: Callable[..., Column] = arrow_udf(absolve_rewrite, type)
    return function


def _check(errors: Errors, options: dict[str, Any]) -> None:
    """Raises the error of a wrong option here, not in a task."""
    absolve.arrow.rewrite(pa.array([], pa.string()), None, errors=errors, **options)


def rewrite(
    html: Column | str, url: Column | str, *, type: str = "string", errors: Errors = "raise", **options: Any
) -> Column:
    """Returns the column of documents with absolute links; null where the document is null.

    A document whose URL is null is resolved by its own BASE only. ``type`` is that of the column: ``string`` or ``binary``.
    A URL that cannot be a base fails the query; with ``errors="keep"`` it counts as null.
    """
    return rewrite_function(type, errors=errors, **options)(html, url)


def links(
    df: DataFrame,
    html: str = "html",
    url: str = "url",
    *,
    keep: Sequence[str] = (),
    errors: Errors = "raise",
    **options: Any,
) -> DataFrame:
    """Returns a row for each link of a table of documents: the URL of the document, the columns to keep, and the link.

    ``errors`` is that of ``rewrite``.
    """
    _check(errors, options)
    carried = [url, *(name for name in keep if name != url)]
    taken = [name for name in carried if name.lower() in LINK_COLUMNS.names]
    if taken:
        raise ValueError(f"{taken[0]}: a link has a column of this name; rename that of the table")
    fields = [*(df.schema[name] for name in carried), *from_arrow_schema(LINK_COLUMNS).fields]
    names = [field.name for field in fields]

    def batches(tables: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for table in tables:
            found = pa.record_batch(absolve.arrow.links(table.column(html), table.column(url), errors=errors, **options))
            rows = found.column("row")
            columns = [table.column(name).take(rows) for name in carried]
            columns += [found.column(name) for name in LINK_COLUMNS.names]
            yield pa.RecordBatch.from_arrays(columns, names=names)

    return df.select(html, *carried).mapInArrow(batches, StructType(fields))
