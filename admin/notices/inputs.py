"""What a person fills in for a notice beside what the store knows."""

from collections.abc import Iterable, Mapping
from typing import Final

from flask import request

from admin.web import form_fields
from admin.web.url_converters import as_key
from storage.cases.actions import RECIPIENT_CHARS
from storage.records.correspondence.notices import NoticeForm

LINE: Final = 400
TEXT: Final = 4_000
INPUTS: Final[Mapping[str, int]] = {
    "service": LINE,
    "recipient": RECIPIENT_CHARS,
    "capacity": 10,
    "holder": TEXT,
    "authority": TEXT,
    "identity_files": TEXT,
    "account": LINE,
    "ip_address": LINE,
    "explanation": TEXT,
    "ownership": TEXT,
    "request": TEXT,
}
"""The fields with their longest values, in characters."""
SEVERAL_LINES: Final = frozenset({"holder", "authority", "identity_files", "explanation", "ownership", "request"})
CAPACITIES: Final = ("owner", "agent")
MOST_CASES: Final = 301
"""As `admin.cases.copier_summary.MOST_CASES`, and the current case."""

_SERVICES: Final[Mapping[NoticeForm, tuple[str, str]]] = {
    NoticeForm.WECHAT: ("微信公众平台", "https://mp.weixin.qq.com/"),
    NoticeForm.TOUTIAO: ("今日头条", "https://www.toutiao.com/complain/"),
    NoticeForm.BAIDU: ("百度", "https://help.baidu.com/"),
    NoticeForm.SEARCH: ("Google", "https://reportcontent.google.com/forms/dmca_search"),
}
"""Name and complaint form of the services that we know, to be corrected by the person."""


def first_inputs(form: NoticeForm, cases: Iterable[int]) -> dict[str, str]:
    """A new draft about these cases."""
    service, recipient = _SERVICES.get(form, ("", ""))
    return {"service": service, "recipient": recipient, "capacity": CAPACITIES[0], "cases": _joined(cases)}


def inputs_of_request() -> dict[str, str]:
    """The form as handed in; `cases` are the ticked ones."""
    found = {
        name: form_fields.text(name, most) if name in SEVERAL_LINES else form_fields.line(name, most)
        for name, most in INPUTS.items()
    }
    if found["capacity"] not in CAPACITIES:
        found["capacity"] = CAPACITIES[0]
    ticked = (as_key(value) for value in request.form.getlist("case")[:MOST_CASES])
    return found | {"cases": _joined(number for number in ticked if number is not None)}


def _joined(cases: Iterable[int]) -> str:
    return ",".join(map(str, sorted(set(cases))))
