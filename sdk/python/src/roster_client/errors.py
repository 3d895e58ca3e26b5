"""Every error of this package."""

from __future__ import annotations

import builtins
import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Mapping


class RosterError(Exception):
    """`code` is stable, such as `NOT_FOUND`; messages may be reworded. `status` is None without a response."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        details: list[Any] | dict[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after

    def _named(self, name: str) -> str | None:
        value = self.details.get(name) if isinstance(self.details, dict) else None
        return value if isinstance(value, str) else None


class ValidationError(RosterError):
    """400: the request is invalid. Nothing changed."""

    @property
    def fields(self) -> list[dict[str, str]]:
        """One entry per problem with its `field` and `message`, at most 20."""
        return self.details if isinstance(self.details, list) else []


class UnauthorizedError(RosterError):
    """401: the API key is missing, unknown, revoked or expired."""


class MissingScopeError(RosterError):
    """403: the API key does not have the scope that the request requires."""

    @property
    def required_scope(self) -> str | None:
        return self._named("required_scope")


class NotFoundError(RosterError):
    """404: the record does not exist in the workspace of the key."""


class ConflictError(RosterError):
    """409: another record or request is in the way."""

    @property
    def existing_contact_id(self) -> str | None:
        """The contact that already has the phone number."""
        return self._named("existing_contact_id")


class PreconditionFailedError(RosterError):
    """412: the record has changed since its ETag was read. Nothing changed."""


class RateLimitedError(RosterError):
    """429: the key has used its quota, and the retries did too."""


class UnavailableError(RosterError):
    """503: the service was overloaded or without its database in every attempt."""


class ConnectionError(RosterError, builtins.ConnectionError):
    """No attempt got a complete response. Whether the last one took effect is unknown."""


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """No attempt got a complete response in time."""


_CLASSES: dict[int, type[RosterError]] = {
    400: ValidationError,
    401: UnauthorizedError,
    403: MissingScopeError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    429: RateLimitedError,
    503: UnavailableError,
}


def _retry_after(value: str | None) -> float | None:
    """The seconds of a `Retry-After` header, which is a number or a date."""
    try:
        return max(0.0, float(value or ""))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(value or "")
        return max(0.0, (date - datetime.now(date.tzinfo and timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> RosterError:
    """The error of a response that is no success. A proxy may have sent it, so its body can be anything."""
    try:
        sent = json.loads(body)["error"]
        details, code, message = sent.get("details"), sent.get("code"), sent.get("message")
    except (ValueError, TypeError, KeyError, AttributeError):
        sent, details, code, message = {}, None, None, None
    error = _CLASSES.get(status, RosterError)
    if status == 403 and not (isinstance(details, dict) and "required_scope" in details):
        error = RosterError
    return error(
        message or f"The server answered with status {status}.",
        code=code or f"HTTP_{status}",
        status=status,
        details=details,
        request_id=headers.get("x-request-id") or sent.get("request_id"),
        retry_after=_retry_after(headers.get("retry-after")),
    )
