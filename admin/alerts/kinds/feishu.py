"""飞书 (Feishu): the bot of a group."""

import re
from typing import Any, Final

from flask_babel import lazy_gettext as _l

from admin.alerts.channel_kind import ChannelKind
from admin.alerts.group_bot import Request, bot

_ADDRESS: Final = re.compile(r"https://open\.feishu\.cn/open-apis/bot/v2/hook/(?P<token>[A-Za-z0-9_-]+)/?", re.ASCII)


def _as_apprise(address: str) -> str | None:
    found = _ADDRESS.fullmatch(address)
    return None if found is None else f"feishu://{found['token']}/"


def _request(service: Any, text: str) -> Request:
    return service.notify_url.format(token=service.token), {"msg_type": "text", "content": {"text": text}}


KIND: Final = ChannelKind(
    "feishu",
    _l("Feishu"),
    "https://open.feishu.cn/open-apis/bot/v2/hook/TOKEN",
    schemes=frozenset({"feishu"}),
    as_apprise=_as_apprise,
    send=bot(_request),
)
