"""A typed client for the Roster API."""

from .client import AsyncRoster, Roster
from .errors import (
    ConflictError,
    ConnectionError,
    MissingScopeError,
    NotFoundError,
    PreconditionFailedError,
    RateLimitedError,
    RosterError,
    TimeoutError,
    UnauthorizedError,
    UnavailableError,
    ValidationError,
)
from .exchange import Retry
from .lists import AsyncRecordList, Page, RecordList
from .request import RequestOptions, ResponseInfo, response_of
from .version import VERSION
from .webhooks import WebhookVerificationError, sign_webhook, verify_webhook

__all__ = [
    "AsyncRecordList",
    "AsyncRoster",
    "ConflictError",
    "ConnectionError",
    "MissingScopeError",
    "NotFoundError",
    "Page",
    "PreconditionFailedError",
    "RateLimitedError",
    "RecordList",
    "RequestOptions",
    "ResponseInfo",
    "Retry",
    "Roster",
    "RosterError",
    "TimeoutError",
    "UnauthorizedError",
    "UnavailableError",
    "VERSION",
    "ValidationError",
    "WebhookVerificationError",
    "response_of",
    "sign_webhook",
    "verify_webhook",
]
