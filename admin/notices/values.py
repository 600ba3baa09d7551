"""What the elements of a notice say, in Chinese or English, from the facts. Pure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from admin.hooks.template_filters import percent
from admin.notices.elements import CHINESE, ELEMENTS, Key
from admin.notices.facts import NoticeFacts, Work
from admin.web.rendering.invisible_characters import marked
from storage.cases.handout import CopyLine
from storage.records.correspondence.notices import NoticeForm
from storage.types import Credit, Precision

_BEIJING: Final = timezone(timedelta(hours=8))
_DAYS: Final[Mapping[Precision, str]] = {Precision.DAY: "%Y-%m-%d", Precision.MONTH: "%Y-%m"}
"""Dates that pages declare without a time."""


@dataclass(frozen=True, slots=True)
class Words:
    """Fixed words of a language."""

    no_title: str
    original: str
    author: str
    published: str
    copied: str
    by_meaning: str
    captured: str
    credits: Mapping[Credit, str]
    explanation: str
    meaning_only: str
    request: str
    type: str
    zone: timezone
    """Of all times in the text. A fixed one: the text must be the same for two people in different time zones, or no
    consent would hold.
    """
    moment: str


_ZH: Final = Words(
    no_title="（无标题）",
    original="原文：{}",
    author="作者：{}",
    published="发表：{}",
    copied="与原文相同 {chars:,} 字，占原文 {share}",
    by_meaning="与原文意思相近，未证明文字相同",
    captured="已于{} 取证",
    credits={Credit.NONE: "未注明出处", Credit.NAMED: "注明了来源名称", Credit.LINKED: "附有来源链接"},
    explanation="“{locations}”所列网页未经许可使用了所列作品。每个网页与原文相同的字数、所占比例及是否注明出处，均按网页逐一列出。",
    meaning_only="其中注明“意思相近”的网页，仅就内容主张，不主张文字相同。",
    request="请立即删除所列网页中的侵权内容，或断开与其的链接，并书面告知处理结果。",
    type="著作权（文字作品）：未经许可转载、抄袭",
    zone=_BEIJING,
    moment="北京时间 {:%Y-%m-%d %H:%M}",
)
_EN: Final = Words(
    no_title="(no title)",
    original="Original: {}",
    author="Author: {}",
    published="Published: {}",
    copied="{chars:,} characters as in the original, {share} of it",
    by_meaning="similar in meaning to the original; identical wording is not proved",
    captured="captured on {}",
    credits={Credit.NONE: "no credit", Credit.NAMED: "names its source", Credit.LINKED: "links to its source"},
    explanation=(
        "The pages listed in this notice use the works listed in it without permission of the rights holder. For each "
        "page it says how many characters are as in the original, which share of the original that is, and whether the "
        "page credits its source. Reproduction and making available of literary works without permission infringe "
        "copyright."
    ),
    meaning_only="Pages marked “similar in meaning” are named for their content; identical wording is not claimed.",
    request="Please remove or disable access to the listed material, and tell us in writing what was done.",
    type="Copyright (literary work)",
    zone=UTC,
    moment="{:%Y-%m-%d %H:%M} UTC",
)


_SEARCH_REQUEST: Final = (
    "Please remove the links to the listed pages from your search results, or disable access to them, and tell us in "
    "writing what was done."
)
"""A search engine shows links; the material is with somebody else: 17 U.S.C. 512(d)(3)."""


def words_of(form: NoticeForm) -> Words:
    words = _ZH if form in CHINESE else _EN
    locations = next(one.label for one in ELEMENTS[form] if one.key is Key.LOCATIONS)
    request = _SEARCH_REQUEST if form is NoticeForm.SEARCH else words.request
    return replace(words, explanation=words.explanation.format(locations=locations), request=request)


def value_of(key: Key, facts: NoticeFacts, form: NoticeForm) -> str:
    """The text of an element; empty where nothing is known. Invisible characters of crawled text are marked."""
    said = marked(_VALUES[key](facts, words_of(form)))
    return "\n".join(line.rstrip() for line in said.strip().split("\n"))


def _holder(facts: NoticeFacts, _words: Words) -> str:
    return facts.owner if facts.is_agent else facts.sender.organisation or facts.owner


def _works(facts: NoticeFacts, words: Words) -> str:
    return "\n".join(_work(number, work, words) for number, work in enumerate(facts.works, start=1))


def _work(number: int, work: Work, words: Words) -> str:
    lines = [
        f"{number}. {work.title if marked(work.title).strip() else words.no_title}",
        words.original.format(work.url),
    ]
    if work.author:
        lines.append(words.author.format(work.author))
    if work.published_at is not None:
        lines.append(words.published.format(_published(work.published_at, work.precision, words)))
    return "\n   ".join(lines)


def _locations(facts: NoticeFacts, words: Words) -> str:
    """Each address on a line by itself, with what was copied below it."""
    pages = (
        f"{number}.{place} {line.url}\n   {_page(line, words)}"
        for number, work in enumerate(facts.works, start=1)
        for place, line in enumerate(work.copies, start=1)
    )
    return "\n".join(pages)


def _page(line: CopyLine, words: Words) -> str:
    copied = words.copied.format(chars=line.chars, share=percent(line.our_share))
    said = [words.by_meaning if line.is_by_meaning else copied, words.credits[line.credit]]
    if line.evidence.is_kept and line.evidence.at is not None:
        said.append(words.captured.format(_moment(line.evidence.at, words)))
    return " · ".join(said)


def _published(at: datetime, precision: Precision, words: Words) -> str:
    """A day without a time is midnight where the page is: by the time of Beijing, it is the same day from America to
    China.
    """
    days = _DAYS.get(precision)
    return _moment(at, words) if days is None else at.astimezone(_BEIJING).strftime(days)


def _moment(at: datetime, words: Words) -> str:
    return words.moment.format(at.astimezone(words.zone))


def _explanation(facts: NoticeFacts, words: Words) -> str:
    if not facts.works:
        return ""
    has_meaning = any(line.is_by_meaning for work in facts.works for line in work.copies)
    said = [facts.inputs.get("explanation", ""), words.explanation, words.meaning_only if has_meaning else ""]
    return "\n".join(part for part in said if part.strip())


def _input(name: str) -> Callable[[NoticeFacts, Words], str]:
    return lambda facts, _words: facts.inputs.get(name, "")


def _joined(parts: Iterable[str]) -> str:
    return "\n".join(parts)


_VALUES: Final[Mapping[Key, Callable[[NoticeFacts, Words], str]]] = {
    Key.SERVICE: _input("service"),
    Key.SERVICE_CONTACT: _input("recipient"),
    Key.TYPE: lambda _facts, words: words.type,
    Key.HOLDER: _holder,
    Key.HOLDER_DETAILS: _input("holder"),
    Key.AGENT: lambda facts, _words: facts.sender.organisation,
    Key.AUTHORITY: _input("authority"),
    Key.IDENTITY: lambda facts, _words: facts.sender.identity,
    Key.IDENTITY_FILES: _input("identity_files"),
    Key.REPRESENTATIVE: lambda facts, _words: facts.sender.representative,
    Key.ADDRESS: lambda facts, _words: facts.sender.address,
    Key.POSTCODE: lambda facts, _words: facts.sender.postcode,
    Key.CONTACT: lambda facts, _words: facts.sender.contact,
    Key.TELEPHONE: lambda facts, _words: facts.sender.telephone,
    Key.MAIL: lambda facts, _words: facts.sender.mail,
    Key.ACCOUNT: _input("account"),
    Key.DOMAIN: lambda facts, _words: _joined(facts.domains),
    Key.REGISTRATION: lambda facts, _words: facts.registration,
    Key.IP_ADDRESS: _input("ip_address"),
    Key.WORKS: _works,
    Key.ORIGINALS: lambda facts, _words: _joined(facts.originals),
    Key.LOCATIONS: _locations,
    Key.EXPLANATION: _explanation,
    Key.OWNERSHIP: _input("ownership"),
    Key.REQUEST: lambda facts, words: facts.inputs.get("request", "").strip() or words.request,
}
