"""Makes every relative link of archived pages, mail and web archives absolute, and changes no other byte.

>>> import absolve
>>> absolve.rewrite('<a href="x">', url="https://example.org/d/")
'<a href="https://example.org/d/x">'

For each document it first establishes which base URL applies: a `<base href>` or `xml:base` of the document, then the header fields
of the message parts around it, then the URL that it was retrieved from.
"""

from absolve import arrow
from absolve._native import (
    Base,
    BaseError,
    Counts,
    FileError,
    FileReport,
    Finding,
    Link,
    OptionError,
    Page,
    Rewriter,
    __version__,
    links,
    resolve,
    rewrite,
    rewrite_file,
    rewrite_message,
)

__all__ = [
    "Base",
    "BaseError",
    "Counts",
    "FileError",
    "FileReport",
    "Finding",
    "Link",
    "OptionError",
    "Page",
    "Rewriter",
    "__version__",
    "arrow",
    "links",
    "resolve",
    "rewrite",
    "rewrite_file",
    "rewrite_message",
]
