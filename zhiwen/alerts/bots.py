"""Group bots of 企业微信, 钉钉 and 飞书: what they answer decides whether they took a message.

All three answer 200 to what they refuse (a key that was withdrawn, a keyword that is missing, too many messages) and
say so in the body alone. The library looks at the status only, so that such alerts would be lost and called sent.
Answers: https://developer.work.weixin.qq.com/document/path/91770,
https://open.dingtalk.com/document/orgapp/custom-robots-access,
https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final, Protocol, cast
from urllib.parse import urlencode

from admin.alerts.channel_address import make_service, without_secrets
from storage.records.alerts import ChannelKind
from zhiwen.alerts.json_post import post
from zhiwen.alerts.messages import Order, Outcome

LONGEST: Final[Mapping[ChannelKind, int]] = {
    ChannelKind.WECOM: 2_048,
    ChannelKind.DINGTALK: 18_000,
    ChannelKind.FEISHU: 18_000,
}
"""Bytes of a text in UTF-8: WeCom's own bound; those of the others are 20,000 for the whole request."""
_CODES: Final = ("errcode", "code", "StatusCode")
_REASONS: Final = ("errmsg", "msg", "StatusMessage")


class _WeCom(Protocol):
    api_url: str


class _DingTalk(Protocol):
    notify_url: str
    token: str
    secret: str | None
    targets: list[str]


class _Feishu(Protocol):
    notify_url: str
    token: str


def send_by_bot(order: Order, user_agent: str) -> Outcome:
    """Raises OSError, ValueError."""
    service = make_service(order.address)
    if service is None:
        return Outcome(is_sent=False, problem="The address is no address of a bot.")
    said = f"{order.subject}\n{order.text}".encode()[: LONGEST[order.kind]].decode("utf-8", "ignore")
    address, payload = _REQUESTS[order.kind](service, said)
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": user_agent}
    body = json.dumps(payload, ensure_ascii=False).encode()
    status, answer = post(address, body, headers)
    problem = problem_of(answer) if status == HTTPStatus.OK else f"It answered {status}."
    return Outcome(is_sent=not problem, problem=without_secrets(problem, order.address))


def problem_of(answer: bytes) -> str:
    """Why a bot that answered 200 did not take the message; empty where it did."""
    try:
        said = json.loads(answer)
    except ValueError:
        said = None
    codes = [said[name] for name in _CODES if name in said] if isinstance(said, dict) else []
    if not codes:
        return "It answered in a form that is unknown: whether it took the message cannot be told."
    if codes[0] == 0:
        return ""
    reason = next((str(said[name]) for name in _REASONS if said.get(name)), "no reason given")
    return f"It refused the message: {reason[:300]} ({codes[0]})."


def _wecom(service: object, text: str) -> tuple[str, dict[str, Any]]:
    return cast("_WeCom", service).api_url, {"msgtype": "text", "text": {"content": text}}


def _dingtalk(service: object, text: str) -> tuple[str, dict[str, Any]]:
    bot = cast("_DingTalk", service)
    address = bot.notify_url.format(token=bot.token)
    if bot.secret:
        at = str(round(time.time() * 1000))
        address += "&" + urlencode({"timestamp": at, "sign": signature(bot.secret, at)})
    whom = {"atMobiles": bot.targets, "isAtAll": False}
    return address, {"msgtype": "text", "text": {"content": text}, "at": whom}


def signature(secret: str, at: str) -> str:
    """What 钉钉 computes for itself. The library quotes it twice, which no signed robot accepts."""
    return base64.b64encode(hmac.new(secret.encode(), f"{at}\n{secret}".encode(), hashlib.sha256).digest()).decode()


def _feishu(service: object, text: str) -> tuple[str, dict[str, Any]]:
    bot = cast("_Feishu", service)
    return bot.notify_url.format(token=bot.token), {"msg_type": "text", "content": {"text": text}}


_REQUESTS: Final[Mapping[ChannelKind, Callable[[object, str], tuple[str, dict[str, Any]]]]] = {
    ChannelKind.WECOM: _wecom,
    ChannelKind.DINGTALK: _dingtalk,
    ChannelKind.FEISHU: _feishu,
}
