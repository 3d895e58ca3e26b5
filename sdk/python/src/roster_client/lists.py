"""Records of an endpoint with pages. Nothing is requested before a method is called, or a loop starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, AsyncIterator, Generic, Iterator, Mapping, TypeVar
from urllib.parse import parse_qs, urlsplit

import httpx

from .request import Request, RequestOptions, response_of
from .transport import AsyncTransport, Transport

T = TypeVar("T")
PAGE_SIZE = 100
"""The most records that the service returns in one response."""


@dataclass(frozen=True)
class Page(Generic[T]):
    """`next_cursor` continues after this page, also if records were added or removed since."""

    data: list[T]
    pagination: dict[str, Any]
    next_cursor: str | None = None


def _cursor(headers: Mapping[str, str]) -> str | None:
    """The cursor in a `Link` header, such as `</v1/contacts?limit=100&cursor=abc>; rel="next"`."""
    links = httpx.Response(200, headers={"link": headers.get("link", "")}).links
    cursors = parse_qs(urlsplit(links.get("next", {}).get("url", "")).query).get("cursor", [])
    return cursors[0] if cursors else None


@dataclass(frozen=True)
class Paging:
    """How an endpoint divides its records into pages. With a `member`, they are a part of the data, and the others
    say how to continue."""

    member: str | None = None
    walks_by_cursor: bool = False
    is_whole: bool = False

    def first(self, query: Mapping[str, Any]) -> dict[str, Any]:
        given = {name: value for name, value in query.items() if value is not None}
        if self.is_whole:
            return given
        # An empty cursor starts a walk.
        walk = {"cursor": ""} if self.walks_by_cursor and "offset" not in given else {}
        return {**walk, "limit": PAGE_SIZE, **given}

    def page(self, body: dict[str, Any]) -> Page[Any]:
        data = body["data"]
        if self.member:
            return Page(data[self.member], {name: data[name] for name in data if name != self.member})
        whole = {"total": len(data), "limit": len(data), "offset": 0, "has_more": False}
        return Page(data, body.get("pagination", whole), _cursor(response_of(body).headers))

    def next(self, page: Page[Any]) -> dict[str, Any] | None:
        """What the next page's query has besides that of this page, or None after the last one."""
        position = page.pagination
        if page.next_cursor is not None:
            return {"offset": None, "cursor": page.next_cursor}
        if "next_cursor" in position:
            return {"cursor": position["next_cursor"]} if position["next_cursor"] else None
        if not position["has_more"]:
            return None
        if "after" in position:
            return {"after": position["after"]}
        if not page.data:
            return None
        if self.member:
            return {"before": page.data[-1]["number"]}
        return {"offset": position["offset"] + len(page.data)}


BY_OFFSET = Paging()
BY_CURSOR = Paging(walks_by_cursor=True)
WHOLE = Paging(is_whole=True)


@dataclass(frozen=True)
class RecordList(Generic[T]):
    _transport: Transport
    _paging: Paging
    _request: Request
    _options: RequestOptions | None

    def _get(self, query: Mapping[str, Any]) -> Page[T]:
        return self._paging.page(self._transport.send(replace(self._request, query=query), self._options))

    def page(self) -> Page[T]:
        """Requests one page: the first one, unless the query says where to begin."""
        return self._get(self._request.query)

    def pages(self) -> Iterator[Page[T]]:
        """Walks the pages, with 100 records each unless the list has a `limit`."""
        query, more = self._paging.first(self._request.query), True
        while more:
            page = self._get(query)
            yield page
            next = self._paging.next(page)
            query, more = {**query, **(next or {})}, next is not None

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def all(self, max: int | None = None) -> list[T]:
        """Collects all records in memory, or the first `max`."""
        return [*islice(self, max)]


@dataclass(frozen=True)
class AsyncRecordList(Generic[T]):
    _transport: AsyncTransport
    _paging: Paging
    _request: Request
    _options: RequestOptions | None

    async def _get(self, query: Mapping[str, Any]) -> Page[T]:
        return self._paging.page(await self._transport.send(replace(self._request, query=query), self._options))

    async def page(self) -> Page[T]:
        """Requests one page: the first one, unless the query says where to begin."""
        return await self._get(self._request.query)

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Walks the pages, with 100 records each unless the list has a `limit`."""
        query, more = self._paging.first(self._request.query), True
        while more:
            page = await self._get(query)
            yield page
            next = self._paging.next(page)
            query, more = {**query, **(next or {})}, next is not None

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for record in page.data:
                yield record

    async def all(self, max: int | None = None) -> list[T]:
        """Collects all records in memory, or the first `max`."""
        records: list[T] = []
        if max == 0:
            return records
        async for record in self:
            records.append(record)
            if len(records) == max:
                break
        return records
