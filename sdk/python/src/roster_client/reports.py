"""Reports in memory until the service has them. The reports of one call are sent in their order, those of other
calls do not wait for one that fails."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Awaitable, Callable, Literal, Union

from .errors import ConnectionError, RosterError
from .schemas import CallEvent, RecordedCall

DropReason = Union[Literal["overflow", "closed"], Exception]

MAX_REPORTS = 10_000
MAX_BYTES = 16 * 1024 * 1024
SENDERS = 4
BASE_DELAY = 0.5
MAX_DELAY = 10.0
LATE = 1.0
"""A report that waited this long says when it happened, because the service would take the time of its arrival."""
FINAL = ("completed", "busy", "no_answer", "canceled", "failed")


def is_unanswered(error: Exception) -> bool:
    """Whether the service has not answered the question: it failed, is overloaded, or something in front of it
    responded."""
    return isinstance(error, RosterError) and (
        isinstance(error, ConnectionError)
        or (error.status or 0) >= 500
        or error.status == 429
        or re.match("HTTP_|INVALID_RESPONSE", error.code) is not None
    )


@dataclass(eq=False)
class Report:
    event: CallEvent
    done: asyncio.Future[RecordedCall | None]
    id: str = field(default_factory=lambda: f"msg_{uuid.uuid4()}")
    """The same in all attempts."""
    at: float = field(default_factory=time.time)
    size: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = len(self.body())

    def body(self) -> bytes:
        """The event as it is sent, with its time if it is late. The service derives the start of an event from its
        end."""
        event = dict(self.event)
        if time.time() - self.at >= LATE and not event.get("ended_at"):
            is_end = event["type"] == "call" and event.get("status") in FINAL
            date = datetime.fromtimestamp(self.at, timezone.utc).isoformat(timespec="milliseconds")
            event.setdefault("ended_at" if is_end else "started_at", date.replace("+00:00", "Z"))
        return json.dumps(event, ensure_ascii=False, allow_nan=False).encode()


class ReportQueue:
    def __init__(
        self,
        post: Callable[[Report], Awaitable[RecordedCall]],
        max_reports: int,
        max_bytes: int,
        on_drop: Callable[[CallEvent, DropReason], object] | None,
    ) -> None:
        self._post = post
        self._max_reports = max_reports
        self._max_bytes = max_bytes
        self._on_drop = on_drop
        # Oldest first, with those that are being sent.
        self._reports: dict[Report, None] = {}
        # Calls of which a report is being sent, or has failed since the queue was last walked.
        self._sending: set[str] = set()
        self._failed: set[str] = set()
        self._senders: set[asyncio.Task[None]] = set()
        self._idle: list[asyncio.Future[None]] = []
        self._bytes = 0
        self._failures = 0
        self._is_closed = False

    @property
    def size(self) -> int:
        return len(self._reports)

    def add(self, event: CallEvent) -> asyncio.Future[RecordedCall | None]:
        report = Report(event, asyncio.get_running_loop().create_future())
        self._reports[report] = None
        self._bytes += report.size
        if self._is_closed:
            self._remove(report, "closed")
        else:
            self._limit()
            self._start()
        return report.done

    async def flush(self) -> None:
        if self._reports:
            self._idle.append(asyncio.get_running_loop().create_future())
            await self._idle[-1]

    async def close(self, timeout: float) -> list[CallEvent]:
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.flush(), timeout)
        self._is_closed = True
        for sender in self._senders:
            sender.cancel()
        left = list(self._reports)
        for report in left:
            self._remove(report, "closed")
        return [report.event for report in left]

    def _limit(self) -> None:
        for report in list(self._reports):
            if self.size <= self._max_reports and self._bytes <= self._max_bytes:
                return
            # One that is being sent may arrive.
            if report.event["provider_id"] not in self._sending:
                self._remove(report, "overflow")

    def _remove(self, report: Report, reason: DropReason | None, call: RecordedCall | None = None) -> None:
        if report not in self._reports:
            return
        del self._reports[report]
        self._bytes -= report.size
        if not report.done.done():
            report.done.set_result(call)
        if reason is not None:
            self.tell(report.event, reason)
        while self._idle and not self._reports:
            waiting = self._idle.pop()
            if not waiting.done():
                waiting.set_result(None)

    def tell(self, event: CallEvent, reason: DropReason) -> None:
        """A callback that fails does not stop the other reports."""
        with suppress(Exception):
            if self._on_drop:
                self._on_drop(event, reason)

    def _next(self) -> Report | None:
        busy = self._sending | self._failed
        return next((each for each in self._reports if each.event["provider_id"] not in busy), None)

    def _start(self) -> None:
        while len(self._senders) < SENDERS and not self._is_closed:
            if not self._senders:
                self._failed.clear()
            report = self._next()
            if report is None:
                return
            self._sending.add(report.event["provider_id"])
            sender = asyncio.ensure_future(self._send(report))
            self._senders.add(sender)
            sender.add_done_callback(self._ended)

    def _ended(self, sender: asyncio.Task[None]) -> None:
        self._senders.discard(sender)
        self._start()

    async def _send(self, report: Report) -> None:
        call = report.event["provider_id"]
        try:
            self._remove(report, None, await self._post(report))
            self._failures = 0
            return
        except Exception as error:
            if not is_unanswered(error):
                return self._remove(report, error)
            self._failed.add(call)
        finally:
            self._sending.discard(call)
        delay = min(MAX_DELAY, BASE_DELAY * 2**self._failures)
        self._failures += 1
        await asyncio.sleep(delay * (0.5 + random.random() / 2))
