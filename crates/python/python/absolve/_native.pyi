"""The native part of the package; import its names from `absolve` and `absolve.arrow`."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Literal, Protocol, TypedDict, TypeVar, final

from typing_extensions import Unpack

_Data = TypeVar("_Data", str, bytes)

_Standard = Literal["rfc1630", "rfc1808", "draft1996", "rfc2396", "rfc3986", "whatwg"]
_DocumentType = Literal["html", "css", "xml", "text"]
_DataType = Literal["html", "css", "xml", "text", "message"]
_FileType = Literal["html", "css", "xml", "text", "message", "mbox", "warc", "arc", "wacz"]
