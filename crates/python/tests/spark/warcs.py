"""Writes web archives of given pages, by hand, because the tests need no more."""

from __future__ import annotations

import gzip
import uuid
from collections.abc import Iterable
from pathlib import Path

_DATE = "2026-01-01T00:00:00Z"


def response(url: str, page: bytes, media_type: str = "text/html") -> bytes:
    """Returns a gzip member with the response that has a page in it. Equal input gives an equal id."""
    body = f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(page)}\r\n\r\n".encode() + page
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>\r\n"
        f"WARC-Date: {_DATE}\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + body + b"\r\n\r\n", compresslevel=1, mtime=0)


def write_warc(path: Path, pages: Iterable[tuple[str, bytes]]) -> int:
    """Writes an archive of responses, and returns its size."""
    with path.open("wb") as file:
        for url, page in pages:
            file.write(response(url, page))
        return file.tell()


def page(number: int, links: int = 200) -> bytes:
    """Returns a page with relative links that depend on its number."""
    items = "".join(f'<li><a href="../{number}/{n}.html?a=1&amp;b={n}">item {n}</a>\n' for n in range(links))
    return f"<!DOCTYPE html><title>{number}</title><img src=img/{number}.png><ul>\n{items}</ul>\n".encode()
