"""企业微信 (WeCom): the bot of a group."""

from typing import Any, Final

from flask_babel import lazy_gettext as _l

from admin.alerts.channel_kind import ChannelKind
from admin.alerts.group_bot import Request, bot

TEXT_BYTES: Final = 2_048
"""https://developer.work.weixin.qq.com/document/path/91770"""


def _request(service: Any, text: str) -> Request:
    return service.api_url, {"msgtype": "text", "text": {"content": text}}


KIND: Final = ChannelKind(
    "wecom",
    _l("WeCom"),
    "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=KEY",
    schemes=frozenset({"wecombot"}),
    digest_bytes=1_900,
    send=bot(_request, TEXT_BYTES),
)
