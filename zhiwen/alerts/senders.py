"""How each kind of channel is spoken to: mail, signed webhook, group bots, and whatever apprise knows.

Runs in the guarded child process alone (`zhiwen.alerts.sender_process`).
"""

import contextlib
import hashlib
import hmac
import json
import logging
import smtplib
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from http import HTTPStatus
from http.client import HTTPException
from typing import Any, Final, Protocol, cast

from apprise import NotifyFormat, NotifyType, OverflowMode
from apprise.plugins.email.base import NotifyEmail

from admin.alerts.channel_address import make_service, without_secrets
from storage.records.alerts import ChannelKind
from zhiwen.alerts.bots import send_by_bot
from zhiwen.alerts.json_post import TIMEOUT_S, post
from zhiwen.alerts.messages import Order, Outcome


class _MailService(Protocol):
    """What apprise reads out of the address of a mail channel."""

    smtp_host: str
    port: int
    user: str | None
    password: str | None
    secure_mode: str
    verify_certificate: bool
    from_addr: tuple[str | bool, str]
    targets: list[tuple[str | bool, str]]
    cc: set[str]
    bcc: set[str]
    reply_to: set[str]


def send(order: Order, user_agent: str) -> Outcome:
    """Never raises for what a channel, its address or a message can cause."""
    try:
        return SENDERS.get(order.kind, _by_service)(order, user_agent)
    except (OSError, HTTPException, smtplib.SMTPException, ValueError, UnicodeError) as error:
        said = f"{type(error).__name__}: {error}"
        return Outcome(is_sent=False, problem=without_secrets(said, order.address, order.secret))


def signature(secret: str, at: str, body: bytes) -> str:
    """What a receiver computes for itself: HMAC-SHA256 of the time, a full stop and the body, under the channel's
    secret.
    """
    return "v1=" + hmac.new(secret.encode(), at.encode("ascii") + b"." + body, hashlib.sha256).hexdigest()


def _webhook(order: Order, user_agent: str) -> Outcome:
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


def _mail(order: Order, _user_agent: str) -> Outcome:
    service = make_service(order.address)
    if not isinstance(service, NotifyEmail):
        return Outcome(is_sent=False, problem="The address is no address of a mail channel.")
    mail = cast("_MailService", service)
    message = mail_message(order, mail)
    recipients = [address for _name, address in mail.targets] + sorted(mail.cc | mail.bcc)
    with _smtp(mail) as server:
        if mail.user and mail.password is not None:
            server.login(mail.user, mail.password)
        refused: Mapping[str, Any] = server.send_message(message, mail.from_addr[1], recipients)
    if refused:
        # The others have it: to send it again would be to send it to them twice.
        return Outcome(is_sent=True, problem=f"Refused for {', '.join(sorted(refused))}.")
    return Outcome(is_sent=True)


def mail_message(order: Order, mail: _MailService) -> EmailMessage:
    """The mail: plain text, under a Message-ID that stays the same however often it is sent. Raises ValueError for what
    would end a header.
    """
    message = EmailMessage(policy=SMTP)
    message["Subject"] = order.subject
    message["From"] = _named(mail.from_addr)
    message["To"] = ", ".join(map(_named, mail.targets))
    if mail.cc:
        message["Cc"] = ", ".join(sorted(mail.cc))
    if mail.reply_to:
        message["Reply-To"] = ", ".join(sorted(mail.reply_to))
    message["Date"] = format_datetime(datetime.fromisoformat(order.made_at))
    message["Message-ID"] = f"<{order.key}@{mail.from_addr[1].rpartition('@')[2] or 'zhiwen.invalid'}>"
    message["Auto-Submitted"] = "auto-generated"
    # Servers that pass on seven bits only are still about.
    message.set_content(order.text, cte="base64")
    return message


def _named(person: tuple[str | bool, str]) -> str:
    name, address = person
    return formataddr((name if isinstance(name, str) else "", address))


@contextmanager
def _smtp(mail: _MailService) -> Iterator[smtplib.SMTP]:
    """Connected, and encrypted where the address asks for it."""
    context = ssl.create_default_context()
    if not mail.verify_certificate:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    server: smtplib.SMTP
    if mail.secure_mode == "ssl":
        server = smtplib.SMTP_SSL(mail.smtp_host, mail.port, timeout=TIMEOUT_S, context=context)
    else:
        server = smtplib.SMTP(mail.smtp_host, mail.port, timeout=TIMEOUT_S)
    try:
        if mail.secure_mode == "starttls":
            server.starttls(context=context)
        yield server
        # It has taken the message by now; how it says goodbye changes nothing.
        with contextlib.suppress(OSError, smtplib.SMTPException):
            server.quit()
    finally:
        server.close()


def _by_service(order: Order, _user_agent: str) -> Outcome:
    service = make_service(order.address)
    if service is None:
        return Outcome(is_sent=False, problem="Nothing is known that this address belongs to.")
    # Cut rather than sent in several pieces: of those some might come twice, and the link leads to all of it.
    service.overflow_mode = OverflowMode.TRUNCATE
    heard = _Heard()
    logger = logging.getLogger("apprise")
    logger.addHandler(heard)
    try:
        # Not INFO, the default: services that keep alerts open (Opsgenie, Jira) annotate one of theirs for it, and
        # where there is none do nothing and say that all is well.
        is_sent = bool(
            service.notify(
                body=order.text, title=order.subject, notify_type=NotifyType.WARNING, body_format=NotifyFormat.TEXT
            )
        )
    finally:
        logger.removeHandler(heard)
    said = without_secrets("; ".join(heard.said) or "It did not take the message.", order.address)
    return Outcome(is_sent, "" if is_sent else said)


class _Heard(logging.Handler):
    """What the library says of a failure: it returns no reason."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


SENDERS: Final[Mapping[ChannelKind, Callable[[Order, str], Outcome]]] = {
    ChannelKind.MAIL: _mail,
    ChannelKind.WECOM: send_by_bot,
    ChannelKind.DINGTALK: send_by_bot,
    ChannelKind.FEISHU: send_by_bot,
    ChannelKind.WEBHOOK: _webhook,
}
"""All other kinds are apprise's."""
