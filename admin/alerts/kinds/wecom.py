"""企业微信 (WeCom): the bot of a group."""

from collections.abc import Mapping
from typing import Any, Final

from flask_babel import lazy_gettext as _l

from admin.alerts.channel_kind import ChannelKind
from admin.alerts.group_bot import Request, bot
from admin.web.rendering.invisible_characters import shortened

TEXT_BYTES: Final = 2_048
"""https://developer.work.weixin.qq.com/document/path/91770, also for cards"""
TITLE_CHARS: Final = 26
WORDS_CHARS: Final = 112
_TO_URL: Final = 1


def _request(service: Any, text: str) -> Request:
    return service.api_url, {"msgtype": "text", "text": {"content": text}}


def _card_request(service: Any, card: Mapping[str, Any]) -> Request:
    """A notice card: the facts of the case, and a button that opens it."""
    title, words = card["title"], card["words"]
    shown = {
        "card_type": "text_notice",
        "main_title": {"title": shortened(title, TITLE_CHARS)},
        # What does not fit the title, or what a person wrote.
        "sub_title_text": shortened(words or (title if len(title) > TITLE_CHARS else ""), WORDS_CHARS),
        "horizontal_content_list": [{"keyname": name, "value": value} for name, value in card["facts"]],
        "jump_list": [{"type": _TO_URL, "title": card["action"], "url": card["link"]}],
        "card_action": {"type": _TO_URL, "url": card["link"]},
    }
    return service.api_url, {"msgtype": "template_card", "template_card": shown}


KIND: Final = ChannelKind(
    "wecom",
    _l("WeCom"),
    "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=KEY",
    schemes=frozenset({"wecombot"}),
    digest_bytes=1_900,
    gets_card=True,
    send=bot(_request, TEXT_BYTES, card_request=_card_request),
)
