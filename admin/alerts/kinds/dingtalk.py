"""钉钉 (DingTalk): the robot of a group, with or without signatures."""

import base64
import hashlib
import hmac
import re
import time
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlencode

from flask_babel import lazy_gettext as _l

from admin.alerts.channel_kind import ChannelKind
from admin.alerts.group_bot import Request, bot

_ADDRESS: Final = re.compile(r"https://oapi\.dingtalk\.com/robot/send/?\?(?P<query>.+)", re.ASCII)


def _as_apprise(address: str) -> str | None:
    found = _ADDRESS.fullmatch(address)
    if found is None:
        return None
    query = parse_qs(found["query"])
    token, secret = (query.get(name, [""])[0] for name in ("access_token", "secret"))
    return f"dingtalk://{quote(secret, safe='') + '@' if secret else ''}{quote(token, safe='')}/"


def signature(secret: str, at: str) -> str:
    """The signature that 钉钉 recomputes. Apprise percent-encodes it twice, which no signed robot accepts."""
    return base64.b64encode(hmac.new(secret.encode(), f"{at}\n{secret}".encode(), hashlib.sha256).digest()).decode()


def _request(service: Any, text: str) -> Request:
    address = service.notify_url.format(token=service.token)
    if service.secret:
        at = str(round(time.time() * 1000))
        address += "&" + urlencode({"timestamp": at, "sign": signature(service.secret, at)})
    whom = {"atMobiles": service.targets, "isAtAll": False}
    return address, {"msgtype": "text", "text": {"content": text}, "at": whom}


KIND: Final = ChannelKind(
    "dingtalk",
    _l("DingTalk"),
    "https://oapi.dingtalk.com/robot/send?access_token=TOKEN&secret=SECRET",
    schemes=frozenset({"dingtalk"}),
    as_apprise=_as_apprise,
    digest_bytes=6_000,
    send=bot(_request),
)
