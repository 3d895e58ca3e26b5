"""Signatures by the Standard Webhooks scheme."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
import uuid
from typing import Mapping, Sequence, cast

from .schemas import Event

PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """The signature of a webhook is missing, wrong or too old. Answer with 401 and ignore the request."""


def secret_bytes(secret: str) -> bytes:
    """Raises a `ValueError` for a text that is not a secret."""
    text = secret.removeprefix(PREFIX)
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError(f"A secret looks like {PREFIX}… and base64.")
    return key


def _signature(secret: str, id: str, timestamp: str, body: bytes) -> str:
    signed = f"{id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(secret_bytes(secret), signed, hashlib.sha256)).decode()


def _bytes(payload: str | bytes) -> bytes:
    return payload.encode() if isinstance(payload, str) else payload


def sign_webhook(
    payload: str | bytes, secret: str, *, id: str | None = None, now: float | None = None
) -> dict[str, str]:
    """The headers that sign a payload. Send them with exactly this payload. A message that is sent again keeps its
    `id`."""
    id = id or f"msg_{uuid.uuid4()}"
    timestamp = str(int(time.time() if now is None else now))
    signature = _signature(secret, id, timestamp, _bytes(payload))
    return {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature}


def verify_webhook(
    payload: str | bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> Event:
    """Verifies a webhook and returns its event. The payload is the body exactly as it arrived, not parsed. While a
    secret is rotated, pass the old and the new one. `tolerance` is in seconds."""
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookVerificationError(f"The header {name} is missing.")
    id, timestamp = given["webhook-id"], given["webhook-timestamp"]
    try:
        is_recent = abs((time.time() if now is None else now) - float(timestamp)) <= tolerance
    except ValueError:
        is_recent = False
    if not is_recent:
        raise WebhookVerificationError("The time of the webhook is too far from the clock.")
    body = _bytes(payload)
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = _signature(secret, id, timestamp, body).encode()
        if any(hmac.compare_digest(expected, each.encode()) for each in given["webhook-signature"].split(" ")):
            return cast(Event, json.loads(body))
    raise WebhookVerificationError("No signature of the webhook matches.")
