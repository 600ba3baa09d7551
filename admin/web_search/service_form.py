"""The forms of a search service and of a site's rule, parsed into declarations or errors (pure but for the texts)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from flask_babel import gettext as _

from admin.web import form_fields
from admin.web.form_fields import InvalidField
from crawler.outcomes.errors import CrawlerError
from crawler.urls.canonical import canonical_url
from crawler.web_search import brave, infini_gram
from crawler.web_search.budget import Budget
from crawler.web_search.declared import DeclaredRule, DeclaredService, ServiceKind
from crawler.web_search.json_template import PHRASE, target_of

LONGEST_NAME: Final = 40
LONGEST_URL: Final = 2_000
LONGEST_KEY: Final = 1_000
LONGEST_PATH: Final = 200
MOST_DAYS: Final = 3_650
MOST_VISITS: Final = 20
MOST_QUERIES: Final = 10_000_000
MOST_MONEY: Final = 1_000_000.0

WITH_KEY: Final = frozenset({ServiceKind.SEARXNG, ServiceKind.BRAVE, ServiceKind.JSON, ServiceKind.FEED})
WITH_PHRASE: Final = frozenset({ServiceKind.JSON, ServiceKind.FEED})
USUAL_ADDRESS: Final = {ServiceKind.BRAVE: brave.ADDRESS, ServiceKind.INFINI_GRAM: infini_gram.ADDRESS}

_PATHS: Final = ("results_at", "url_at", "title_at", "snippet_at")
_TEXTS: Final = ("name", "url", "key_header", "index", *_PATHS)
_BUDGET: Final = ("queries_a_day", "queries_a_month", "money_a_month")

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class ServiceForm:
    """`fields` as sent, without the key, to be shown again. `service` is None where something is wrong; `key` None: the
    present one stays.
    """

    fields: dict[str, Any]
    service: DeclaredService | None
    key: str | None
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleForm:
    fields: dict[str, Any]
    rule: DeclaredRule | None
    problems: tuple[str, ...]


def fields_of(service: DeclaredService) -> dict[str, Any]:
    """A service as fields of its form."""
    return {
        **{name: getattr(service, name) for name in _TEXTS},
        "price": f"{service.price:g}" if service.price else "",
        **budget_fields(service.budget),
    }


def budget_fields(budget: Budget) -> dict[str, str]:
    return {name: "" if (value := getattr(budget, name)) is None else f"{value:.10g}" for name in _BUDGET}


def submitted(kind: ServiceKind, before: DeclaredService | None = None) -> ServiceForm:
    """The form of this request. `before`: the service that it changes."""
    reader = _Reader()
    key = form_fields.secret("key") if kind in WITH_KEY else ""
    service = DeclaredService(
        name=reader.value(_name, "name", LONGEST_NAME + 1),
        kind=kind,
        url=reader.value(lambda text: _address(text, kind), "url", LONGEST_URL),
        has_key=bool(key) or (before is not None and before.has_key),
        key_header=reader.value(_header, "key_header", LONGEST_PATH) if kind is ServiceKind.JSON else "",
        index=reader.value(_index, "index", LONGEST_PATH) if kind is ServiceKind.INFINI_GRAM else "",
        **{name: form_fields.line(name, LONGEST_PATH) if kind is ServiceKind.JSON else "" for name in _PATHS},
        price=reader.value(_money, "price") or 0.0,
        budget=reader.budget(),
    )
    reader.check_key(key, service, before)
    fields = {name: form_fields.line(name, LONGEST_URL) for name in (*_TEXTS, "price", *_BUDGET, "consent")}
    problems = tuple(dict.fromkeys(reader.problems))
    return ServiceForm(fields, None if problems else service, key or None, problems)


def submitted_rule(site: str) -> RuleForm:
    reader = _Reader()
    days = reader.value(_days, "days")
    rule = DeclaredRule(site, days or (), form_fields.is_ticked("is_dear"), reader.budget())
    fields = {name: form_fields.line(name) for name in ("days", "is_dear", *_BUDGET)}
    problems = tuple(dict.fromkeys(reader.problems))
    return RuleForm(fields, None if problems else rule, problems)


def rule_fields(rule: DeclaredRule) -> dict[str, Any]:
    return {"days": ", ".join(map(str, rule.days)), "is_dear": rule.is_dear, **budget_fields(rule.budget)}


class _Reader:
    """Reads fields and collects what is wrong, so that all of it is shown at once."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def value(self, parse: Callable[[str], _Value], name: str, limit: int = form_fields.LONGEST_LINE) -> Any:
        """The parsed field; an empty text where it is wrong."""
        try:
            return parse(form_fields.line(name, limit))
        except InvalidField as wrong:
            self.problems.append(str(wrong))
            return ""

    def budget(self) -> Budget:
        day, month = (self.value(_count, name) for name in _BUDGET[:2])
        return Budget(day, month, self.value(_money, "money_a_month"))

    def check_key(self, key: str, service: DeclaredService, before: DeclaredService | None) -> None:
        if key and not (key.isascii() and key.isprintable() and len(key) <= LONGEST_KEY):
            self.problems.append(_("The key contains invalid characters. Copy it again."))
        if not key and service.kind is ServiceKind.BRAVE and not service.has_key:
            self.problems.append(_("Enter the key of your plan."))
        if not key and before is not None and before.has_key and _place(before) != _place(service):
            # Whoever may change the address must not get the key sent to a place of their own.
            self.problems.append(_("The URL has changed: enter the key again."))


