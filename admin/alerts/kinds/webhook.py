"""Signed webhook: JSON posted to any web address, for other programs."""

import hashlib
import hmac
import json
import time
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from flask_babel import lazy_gettext as _l

from admin.alerts.addresses import UNKNOWN, BadAddress, mark
from admin.alerts.channel_kind import ChannelKind
from admin.alerts.json_post import post
from admin.alerts.orders import Order, Outcome

USER_IN_ADDRESS: Final = _l(
    "A webhook address cannot contain a user name or password; the receiver verifies the signature."
)
_WEB: Final = frozenset({"http", "https"})


def shown_host(address: str) -> str:
    """Scheme, host and port of a web address, with its mark. Raises BadAddress."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise BadAddress(UNKNOWN) from error
    if parts.scheme not in _WEB or not host:
        raise BadAddress(UNKNOWN)
    if "@" in parts.netloc:
        raise BadAddress(USER_IN_ADDRESS)
    at = host if port is None else f"{host}:{port}"
    return f"{parts.scheme}://{at}/… · {mark(address)}"


def signature(secret: str, at: str, body: bytes) -> str:
    """The signature that a receiver recomputes: HMAC-SHA256 of the time, a full stop and the body, keyed by the
    channel's secret.
    """
    return "v1=" + hmac.new(secret.encode(), at.encode("ascii") + b"." + body, hashlib.sha256).hexdigest()


def _send(order: Order, user_agent: str) -> Outcome:
    body = json.dumps({**order.payload, "id": order.key}, ensure_ascii=False, sort_keys=True).encode()
    at = str(int(time.time()))
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": user_agent,
        "Idempotency-Key": order.key,
        "X-Zhiwen-Timestamp": at,
        "X-Zhiwen-Signature": signature(order.secret, at, body),
    }
    status, _answer = post(order.address, body, headers)
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Outcome(is_sent=False, problem=f"It answered {status}.")
    return Outcome(is_sent=True)


KIND: Final = ChannelKind(
    "webhook",
    "Webhook",
    "https://program.example.org/alerts",
    shown=lambda _service, address: shown_host(address),
    digest_bytes=None,
    send=_send,
    gets_data=True,
    is_signed=True,
)
