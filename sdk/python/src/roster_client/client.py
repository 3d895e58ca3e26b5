"""Clients for the API of one workspace."""

from __future__ import annotations

import os
from typing import Any, Callable, Mapping

import httpx

from .exchange import MAX_RETRIES, TIMEOUT, TOTAL_TIMEOUT, Retry, Settings, root_url
from .request import Request, RequestOptions
from .resources import Api, AsyncApi
from .transport import AsyncTransport, Transport


class _Client:
    """Times are in seconds; None means no limit. `timeout` is for one attempt with its response, `total_timeout`
    for all attempts with the pauses between them. `http_client` is one of httpx with settings of your own."""

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | None = TIMEOUT,
        total_timeout: float | None = TOTAL_TIMEOUT,
        max_retries: int = MAX_RETRIES,
        headers: Mapping[str, str] | None = None,
        on_retry: Callable[[Retry], object] | None = None,
        http_client: Any = None,
    ) -> None:
        key = api_key or os.environ.get("ROSTER_KEY")
        if not key:
            raise ValueError("Set api_key, or ROSTER_KEY in the environment.")
        sent = {"authorization": f"Bearer {key}", **(headers or {})}
        url = root_url(base_url, "/v1")
        self._connect(Settings(url, sent, timeout, total_timeout, max_retries, on_retry), http_client)

    def _connect(self, settings: Settings, http_client: Any) -> None:
        raise NotImplementedError


class Roster(_Client, Api):
    __doc__ = f"A client that waits, which threads may share. {_Client.__doc__}"

    def _connect(self, settings: Settings, http_client: httpx.Client | None) -> None:
        self._transport = Transport(settings, http_client)
        Api.__init__(self, self._transport)

    def request(
        self, method: str, path: str, *, query: Mapping[str, Any] = {}, body: Any = None, options: RequestOptions = {}
    ) -> Any:
        """Sends a request that has no method of its own; `path` is below `/v1`."""
        return self._transport.send(Request(method, path, query, json=body, safety="key"), options)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Roster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncRoster(_Client, AsyncApi):
    __doc__ = f"A client for asyncio. {_Client.__doc__}"

    def _connect(self, settings: Settings, http_client: httpx.AsyncClient | None) -> None:
        self._transport = AsyncTransport(settings, http_client)
        AsyncApi.__init__(self, self._transport)

    async def request(
        self, method: str, path: str, *, query: Mapping[str, Any] = {}, body: Any = None, options: RequestOptions = {}
    ) -> Any:
        """Sends a request that has no method of its own; `path` is below `/v1`."""
        return await self._transport.send(Request(method, path, query, json=body, safety="key"), options)

    async def close(self) -> None:
        await self._transport.close()

    async def __aenter__(self) -> AsyncRoster:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