def _place(service: DeclaredService) -> tuple[str, str]:
    parts = urlsplit(service.url or USUAL_ADDRESS.get(service.kind, ""))
    return parts.scheme, parts.netloc


def _name(text: str) -> str:
    if not 0 < len(text) <= LONGEST_NAME or not text.isprintable():
        raise InvalidField(_("A name must have 1 to %(most)s characters.", most=LONGEST_NAME))
    return text


def _address(text: str, kind: ServiceKind) -> str:
    if not text and kind in USUAL_ADDRESS:
        return ""
    wrong = InvalidField(_("“%(url)s” is not a web address.", url=text[:100]))
    try:
        host, port = urlsplit(text).hostname, urlsplit(text).port
        canonical_url(text.replace("{", "").replace("}", ""))
    except (CrawlerError, ValueError) as error:
        raise wrong from error
    if not text.startswith(("http://", "https://")) or not host or port == 0 or not text.isprintable():
        raise wrong
    if "@" in urlsplit(text).netloc:
        raise InvalidField(_("Leave user name and password out of the URL; there is a field for the key."))
    if kind in WITH_PHRASE:
        try:
            target_of(text)
        except ValueError as error:
            raise InvalidField(_("The URL must contain %(place)s in place of the phrase.", place=PHRASE)) from error
    return text


def _header(text: str) -> str:
    if text and not (text.isascii() and text.replace("-", "").isalnum()):
        raise InvalidField(_("“%(name)s” is not the name of a header.", name=text[:40]))
    return text


def _index(text: str) -> str:
    if not text:
        raise InvalidField(_("Enter the index, such as %(name)s.", name="v4_rpj_llama_s4"))
    return text


def _count(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < len(str(MOST_QUERIES)) + 1) or int(text) > MOST_QUERIES:
        raise InvalidField(_("The number of queries must be a whole number, 0 or more, or empty for no limit."))
    return int(text)


def _money(text: str) -> float | None:
    if not text:
        return None
    try:
        amount = float(text.replace(",", "."))
    except ValueError:
        amount = math.nan
    if not 0 <= amount <= MOST_MONEY:
        raise InvalidField(_("The amount must be a number, 0 or more, or empty."))
    return amount


def _days(text: str) -> tuple[int, ...]:
    parts = text.replace("，", " ").replace("、", " ").replace(",", " ").split()
    is_right = all(part.isascii() and part.isdigit() and len(part) <= len(str(MOST_DAYS)) for part in parts)
    days = tuple(sorted({int(part) for part in parts})) if is_right else ()
    if not is_right or len(days) > MOST_VISITS or any(day > MOST_DAYS for day in days):
        raise InvalidField(
            _("Enter whole numbers of days from 0 to %(most)s, such as “0, 1, 7, 30”; at most %(count)s.",
              most=MOST_DAYS, count=MOST_VISITS)
        )  # fmt: skip
    return days
