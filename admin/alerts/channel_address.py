"""Addresses of channels: what kind each is, how apprise writes it, and as much of it as may be shown (pure)."""

import hashlib
import logging
import re
import warnings
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from storage.records.alerts import ChannelKind

if TYPE_CHECKING:
    from apprise import Apprise, AppriseAsset, NotifyBase

LONGEST: Final = 2_000

_WEB: Final = frozenset({"http", "https"})

_ACT_HERE: Final = ("blink1", "dbus", "gio", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows")
_READ_FILES: Final = ("fcm", "vapid")
_OTHER_WAYS: Final = ("aprs", "mqtt", "mqtts", "smpp", "smpps")
ON_SCREENS: Final = frozenset({"kodi", "kodis", "xbmc", "xbmcs"})
"""They show a message for seconds on a television and keep nothing of it."""
LOCAL: Final = frozenset((*_ACT_HERE, *_READ_FILES, *_OTHER_WAYS))
"""They act on the machine they run on, read files of it, or speak past the guard of outgoing connections."""

_DINGTALK: Final = re.compile(r"https://oapi\.dingtalk\.com/robot/send/?\?(?P<query>.+)", re.ASCII)
_FEISHU: Final = re.compile(r"https://open\.feishu\.cn/open-apis/bot/v2/hook/(?P<token>[A-Za-z0-9_-]+)/?", re.ASCII)
_KINDS: Final = {
    "wecombot": ChannelKind.WECOM,
    "dingtalk": ChannelKind.DINGTALK,
    "feishu": ChannelKind.FEISHU,
    "slack": ChannelKind.SLACK,
    "mailto": ChannelKind.MAIL,
    "mailtos": ChannelKind.MAIL,
}
_SHOWN_RECIPIENTS: Final = 2


class Unusable(StrEnum):
    """Why an address cannot be a channel."""

    NO_ADDRESS = "no-address"
    UNKNOWN = "unknown"
    LOCAL = "local"
    ON_SCREEN = "on-screen"
    NO_RECIPIENT = "no-recipient"
    USER_IN_WEBHOOK = "user-in-webhook"


class BadAddress(Exception):
    """An address that cannot be used. The message does not repeat it: there may be a password in it."""

    def __init__(self, why: Unusable) -> None:
        super().__init__(why.value)
        self.why = why


@dataclass(frozen=True, slots=True)
class Address:
    """A channel's address, read."""

    kind: ChannelKind
    full: str
    shown: str

    def __repr__(self) -> str:
        return f"Address({self.kind!s}, {self.shown!r})"


def read_address(text: str) -> Address:
    """Of what somebody pastes: a chat bot's address as its service shows it, an address of apprise, or a web address,
    which gets our own signed webhook. Asks nobody. Raises BadAddress.
    """
    text = text.strip()
    if not text or len(text) > LONGEST or not text.isprintable():
        raise BadAddress(Unusable.NO_ADDRESS)
    text = _as_apprise(text)
    scheme = text.partition(":")[0].lower()
    if scheme in LOCAL:
        raise BadAddress(Unusable.LOCAL)
    if scheme in ON_SCREENS:
        raise BadAddress(Unusable.ON_SCREEN)
    service = _service(text)
    if service is None:
        return _webhook(text, scheme)
    kind = _kind_of(service)
    if kind is ChannelKind.MAIL:
        return Address(kind, text, _shown_mail(service))
    return Address(kind, text, f"{service.service_name} · {_mark(text)}")


def _webhook(text: str, scheme: str) -> Address:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise BadAddress(Unusable.UNKNOWN) from error
    if scheme not in _WEB or not host:
        raise BadAddress(Unusable.UNKNOWN)
    if "@" in parts.netloc:
        raise BadAddress(Unusable.USER_IN_WEBHOOK)
    at = host if port is None else f"{host}:{port}"
    return Address(ChannelKind.WEBHOOK, text, f"{scheme}://{at}/… · {_mark(text)}")


def mail_address(*, host: str, port: str, security: str, user: str, password: str, sender: str, recipients: str) -> str:
    """The address of a mail channel, from the fields of a form. `security`: `ssl`, `starttls` or `insecure`."""
    scheme = "mailto" if security == "insecure" else "mailtos"
    who = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user else ""
    to = ",".join(part for part in re.split(r"[\s,;，；]+", recipients) if part)
    query = {"smtp": host, "from": sender, "to": to, "mode": security}
    return f"{scheme}://{who}{host}{':' + port if port else ''}?{urlencode(query)}"


def make_service(address: str) -> "NotifyBase | None":
    """What speaks to this address; None where apprise knows nothing of the kind."""
    found: NotifyBase | None = _library().instantiate(address, asset=_asset(), suppress_exceptions=True)
    return found


@cache
def _library() -> "type[Apprise]":
    """A second of imports, for those who need it."""
    with warnings.catch_warnings():
        # For signed mail, which is not used, it looks for a module that Python gives up.
        warnings.simplefilter("ignore", DeprecationWarning)
        from apprise import Apprise  # noqa: PLC0415  # see above

        Apprise.instantiate("json://localhost")
    # It tells its log what it cannot read, and that may be an address with a secret in it.
    logging.getLogger("apprise").propagate = False
    logging.getLogger("apprise").addHandler(logging.NullHandler())
    return Apprise


@cache
def _asset() -> "AppriseAsset":
    """No picture of somebody else's server beside our messages, nothing kept on disk, no secret in a log."""
    from apprise import AppriseAsset  # noqa: PLC0415  # as above

    return AppriseAsset(
        app_id="Zhiwen", app_desc="Zhiwen", app_url="", image_url_mask="", async_mode=False, secure_logging=True
    )


def secrets_in(address: str) -> list[str]:
    """Every part of an address that may be a secret, the longest first: to be struck out of what others say of it."""
    try:
        parts = urlsplit(address)
        named = [parts.username, parts.password, parts.hostname if "." not in (parts.hostname or ".") else None]
    except ValueError:
        return [address]
    values = [value for found in parse_qs(parts.query).values() for value in found]
    pieces = [address, parts.query, parts.path.strip("/"), *named, *values, *parts.path.split("/")]
    found = {piece for piece in pieces if piece and len(piece) >= _SHORTEST_SECRET}
    return sorted(found | {quote(piece, safe="") for piece in found}, key=len, reverse=True)


_SHORTEST_SECRET: Final = 4


def without_secrets(said: str, address: str, *more: str) -> str:
    """What a service or a library says of a failure, without any part of the address."""
    for piece in (*filter(None, more), *secrets_in(address)):
        said = said.replace(piece, "…")
    return said


def _as_apprise(text: str) -> str:
    """Bots' addresses that apprise does not know by themselves."""
    dingtalk, feishu = _DINGTALK.fullmatch(text), _FEISHU.fullmatch(text)
    if dingtalk is not None:
        query = parse_qs(dingtalk["query"])
        token, secret = (query.get(name, [""])[0] for name in ("access_token", "secret"))
        return f"dingtalk://{quote(secret, safe='') + '@' if secret else ''}{quote(token, safe='')}/"
    return text if feishu is None else f"feishu://{feishu['token']}/"


def _service(text: str) -> "NotifyBase | None":
    service = make_service(text)
    if service is not None and not LOCAL.isdisjoint(_protocols(service)):
        raise BadAddress(Unusable.LOCAL)
    return service


def _protocols(service: Any) -> set[str]:
    # Of the class: some plugins keep a number of their own under this name.
    named = (type(service).protocol, type(service).secure_protocol)
    return {word for one in named if one for word in ((one,) if isinstance(one, str) else one)}


def _kind_of(service: Any) -> ChannelKind:
    return next((kind for word, kind in _KINDS.items() if word in _protocols(service)), ChannelKind.OTHER)


def _shown_mail(service: Any) -> str:
    recipients = [address for _name, address in service.targets]
    if not recipients:
        raise BadAddress(Unusable.NO_RECIPIENT)
    more = len(recipients) - _SHOWN_RECIPIENTS
    to = ", ".join(recipients[:_SHOWN_RECIPIENTS]) + (f" +{more}" if more > 0 else "")
    return f"{to} · {service.smtp_host}"


def _mark(text: str) -> str:
    """Tells two channels of one kind apart and says nothing of either."""
    return hashlib.sha256(text.encode()).hexdigest()[:6]
