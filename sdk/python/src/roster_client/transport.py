"""Sends requests, and repeats them if that is safe: once for programs that wait, and once for asyncio."""

from __future__ import annotations

import asyncio
import math
import time
from typing import Any

import httpx

from .errors import ConnectionError, RosterError, TimeoutError
from .exchange import Answer, Attempt, Settings, exchange
from .request import Request, RequestOptions


def _failure(cause: Exception, step: Attempt) -> RosterError:
    is_late = isinstance(cause, (httpx.TimeoutException, asyncio.TimeoutError))
    error = (
        TimeoutError(f"No complete response within {step.timeout} seconds.", code="TIMEOUT")
        if is_late
        else ConnectionError("The connection failed.", code="CONNECTION_ERROR")
    )
    error.__cause__ = cause
    return error


class Transport:
    def __init__(self, settings: Settings, http_client: httpx.Client | None = None) -> None:
        self._settings = settings
        self._http = http_client or httpx.Client()

    def send(self, request: Request, options: RequestOptions | None = None) -> Any:
        steps = exchange(self._settings, request, options or {})
        answer: Answer | RosterError | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value
            if isinstance(step, Attempt):
                answer = self._attempt(step)
            else:
                time.sleep(step)

    def _attempt(self, step: Attempt) -> Answer | RosterError:
        deadline = time.monotonic() + (math.inf if step.timeout is None else step.timeout)
        try:
            built = self._http.build_request(
                step.method, step.url, headers=step.headers, content=step.content, timeout=step.timeout
            )
            response = self._http.send(built, stream=True)
            if step.is_download and response.is_success:
                return Answer(response.status_code, response.headers, download=response)
            body = bytearray()
            try:
                for chunk in response.iter_bytes():
                    body += chunk
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("The response is too slow.", request=built)
            finally:
                response.close()
            return Answer(response.status_code, response.headers, bytes(body))
        except httpx.TransportError as cause:
            return _failure(cause, step)

    def close(self) -> None:
        self._http.close()


class AsyncTransport:
    def __init__(self, settings: Settings, http_client: httpx.AsyncClient | None = None) -> None:
        self._settings = settings
        self._http = http_client or httpx.AsyncClient()

    async def send(self, request: Request, options: RequestOptions | None = None) -> Any:
        steps = exchange(self._settings, request, options or {})
        answer: Answer | RosterError | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value
            if isinstance(step, Attempt):
                try:
                    # A task of its own, because libraries below may handle cancellation in theirs.
                    attempt = asyncio.ensure_future(self._attempt(step))
                    answer = await asyncio.wait_for(attempt, step.timeout)
                except (httpx.TransportError, asyncio.TimeoutError) as cause:
                    answer = _failure(cause, step)
            else:
                await asyncio.sleep(step)

    async def _attempt(self, step: Attempt) -> Answer:
        # Only `send` ends an attempt: two timers for one task would disturb each other.
        built = self._http.build_request(
            step.method, step.url, headers=step.headers, content=step.content, timeout=None
        )
        response = await self._http.send(built, stream=True)
        if step.is_download and response.is_success:
            return Answer(response.status_code, response.headers, download=response)
        try:
            return Answer(response.status_code, response.headers, await response.aread())
        finally:
            await response.aclose()

    async def close(self) -> None:
        await self._http.aclose()


class Resource:
    """The requests of one part of the API."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class AsyncResource:
    """The requests of one part of the API."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
