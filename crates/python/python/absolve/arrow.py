"""Columns of documents, by the Arrow PyCapsule interface: pyarrow, polars, duckdb and pandas work, and none of them is required.

>>> import absolve.arrow
>>> import pyarrow as pa
>>> pages = pa.array(["<a href=x>", None])
>>> pa.array(absolve.arrow.rewrite(pages, "https://example.org/")).to_pylist()
['<a href=https://example.org/x>', None]
"""

from absolve._native import arrow_file_edges as file_edges
from absolve._native import arrow_file_links as file_links
from absolve._native import arrow_links as links
from absolve._native import arrow_read as read
from absolve._native import arrow_rewrite as rewrite

__all__ = ["file_edges", "file_links", "links", "read", "rewrite"]
