"""Lark, which is Feishu outside of China: the bot of a group."""

from typing import Any, Final

from flask_babel import lazy_gettext as _l

from admin.alerts.channel_kind import ChannelKind
from admin.alerts.group_bot import Request, bot


def _request(service: Any, text: str) -> Request:
    return service.webhook_url, {"msg_type": "text", "content": {"text": text}}


KIND: Final = ChannelKind(
    "lark",
    _l("Lark"),
    "https://open.larksuite.com/open-apis/bot/v2/hook/TOKEN",
    schemes=frozenset({"lark"}),
    send=bot(_request),
)
