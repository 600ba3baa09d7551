"""Services that apprise knows: read from their addresses, and sent to by its plugins."""

import logging
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from flask_babel import lazy_gettext as _l

from admin.alerts.addresses import BadAddress, without_secrets
from admin.alerts.orders import Order, Outcome

if TYPE_CHECKING:
    from apprise import Apprise, AppriseAsset, NotifyBase

_ACT_HERE: Final = ("blink1", "dbus", "gio", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows")
_READ_FILES: Final = ("fcm", "vapid")
_OTHER_WAYS: Final = ("aprs", "mqtt", "mqtts", "smpp", "smpps")
_LOCAL_SCHEMES: Final = frozenset((*_ACT_HERE, *_READ_FILES, *_OTHER_WAYS))
"""They act on the machine they run on, read files of it, or speak past the guard of outgoing connections."""
_SCREEN_SCHEMES: Final = frozenset({"kodi", "kodis", "xbmc", "xbmcs"})
"""They show a message for seconds on a television and keep nothing of it."""

LOCAL: Final = _l("Services that act on the server itself cannot be channels.")
ON_SCREEN: Final = _l("This service shows messages for seconds on a screen and keeps none: it cannot be a channel.")


def find_service(address: str) -> "NotifyBase | None":
    """The service of an address; None where apprise knows none. Raises BadAddress for one that cannot be a channel."""
    scheme = address.partition(":")[0].lower()
    if scheme in _LOCAL_SCHEMES:
        raise BadAddress(LOCAL)
    if scheme in _SCREEN_SCHEMES:
        raise BadAddress(ON_SCREEN)
    service = make_service(address)
    if service is not None and not _LOCAL_SCHEMES.isdisjoint(schemes_of(service)):
        raise BadAddress(LOCAL)
    return service


def make_service(address: str) -> "NotifyBase | None":
    """What speaks to this address; None where apprise knows nothing of the kind."""
    found: NotifyBase | None = library().instantiate(address, asset=_asset(), suppress_exceptions=True)
    return found


def schemes_of(service: Any) -> set[str]:
    # Of the class: some plugins keep a number of their own under this name.
    named = (type(service).protocol, type(service).secure_protocol)
    return {word for one in named if one for word in ((one,) if isinstance(one, str) else one)}


@cache
def library() -> "type[Apprise]":
    """Apprise with its plugins: a second of imports, for those who need it."""
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


def send_by_apprise(order: Order, _user_agent: str) -> Outcome:
    """Sends the text of the order by the plugin for its address."""
    from apprise import NotifyFormat, NotifyType, OverflowMode  # noqa: PLC0415  # as above

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
