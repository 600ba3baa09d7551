"""Group bots of chats, which say in the body of their answer whether they accepted a message.

企业微信, 钉钉, 飞书 and Lark answer 200 even when they refuse a message (revoked key, missing keyword, too many
messages). Apprise checks the status only, so a refused alert would be lost and still count as sent.
Answers: https://developer.work.weixin.qq.com/document/path/91770,
https://open.dingtalk.com/document/orgapp/custom-robots-access,
https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
"""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from admin.alerts.addresses import without_secrets
from admin.alerts.apprise_service import make_service
from admin.alerts.channel_kind import Send
from admin.alerts.json_post import post
from admin.alerts.orders import Order, Outcome

TEXT_BYTES: Final = 18_000
"""Maximum length of a text in UTF-8: most bots accept 20,000 bytes for the whole request."""
_CODES: Final = ("errcode", "code", "StatusCode")
_REASONS: Final = ("errmsg", "msg", "StatusMessage")

Request: TypeAlias = tuple[str, dict[str, Any]]
"""The address that a bot is posted to, and the JSON."""


def bot(
    request: Callable[[Any, str], Request],
    text_bytes: int = TEXT_BYTES,
    *,
    card_request: Callable[[Any, Mapping[str, Any]], Request] | None = None,
) -> Send:
    """The function that sends to one kind of bot. `request` makes the request from apprise's service and a text of at
    most `text_bytes` in UTF-8; `card_request` that of a message with a card. What refuses the card gets the text.
    """

    def send(order: Order, user_agent: str) -> Outcome:
        service = make_service(order.address)
        if service is None:
            return Outcome(is_sent=False, problem="The address is no address of a bot.")
        card = order.payload.get("card")
        if card_request is not None and card and not _problem(card_request(service, card), user_agent):
            return Outcome(is_sent=True)
        said = f"{order.subject}\n{order.text}".encode()[:text_bytes].decode("utf-8", "ignore")
        problem = _problem(request(service, said), user_agent)
        return Outcome(is_sent=not problem, problem=without_secrets(problem, order.address))

    return send


def _problem(request: Request, user_agent: str) -> str:
    """Posts it. Why it was not accepted; empty if it was."""
    address, payload = request
    headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": user_agent}
    status, answer = post(address, json.dumps(payload, ensure_ascii=False).encode(), headers)
    return problem_of(answer) if status == HTTPStatus.OK else f"It answered {status}."


def problem_of(answer: bytes) -> str:
    """Why a bot that answered 200 refused the message; empty if it accepted it."""
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
