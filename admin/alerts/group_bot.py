"""Group bots of chats: what they answer decides whether they took a message.

企业微信, 钉钉 and 飞书 answer 200 to what they refuse (a key that was withdrawn, a keyword that is missing, too many
messages) and say so in the body alone. The library looks at the status only, so that such alerts would be lost and
called sent.
Answers: https://developer.work.weixin.qq.com/document/path/91770,
https://open.dingtalk.com/document/orgapp/custom-robots-access,
https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
"""

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from admin.alerts.addresses import without_secrets
from admin.alerts.apprise_service import make_service
from admin.alerts.channel_kind import Send
from admin.alerts.json_post import post
from admin.alerts.orders import Order, Outcome

TEXT_BYTES: Final = 18_000
"""Of a text in UTF-8: most bots take 20,000 for the whole request."""
_CODES: Final = ("errcode", "code", "StatusCode")
_REASONS: Final = ("errmsg", "msg", "StatusMessage")

Request: TypeAlias = tuple[str, dict[str, Any]]
"""Where a bot is posted to, and the JSON that it takes."""


def bot(request: Callable[[Any, str], Request], text_bytes: int = TEXT_BYTES) -> Send:
    """What sends to a kind of bot. `request`: of apprise's service and a text of at most `text_bytes` in UTF-8."""

    def send(order: Order, user_agent: str) -> Outcome:
        service = make_service(order.address)
        if service is None:
            return Outcome(is_sent=False, problem="The address is no address of a bot.")
        said = f"{order.subject}\n{order.text}".encode()[:text_bytes].decode("utf-8", "ignore")
        address, payload = request(service, said)
        headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": user_agent}
        status, answer = post(address, json.dumps(payload, ensure_ascii=False).encode(), headers)
        problem = problem_of(answer) if status == HTTPStatus.OK else f"It answered {status}."
        return Outcome(is_sent=not problem, problem=without_secrets(problem, order.address))

    return send


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
