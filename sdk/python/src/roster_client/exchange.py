"""The attempts of a request, without input and output: the transports send what it yields."""

from __future__ import annotations

import json
import math
import os
import random
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Generator, Mapping
from urllib.parse import urlsplit

import httpx

from .errors import ConnectionError, NotFoundError, RosterError, error_of
from .request import Record, Request, RequestOptions, ResponseInfo, Upload, content_of, url_of
from .version import VERSION

TIMEOUT = 30.0
TOTAL_TIMEOUT = 120.0
MAX_RETRIES = 4
BASE_DELAY = 0.5
MAX_DELAY = 8.0


@dataclass(frozen=True)
class Retry:
    """`attempt` is 1 for the first retry; `delay` is in seconds."""

    attempt: int
    delay: float
    method: str
    url: str
    error: RosterError


@dataclass(frozen=True)
class Settings:
    base_url: str
    headers: Mapping[str, str]
    timeout: float | None = TIMEOUT
    total_timeout: float | None = TOTAL_TIMEOUT
    max_retries: int = MAX_RETRIES
    on_retry: Callable[[Retry], object] | None = None


@dataclass(frozen=True)
class Attempt:
    method: str
    url: str
    headers: Mapping[str, str]
    content: Upload | None
    timeout: float | None
    is_download: bool


@dataclass(frozen=True)
class Answer:
    status: int
    headers: httpx.Headers
    body: bytes = b""
    download: httpx.Response | None = field(default=None)


def root_url(base_url: str | None, root: str) -> str:
    """The URL below which all paths of requests are."""
    url = base_url or os.environ.get("ROSTER_URL") or ""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        found = f", not {url}" if url else ""
        raise ValueError(f"base_url or ROSTER_URL must be a URL such as https://roster.example.com{found}.")
    return url.rstrip("/").removesuffix("/v1") + root


def _result(request: Request, answer: Answer) -> Any:
    if answer.status == 304:
        return None
    if answer.download is not None:
        return answer.download
    try:
        body = json.loads(answer.body)
        data = body if request.wants == "json" else body["data"]
    except (ValueError, TypeError, KeyError) as cause:
        message = "The response is not JSON of Roster. Check base_url."
        raise RosterError(message, code="INVALID_RESPONSE", status=answer.status) from cause
    if not isinstance(data, dict):
        return data
    record = Record(data)
    record.response = ResponseInfo(answer.status, answer.headers)
    return record


def exchange(
    settings: Settings, request: Request, options: RequestOptions
) -> Generator[Attempt | float, Answer | RosterError | None, Any]:
    """Yields attempts, and the seconds to pause before the next one. It is sent the answer to an attempt, or why
    there is none."""
    is_write = request.method not in ("GET", "DELETE")
    is_keyed = is_write and request.safety == "key"
    content, content_type = content_of(request)
    headers = {"user-agent": f"roster-client-python/{VERSION}"}
    if content_type:
        headers["content-type"] = content_type
    if is_keyed:
        headers["idempotency-key"] = str(uuid.uuid4())
    for given in (settings.headers, request.headers, options.get("headers", {})):
        headers.update({name.lower(): value for name, value in given.items() if value is not None})
    url = settings.base_url + url_of(request)
    # An upload takes as long as it takes.
    is_upload = request.content is not None and request.safety == "none"
    total = options.get("total_timeout", None if is_upload else settings.total_timeout)
    single = options.get("timeout", None if is_upload else settings.timeout)
    deadline = time.monotonic() + (total or math.inf)
    # The first attempt consumes a stream.
    is_stream = content is not None and not isinstance(content, (bytes, str))
    max_retries = 0 if is_stream else options.get("max_retries", settings.max_retries)
    may_be_done = False
    attempt = 0
    while True:
        left = min(single or math.inf, max(0.0, deadline - time.monotonic()))
        timeout = None if left == math.inf else left
        is_download = request.wants == "download"
        answer = yield Attempt(request.method, url, headers, content, timeout, is_download)
        if isinstance(answer, Answer):
            if answer.status < 300 or answer.status == 304:
                return _result(request, answer)
            error = error_of(answer.status, answer.headers, answer.body)
        else:
            assert answer is not None
            error = answer
        if request.is_deletion and may_be_done and isinstance(error, NotFoundError):
            return Record(deleted=True)
        # A 5xx does not say whether the request was executed.
        is_uncertain = isinstance(error, ConnectionError) or (error.status or 0) >= 500
        may_be_done = may_be_done or is_uncertain
        is_safe = (
            error.status == 429
            or (is_uncertain and (not is_write or request.safety != "none"))
            # Another attempt with the same key is still running.
            or (is_keyed and error.status == 409 and error.retry_after is not None)
        )
        delay = (error.retry_after or 0) + random.random() * min(MAX_DELAY, BASE_DELAY * 2**attempt)
        if not is_safe or attempt >= max_retries or time.monotonic() + delay >= deadline:
            raise error
        attempt += 1
        if settings.on_retry:
            settings.on_retry(Retry(attempt, delay, request.method, url, error))
        yield delay
