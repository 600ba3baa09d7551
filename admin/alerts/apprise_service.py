"""Services that apprise supports: found by address, sent to through its plugins."""

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
"""Schemes of plugins that act on the local machine, read its files, or bypass the guard of outgoing connections."""
_SCREEN_SCHEMES: Final = frozenset({"kodi", "kodis", "xbmc", "xbmcs"})
"""Schemes of media centres, which show a message on a screen for seconds and keep nothing."""

LOCAL: Final = _l("Services that act on the server itself cannot be channels.")
ON_SCREEN: Final = _l("This service only shows messages briefly and does not keep them, so it cannot be a channel.")


def find_service(address: str) -> "NotifyBase | None":
    """The service of an address; None if apprise has none. Raises BadAddress for a service that cannot be a channel."""
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
    """The plugin for an address; None if apprise has none."""
    found: NotifyBase | None = library().instantiate(address, asset=_asset(), suppress_exceptions=True)
    return found


def schemes_of(service: Any) -> set[str]:
    # Read from the class: instances of some plugins hold a number under this name.
    named = (type(service).protocol, type(service).secure_protocol)
    return {word for one in named if one for word in ((one,) if isinstance(one, str) else one)}


@cache
def library() -> "type[Apprise]":
    """Apprise with its plugins, which take a second to import."""
    with warnings.catch_warnings():
        # Its support of signed mail, which we do not use, imports a deprecated module of Python.
        warnings.simplefilter("ignore", DeprecationWarning)
        from apprise import Apprise  # noqa: PLC0415  # see above

        Apprise.instantiate("json://localhost")
    # It logs addresses that it cannot parse, and there may be secrets in them.
    logging.getLogger("apprise").propagate = False
    logging.getLogger("apprise").addHandler(logging.NullHandler())
    return Apprise


@cache
def _asset() -> "AppriseAsset":
    """Settings of apprise: no images of other servers in messages, nothing kept on disk, no secrets in logs."""
    from apprise import AppriseAsset  # noqa: PLC0415  # as above

    return AppriseAsset(
        app_id="Zhiwen", app_desc="Zhiwen", app_url="", image_url_mask="", async_mode=False, secure_logging=True
    )


def send_by_apprise(order: Order, _user_agent: str) -> Outcome:
    """Send the text of the order through the plugin for its address."""
    from apprise import NotifyFormat, NotifyType, OverflowMode  # noqa: PLC0415  # as above

    service = make_service(order.address)
    if service is None:
        return Outcome(is_sent=False, problem="Nothing is known that this address belongs to.")
    # Cut instead of split: if one part fails, all are sent again. The link leads to the whole text.
    service.overflow_mode = OverflowMode.TRUNCATE
    messages = _Messages()
    logger = logging.getLogger("apprise")
    logger.addHandler(messages)
    try:
        # Not INFO, the default: services that keep alerts open (Opsgenie, Jira) add it to an open alert, and report
        # success without sending anything if there is none.
        is_sent = bool(
            service.notify(
                body=order.text, title=order.subject, notify_type=NotifyType.WARNING, body_format=NotifyFormat.TEXT
            )
        )
    finally:
        logger.removeHandler(messages)
    reason = without_secrets("; ".join(messages.texts) or "It did not take the message.", order.address)
    return Outcome(is_sent, "" if is_sent else reason)


class _Messages(logging.Handler):
    """Collects what apprise logs of a failure: `notify` returns no reason."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())
