"""One channel, for the program that speaks on it. It has the channel's secret and needs no API key."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Callable, Coroutine, Literal, Mapping, TypedDict, TypeVar, Union, cast

import httpx

from .errors import NotFoundError, RosterError
from .exchange import MAX_RETRIES, Retry, Settings, root_url
from .reports import MAX_BYTES, MAX_REPORTS, DropReason, Report, ReportQueue, is_unanswered
from .request import Request, RequestOptions, encoded, response_of
from .schemas import CallEvent, ChannelAgentFull, RecordedCall, Session, SessionCreate
from .transport import AsyncTransport
from .webhooks import PREFIX, secret_bytes, sign_webhook

T = TypeVar("T")
WITHHELD = "anonymous"
"""A withheld number: the response has the text for an unknown person."""


class KnownAgent(ChannelAgentFull):
    """The channel's agent. `rendered` is the text to speak with; `cache` is the last one that is known."""

    source: Literal["service", "cache"]


class FallbackAgent(TypedDict):
    source: Literal["fallback"]
    rendered: str
    contact: None
    config: dict[str, Any]


AgentAnswer = Union[KnownAgent, FallbackAgent]


class AgentCache:
    """Keeps the text for an unknown person. Responses with a contact are not kept: they are personal data."""

    def __init__(self, transport: AsyncTransport, bearer: Mapping[str, str], fallback: str | None) -> None:
        self._transport = transport
        self._bearer = bearer
        self._fallback = fallback
        self._known: dict[str, Any] | None = None
        self._refreshing: asyncio.Task[None] | None = None

    async def latest(self, options: RequestOptions | None) -> AgentAnswer:
        if self._known is not None:
            self._refresh_soon()
            return self._answer("cache", self._known)
        try:
            return self._answer("service", await self._refresh(options))
        except RosterError as error:
            return self._last_known(error)

    async def for_number(self, number: str, options: RequestOptions | None) -> AgentAnswer:
        try:
            found = await self._get(number, options)
        except RosterError as error:
            return self._last_known(error)
        self._refresh_soon()
        return self._answer("service", found)

    def _answer(self, source: str, agent: Mapping[str, Any]) -> AgentAnswer:
        return cast(KnownAgent, {"source": source, **agent})

    def _last_known(self, error: RosterError) -> AgentAnswer:
        if not is_unanswered(error):
            if isinstance(error, NotFoundError):
                self._known = None
            raise error
        if self._known is not None:
            return self._answer("cache", self._known)
        if self._fallback is None:
            raise error
        return {"source": "fallback", "rendered": self._fallback, "contact": None, "config": {}}

    async def _get(self, number: str, options: RequestOptions | None, etag: str | None = None) -> Any:
        headers = {**self._bearer, "if-none-match": etag}
        return await self._transport.send(Request("GET", "/agent", {"number": number}, headers), options)

    def _refresh_soon(self) -> None:
        """One request at a time. The next caller learns of its error."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.ensure_future(self._refresh_quietly())

    async def _refresh_quietly(self) -> None:
        with suppress(RosterError):
            await self._refresh(None)

    async def _refresh(self, options: RequestOptions | None) -> dict[str, Any]:
        try:
            found = await self._get(WITHHELD, options, response_of(self._known).etag if self._known else None)
        except RosterError as error:
            # The service has answered: no agent is to speak.
            if not is_unanswered(error):
                self._known = None
            raise
        if found is not None or self._known is None:
            self._known = found
        return cast("dict[str, Any]", self._known)

    def stop(self) -> None:
        if self._refreshing is not None:
            self._refreshing.cancel()


class _Channel:
    """`id` and `secret` are the channel's. The secret reads contacts by their numbers: keep it on the server.
    `fallback` is what `agent` answers while the service does not respond, if it never did: the instructions to
    speak with. `on_drop` is called for a report that the service will not get. A person waits while requests run,
    so they give up early."""

    def __init__(
        self,
        id: str,
        secret: str,
        *,
        fallback: str | None = None,
        on_drop: Callable[[CallEvent, DropReason], object] | None = None,
        max_reports: int = MAX_REPORTS,
        max_report_bytes: int = MAX_BYTES,
        base_url: str | None = None,
        timeout: float | None = 2.0,
        total_timeout: float | None = 5.0,
        max_retries: int = MAX_RETRIES,
        headers: Mapping[str, str] | None = None,
        on_retry: Callable[[Retry], object] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        if not secret.startswith(PREFIX):
            raise ValueError("secret must be the channel's, which begins with whsec_.")
        secret_bytes(secret)
        url = root_url(base_url, f"/hooks/channels/{encoded(id)}")
        settings = Settings(url, headers or {}, timeout, total_timeout, max_retries, on_retry)
        self._transport = AsyncTransport(settings, http_client)
        self._secret = secret
        self._bearer = {"authorization": f"Bearer {secret}"}
        self._agents = AgentCache(self._transport, self._bearer, fallback)
        self._reports = ReportQueue(self._post, max_reports, max_report_bytes, on_drop)
        self._begin()

    def _begin(self) -> None:
        """What a kind of channel needs besides."""

    async def _session(self, input: SessionCreate, options: RequestOptions | None) -> Session:
        request = Request("POST", "/sessions", headers=self._bearer, json=input, safety="harmless")
        return cast(Session, await self._transport.send(request, options))

    async def _agent(self, number: str | None, options: RequestOptions | None) -> AgentAnswer:
        return await (self._agents.latest(options) if number is None else self._agents.for_number(number, options))

    async def _post(self, report: Report) -> RecordedCall:
        body = report.body()
        headers = {**sign_webhook(body, self._secret, id=report.id), "content-type": "application/json"}
        request = Request("POST", "/events", headers=headers, content=body)
        options: RequestOptions = {"timeout": 10.0, "total_timeout": None, "max_retries": 0}
        return cast(RecordedCall, await self._transport.send(request, options))

    async def _close(self, timeout: float) -> list[CallEvent]:
        left = await self._reports.close(timeout)
        self._agents.stop()
        await self._transport.close()
        return left

    @property
    def pending(self) -> int:
        """How many reports the service does not have yet."""
        return self._reports.size


class AsyncChannel(_Channel):
    __doc__ = _Channel.__doc__

    async def session(self, input: SessionCreate, *, options: RequestOptions | None = None) -> Session:
        """Starts a conversation: who calls, and what the deployed version says to this person. The same
        `provider_id` again returns the same session, so this is repeated after a lost response. If the service has
        lost its database, the session is `degraded`. Raises a `RosterError` only if no attempt got an answer, or
        the channel has no agent."""
        return await self._session(input, options)

    async def agent(self, *, number: str | None = None, options: RequestOptions | None = None) -> AgentAnswer:
        """The deployed version, without a session. With a number the service is asked, and the answer has the
        contact. Without one, the answer is immediately the last one that is known, while the next one is requested.
        If the service does not respond, it is the last known one without a contact, or the `fallback`; `source`
        says which."""
        return await self._agent(number, options)

    def report(self, event: CallEvent) -> asyncio.Future[RecordedCall | None]:
        """Reports a call or message. It is signed, and sent until the service has it; reports of one call arrive in
        their order. Waiting for the result is optional and never raises: it is the recorded call, or None if the
        report was dropped, which `on_drop` is told, too."""
        return self._reports.add(event)

    async def flush(self) -> None:
        """Waits until every report is sent or dropped."""
        await self._reports.flush()

    async def close(self, *, timeout: float = 10.0) -> list[CallEvent]:
        """Waits for the reports for up to `timeout` seconds, then returns and drops those that the service does not
        have."""
        return await self._close(timeout)


class Channel(_Channel):
    __doc__ = _Channel.__doc__

    def _begin(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="roster-channel", daemon=True)
        self._thread.start()

    def _start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        if not self._thread.is_alive():
            work.close()
            raise RuntimeError("The channel is closed.")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def session(self, input: SessionCreate, *, options: RequestOptions | None = None) -> Session:
        """As that of `AsyncChannel`."""
        return self._start(self._session(input, options)).result()

    def agent(self, *, number: str | None = None, options: RequestOptions | None = None) -> AgentAnswer:
        """As that of `AsyncChannel`."""
        return self._start(self._agent(number, options)).result()

    def report(self, event: CallEvent) -> Future[RecordedCall | None]:
        """As that of `AsyncChannel`; `result()` waits."""

        async def add() -> RecordedCall | None:
            return await self._reports.add(event)

        if self._thread.is_alive():
            return self._start(add())
        self._reports.tell(event, "closed")
        closed: Future[RecordedCall | None] = Future()
        closed.set_result(None)
        return closed

    def flush(self) -> None:
        """As that of `AsyncChannel`."""
        self._start(self._reports.flush()).result()

    def close(self, *, timeout: float = 10.0) -> list[CallEvent]:
        """As that of `AsyncChannel`."""
        if not self._thread.is_alive():
            return []
        left = self._start(self._close(timeout)).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        return left
