"""Mail, sent without apprise: its Message-ID has to be the same at every attempt."""

import contextlib
import re
import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from typing import Any, Final, Protocol, cast
from urllib.parse import quote, urlencode

from flask_babel import lazy_gettext as _l

from admin.alerts.addresses import BadAddress
from admin.alerts.apprise_service import make_service, schemes_of
from admin.alerts.channel_kind import ChannelKind
from admin.alerts.json_post import TIMEOUT_S
from admin.alerts.orders import Order, Outcome

NO_RECIPIENT: Final = _l("The address contains no recipient.")
SCHEMES: Final = frozenset({"mailto", "mailtos"})
_SHOWN_RECIPIENTS: Final = 2
NO_MAIL_CHANNEL: Final = "The address is no address of a mail channel."


class MailService(Protocol):
    """What apprise parses from the address of a mail channel."""

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


def mail_address(*, host: str, port: str, security: str, user: str, password: str, sender: str, recipients: str) -> str:
    """Build the address of a mail channel from the fields of a form. `security`: `ssl`, `starttls` or `insecure`."""
    scheme = "mailto" if security == "insecure" else "mailtos"
    who = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user else ""
    to = ",".join(part for part in re.split(r"[\s,;，；]+", recipients) if part)
    query = {"smtp": host, "from": sender, "to": to, "mode": security}
    return f"{scheme}://{who}{host}{':' + port if port else ''}?{urlencode(query)}"


def _shown(service: Any, _address: str) -> str:
    recipients = [address for _name, address in service.targets]
    if not recipients:
        raise BadAddress(NO_RECIPIENT)
    more = len(recipients) - _SHOWN_RECIPIENTS
    to = ", ".join(recipients[:_SHOWN_RECIPIENTS]) + (f" +{more}" if more > 0 else "")
    return f"{to} · {service.smtp_host}"


def mail_service(address: str) -> MailService | None:
    """What the address of a mail channel says; None for any other address."""
    service = make_service(address)
    if service is None or SCHEMES.isdisjoint(schemes_of(service)):
        return None
    return cast("MailService", service)


def _send(order: Order, _user_agent: str) -> Outcome:
    mail = mail_service(order.address)
    if mail is None:
        return Outcome(is_sent=False, problem=NO_MAIL_CHANNEL)
    message = mail_message(order, mail)
    recipients = [address for _name, address in mail.targets] + sorted(mail.cc | mail.bcc)
    with smtp_connection(mail) as server:
        if mail.user and mail.password is not None:
            server.login(mail.user, mail.password)
        refused: Mapping[str, Any] = server.send_message(message, mail.from_addr[1], recipients)
    if refused:
        # The other recipients have it: another attempt would send it to them twice.
        return Outcome(is_sent=True, problem=f"Refused for {', '.join(sorted(refused))}.")
    return Outcome(is_sent=True)


def mail_message(order: Order, mail: MailService) -> EmailMessage:
    """The mail as plain text, with a Message-ID that is the same at every attempt. Raises ValueError for line breaks in
    a header.
    """
    message = EmailMessage(policy=SMTP)
    message["Subject"] = order.subject
    message["From"] = named(mail.from_addr)
    message["To"] = ", ".join(map(named, mail.targets))
    if mail.cc:
        message["Cc"] = ", ".join(sorted(mail.cc))
    if mail.reply_to:
        message["Reply-To"] = ", ".join(sorted(mail.reply_to))
    message["Date"] = format_datetime(datetime.fromisoformat(order.made_at))
    message["Message-ID"] = f"<{order.key}@{mail.from_addr[1].rpartition('@')[2] or 'zhiwen.invalid'}>"
    message["Auto-Submitted"] = "auto-generated"
    # Some servers still transmit seven bits only.
    message.set_content(order.text, cte="base64")
    return message


def named(person: tuple[str | bool, str]) -> str:
    name, address = person
    return formataddr((name if isinstance(name, str) else "", address))


@contextmanager
def smtp_connection(mail: MailService) -> Iterator[smtplib.SMTP]:
    """An open connection, encrypted if the address asks for it."""
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
        # The server has accepted the message: a failing QUIT changes nothing.
        with contextlib.suppress(OSError, smtplib.SMTPException):
            server.quit()
    finally:
        server.close()


KIND: Final = ChannelKind(
    "mail",
    _l("E-mail"),
    "mailtos://USER:PASSWORD@smtp.example.org?from=alerts@example.org&to=editor@example.org",
    schemes=SCHEMES,
    shown=_shown,
    digest_bytes=None,
    send=_send,
)
