"""The native part of the package; import its names from `absolve` and `absolve.arrow`."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from types import GenericAlias
from typing import Any, Generic, Literal, Protocol, TypedDict, final, overload, type_check_only

from typing_extensions import TypeVar, Unpack

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
    "arrow_file_edges",
    "arrow_file_links",
    "arrow_links",
    "arrow_read",
    "arrow_rewrite",
    "links",
    "resolve",
    "rewrite",
    "rewrite_file",
    "rewrite_message",
    "run_command",
]

_Content = TypeVar("_Content", bound=str | bytes, default=Any, covariant=True)

_Standard = Literal["rfc1630", "rfc1808", "draft1996", "rfc2396", "rfc3986", "whatwg"]
_DataType = Literal["html", "css", "xml", "text", "markdown", "json-feed", "speculation-rules", "message"]
_FileType = Literal[
    "html", "css", "xml", "text", "markdown", "json-feed", "speculation-rules", "message", "mbox", "warc", "arc", "wacz"
]
_Group = Literal["core", "legacy", "social", "lazy", "plugins", "rdfa", "amp", "mjml", "front-matter"]
_Column = Literal["record", "part", "url", "base", "layer", "media_type", "content", "findings"]
_LinkColumn = Literal[
    "path",
    "path_base64",
    "record",
    "part",
    "start",
    "end",
    "written",
    "line",
    "column",
    "element",
    "attribute",
    "reference",
    "target",
    "status",
    "base",
    "layer",
    "out_of_reach",
    "url",
    "date",
    "record_id",
    "text",
    "rel",
    "anchor",
    "source_host",
    "target_host",
]
_Status = Literal["absolute", "mapped", "relative", "same-document", "kept", "unresolved"]
_Layer = Literal[
    "codebase",
    "xml-base",
    "element",
    "item",
    "parent-document",
    "content-base",
    "content-location",
    "base",
    "root",
    "images-url",
    "retrieval",
    "none",
]
_Path = str | PathLike[str]
# One str is a sequence of str too, and is refused.
_Texts = list[str] | tuple[str, ...]

@type_check_only
class _DocumentOptions(TypedDict, total=False):
    standard: _Standard | None
    precedence: Literal["layered", "drafts", "rfc2557", "browser"] | None
    base_element: Literal["keep", "remove", "comment"] | None
    root: str | None
    images_url: str | None
    map: Mapping[str, str] | None
    relative_links: Literal["absolute", "keep"] | None
    same_document: Literal["keep", "absolute"] | None
    feed_base: Literal["feed", "item"] | None
    groups: Sequence[_Group] | None
    attributes: _Texts | None
    keep: _Texts | None
    spelling: Literal["as-written", "ascii"] | None
    purpose: Literal["any", "mail"] | None
    headers: Literal["keep", "absolute"] | None
    signatures: Literal["keep", "keep-all", "break"] | None
    message_url: str | None
    charset: str | None

@type_check_only
class _FileOptions(_DocumentOptions, total=False):
    http_headers: Literal["ignore", "count"] | None
    digests: Literal["check", "ignore"] | None

@type_check_only
class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...

@type_check_only
class _Writer(Protocol):
    def write(self, data: bytes, /) -> object: ...

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class OptionError(ValueError, TypeError): ...
class BaseError(ValueError): ...

class FileError(OSError):
    path: str | None
    record: str | None
    byte: int | None
    report: FileReport | None

@final
class Base:
    @property
    def url(self) -> str | None: ...
    @property
    def layer(self) -> _Layer: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Counts:
    @property
    def documents(self) -> int: ...
    @property
    def links(self) -> int: ...
    @property
    def rewritten(self) -> int: ...
    @property
    def mapped(self) -> int: ...
    @property
    def absolute(self) -> int: ...
    @property
    def same_document(self) -> int: ...
    @property
    def kept(self) -> int: ...
    @property
    def unresolved(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Finding:
    @property
    def code(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def path(self) -> str | None: ...
    @property
    def record(self) -> str | None: ...
    @property
    def part(self) -> str | None: ...
    @property
    def byte(self) -> int | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def column(self) -> int | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Link:
    @property
    def element(self) -> str: ...
    @property
    def attribute(self) -> str: ...
    @property
    def reference(self) -> str: ...
    @property
    def target(self) -> str | None: ...
    @property
    def status(self) -> _Status: ...
    @property
    def base(self) -> str | None: ...
    @property
    def layer(self) -> _Layer: ...
    @property
    def part(self) -> str | None: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Page(Generic[_Content]):
    @property
    def content(self) -> _Content: ...
    @property
    def changed(self) -> bool: ...
    @property
    def base(self) -> Base: ...
    @property
    def counts(self) -> Counts: ...
    @property
    def findings(self) -> list[Finding]: ...
    @classmethod
    def __class_getitem__(cls, content: object) -> GenericAlias: ...

@final
class FileReport:
    @property
    def counts(self) -> Counts: ...
    @property
    def records(self) -> int: ...
    @property
    def changed(self) -> int: ...
    @property
    def bytes_in(self) -> int: ...
    @property
    def bytes_out(self) -> int: ...
    @property
    def findings(self) -> dict[str, int]: ...
    @property
    def errors(self) -> list[str]: ...

@final
class Rewriter:
    def __new__(cls, **options: Unpack[_DocumentOptions]) -> Rewriter: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...
    @overload
    def html(self, data: str, url: str | None = None) -> Page[str]: ...
    @overload
    def html(self, data: bytes, url: str | None = None) -> Page[bytes]: ...
    @overload
    def document(self, data: str, type: _DataType, url: str | None = None) -> Page[str]: ...
    @overload
    def document(self, data: bytes, type: _DataType, url: str | None = None) -> Page[bytes]: ...
    def message(self, data: bytes, url: str | None = None) -> Page[bytes]: ...
    def links(self, data: str | bytes, url: str | None = None, *, type: _DataType = "html") -> list[Link]: ...

@overload
def rewrite(
    data: str, url: str | None = None, *, type: _DataType = "html", **options: Unpack[_DocumentOptions]
) -> str: ...
@overload
def rewrite(
    data: bytes, url: str | None = None, *, type: _DataType = "html", **options: Unpack[_DocumentOptions]
) -> bytes: ...
def rewrite_message(data: bytes, url: str | None = None, **options: Unpack[_DocumentOptions]) -> bytes: ...
def links(
    data: str | bytes, url: str | None = None, *, type: _DataType = "html", **options: Unpack[_DocumentOptions]
) -> list[Link]: ...
def resolve(reference: str, *, base: str, standard: _Standard = "whatwg") -> str | None: ...
def rewrite_file(
    input: _Path | _Reader,
    output: _Path | _Writer,
    *,
    url: str | None = None,
    type: _FileType | None = None,
    name: _Path | None = None,
    warc: Literal["append", "sidecar", "resource"] = "append",
    date: int | str | None = None,
    threads: int | None = None,
    on_finding: Callable[[Finding], object] | None = None,
    overwrite: bool = False,
    **options: Unpack[_FileOptions],
) -> FileReport: ...
@overload
def arrow_rewrite(
    html: _ArrowArray,
    url: str | _ArrowArray | _ArrowStream | None = None,
    content_type: str | _ArrowArray | _ArrowStream | None = None,
    *,
    threads: int = 1,
    errors: Literal["raise", "keep"] = "raise",
    **options: Unpack[_DocumentOptions],
) -> _ArrowArray: ...
@overload
def arrow_rewrite(
    html: _ArrowStream,
    url: str | _ArrowArray | _ArrowStream | None = None,
    content_type: str | _ArrowArray | _ArrowStream | None = None,
    *,
    threads: int = 1,
    errors: Literal["raise", "keep"] = "raise",
    **options: Unpack[_DocumentOptions],
) -> _ArrowStream: ...
def arrow_links(
    html: _ArrowArray | _ArrowStream,
    url: str | _ArrowArray | _ArrowStream | None = None,
    content_type: str | _ArrowArray | _ArrowStream | None = None,
    *,
    columns: Sequence[_LinkColumn] | None = None,
    threads: int = 1,
    errors: Literal["raise", "keep"] = "raise",
    **options: Unpack[_DocumentOptions],
) -> _ArrowArray: ...
def arrow_read(
    input: _Path | _Reader,
    type: _FileType | None = None,
    *,
    url: str | None = None,
    name: _Path | None = None,
    columns: Sequence[_Column] | None = None,
    threads: int = 1,
    **options: Unpack[_FileOptions],
) -> _ArrowStream: ...
def arrow_file_edges(
    input: _Path | _Reader,
    type: _FileType | None = None,
    *,
    nodes: Literal["pages", "hosts", "domains"],
    internal: bool = False,
    piece: tuple[int, int] | None = None,
    url: str | None = None,
    name: _Path | None = None,
    on_finding: Callable[[Finding], object] | None = None,
    threads: int = 1,
    **options: Unpack[_FileOptions],
) -> _ArrowStream: ...
def arrow_file_links(
    input: _Path | _Reader,
    type: _FileType | None = None,
    *,
    url: str | None = None,
    name: _Path | None = None,
    columns: Sequence[_LinkColumn] | None = None,
    on_finding: Callable[[Finding], object] | None = None,
    threads: int = 1,
    **options: Unpack[_FileOptions],
) -> _ArrowStream: ...
def run_command(arguments: Sequence[str]) -> int: ...

__version__: str
