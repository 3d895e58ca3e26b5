"""A request before its options are known, and what a success has besides the record."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, AsyncIterable, Iterable, Literal, Mapping, TypedDict, Union
from urllib.parse import quote, urlencode

import httpx

Upload = Union[str, bytes, Iterable[bytes], AsyncIterable[bytes]]
"""What can be uploaded. Only a text and bytes can be sent again after a failure."""


class RequestOptions(TypedDict, total=False):
    """Times are in seconds; None means no limit."""

    timeout: float | None
    total_timeout: float | None
    max_retries: int
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    """Below `/v1`, with its ids encoded."""
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    json: Any = None
    content: Upload | None = None
    safety: Literal["key", "harmless", "none"] = "none"
    """Why a write may be repeated: it has an `Idempotency-Key`, or it changes nothing."""
    is_deletion: bool = False
    """After an attempt without a response, 404 means that the record is deleted."""
    wants: Literal["data", "json", "download"] = "data"


@dataclass(frozen=True)
class ResponseInfo:
    """What a success has besides the documented record."""

    status: int
    headers: Mapping[str, str]

    @property
    def etag(self) -> str | None:
        """The version of the record, for `if_match`."""
        # A compressed response has the ETag of the record with the encoding inside of the quotes.
        value = self.headers.get("etag")
        return value and re.sub(r';[a-z]+"$', '"', value)

    @property
    def created(self) -> bool:
        return self.status == 201

    @property
    def request_id(self) -> str | None:
        """Identifies the request in the log of the service."""
        return self.headers.get("x-request-id")


class Record(dict):  # type: ignore[type-arg]
    """A dict that remembers its response."""

    response = ResponseInfo(200, httpx.Headers())


def response_of(record: object) -> ResponseInfo:
    """The ETag, status and headers of the response with which a method returned this record."""
    if not isinstance(record, Record):
        raise TypeError("Pass a record as a method of the client returned it.")
    return record.response


def encoded(id: str | int) -> str:
    """Encodes an id of a path. An empty id, or one of dots, would make a different path of it."""
    if id in ("", ".", ".."):
        raise ValueError(f"{id!r} is not an id.")
    return quote(str(id), safe="")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    is_list = isinstance(value, (list, tuple))
    if isinstance(value, Mapping) or (is_list and any(isinstance(each, Mapping) for each in value)):
        return json.dumps(value)
    return ",".join(map(str, value)) if is_list else str(value)


def url_of(request: Request) -> str:
    """A list of texts becomes one value, separated by commas, and an object becomes JSON."""
    query = {name: _text(value) for name, value in request.query.items() if value is not None}
    return request.path + (f"?{urlencode(query)}" if query else "")


def content_of(request: Request) -> tuple[Upload | None, str | None]:
    """The body with its `Content-Type`. A workbook is a ZIP archive, which starts with `PK`."""
    content = request.content
    if content is None:
        if request.json is None:
            return None, None
        return json.dumps(request.json, ensure_ascii=False, allow_nan=False).encode(), "application/json"
    name = str(request.query.get("name") or getattr(content, "name", ""))
    is_workbook = (isinstance(content, bytes) and content[:2] == b"PK") or name.lower().endswith(".xlsx")
    workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return content.encode() if isinstance(content, str) else content, workbook if is_workbook else "text/csv"
