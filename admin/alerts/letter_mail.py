"""A letter by mail, through the mail server of a channel: to one recipient, at most once.

An alert may come twice, a letter may not. So its dialogue with the server is held step by step: until the text is
handed over, a failure is certain; from then until the server's answer, nobody knows.
"""

import re
import smtplib
from base64 import b64decode
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Final

from admin.alerts.addresses import without_secrets
from admin.alerts.kinds.mail import NO_MAIL_CHANNEL, MailService, mail_service, named, smtp_connection
from admin.alerts.orders import LetterAddressing, Order, Outcome

LONGEST_ADDRESS: Final = 254
"""RFC 5321, 4.5.3.1."""
_ADDRESS: Final = re.compile(
    r"""
    [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*  # atoms joined by dots: no quoted names
    @
    (?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+                   # labels of a host name
    [A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?                             # a top-level name, or its Punycode
    """,
    re.VERBOSE | re.ASCII,
)
"""Each repetition begins with what the one before cannot contain, so that no text makes it slow."""
_MOST_LOCAL: Final = 64
_PERMANENT: Final = 500


def mail_recipient(text: str) -> str | None:
    """The address in `text`, its host name in Punycode; None unless it is one plain address."""
    local, _, host = text.strip().rpartition("@")
    if len(local) > _MOST_LOCAL or len(host) > LONGEST_ADDRESS:
        return None
    try:
        address = f"{local}@{host if host.isascii() else host.encode('idna').decode()}"
    except UnicodeError:
        return None
    return address if len(address) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(address) else None


def send_letter(order: Order, letter: LetterAddressing) -> Outcome:
    """Sends one letter. Its outcome says whether a failure is certain, and whether it is for good."""
    mail = mail_service(order.address)
    if mail is None:
        return Outcome(is_sent=False, problem=NO_MAIL_CHANNEL, is_permanent=True)
    try:
        content = letter_message(order, letter, mail).as_bytes()
    except ValueError as error:
        return Outcome(is_sent=False, problem=f"The letter cannot be a mail: {error}", is_permanent=True)
    try:
        with smtp_connection(mail) as server:
            if mail.user and mail.password is not None:
                server.login(mail.user, mail.password)
            return _hand_over(server, mail, letter.to, content)
    except smtplib.SMTPResponseException as error:
        is_permanent = error.smtp_code >= _PERMANENT
        problem = f"{type(error).__name__}: {error.smtp_code} {_words(error.smtp_error)}"
        return Outcome(False, without_secrets(problem, order.address, order.secret), is_permanent=is_permanent)


def _hand_over(server: smtplib.SMTP, mail: MailService, to: str, content: bytes) -> Outcome:
    """Raises SMTPResponseException where the server refuses."""
    server.ehlo_or_helo_if_needed()
    _check(*server.mail(mail.from_addr[1]))
    _check(*server.rcpt(to))
    try:
        code, said = server.data(content)
    except smtplib.SMTPDataError:
        raise  # refused before the text
    except (OSError, smtplib.SMTPException) as error:
        problem = f"The connection broke off while the mail server took it: {type(error).__name__}."
        return Outcome(is_sent=False, problem=problem, is_uncertain=True)
    _check(code, said)
    return Outcome(is_sent=True)


def _check(code: int, said: bytes | str) -> None:
    if code not in (250, 251):
        raise smtplib.SMTPResponseException(code, said)


def letter_message(order: Order, letter: LetterAddressing, mail: MailService) -> EmailMessage:
    """The mail: the letter as plain text, with its files. Raises ValueError for line breaks in a header."""
    message = EmailMessage(policy=SMTP)
    message["Subject"] = order.subject
    message["From"] = named(mail.from_addr)
    message["To"] = letter.to
    if letter.reply_to:
        message["Reply-To"] = letter.reply_to
    message["Date"] = format_datetime(datetime.fromisoformat(order.made_at))
    message["Message-ID"] = f"<{order.key}@{mail.from_addr[1].rpartition('@')[2] or 'zhiwen.invalid'}>"
    # Some servers still transmit seven bits only.
    message.set_content(order.text, cte="base64")
    for file in letter.files:
        main, _, sub = file.content_type.partition("/")
        message.add_attachment(b64decode(file.content), maintype=main, subtype=sub, filename=file.name)
    return message


def _words(said: bytes | str) -> str:
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    return " ".join(text.split())
