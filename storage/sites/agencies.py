"""News agencies, and whose text a page's own credits say it is. Pure; lines must be folded (see `credit_lines`)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from storage.sites.credit_lines import LINE_CHARS, credits_name
from storage.types import Rights

AGENCIES: Final[Mapping[str, tuple[str, ...]]] = {
    "新华社": ("新华社", "新华通讯社", "新华网", "新华视点", "xinhua", "xinhua news agency", "xinhuanet"),
    "中新社": ("中新社", "中国新闻社", "中新网", "中国新闻网", "china news service"),
    "人民网": ("人民网",),
    "中通社": ("中通社", "香港中国通讯社"),
    "中央社": ("中央社", "中央通讯社", "focus taiwan"),
    "Reuters": ("路透社", "路透", "reuters", "thomson reuters"),
    "AFP": ("法新社", "afp", "agence france-presse"),
    "AP": ("美联社", "ap", "the associated press", "associated press", "ap news"),
    "UPI": ("合众国际社", "upi", "united press international"),
    "Bloomberg": ("彭博社", "彭博新闻社", "bloomberg", "bloomberg news"),
    "Dow Jones": ("道琼斯通讯社", "dow jones newswires"),
    "dpa": ("德新社", "dpa", "deutsche presse-agentur"),
    "EFE": ("埃菲社", "efe", "agencia efe"),
    "ANSA": ("安莎社", "ansa"),
    "PA": ("英国新闻联合社", "pa media", "press association"),
    "TASS": ("塔斯社", "俄塔社", "tass", "itar-tass"),
    "RIA": ("俄新社", "俄罗斯卫星通讯社", "卫星通讯社", "ria novosti", "sputnik"),
    "Interfax": ("国际文传电讯社", "国际文传通讯社", "interfax"),
    "Kyodo": ("共同社", "共同通讯社", "kyodo", "kyodo news"),
    "Jiji": ("时事社", "时事通讯社", "jiji press"),
    "Yonhap": ("韩联社", "yonhap", "yonhap news agency"),
    "KCNA": ("朝中社", "朝鲜中央通讯社", "kcna"),
    "VNA": ("越通社", "越南通讯社", "vietnam news agency"),
    "Bernama": ("马新社", "bernama"),
    "Antara": ("安塔拉通讯社", "antara news"),
    "PTI": ("印度报业托拉斯", "press trust of india"),
    "ANI": ("亚洲国际新闻社", "asian news international"),
    "AAP": ("澳联社", "澳新社", "australian associated press"),
    "CP": ("加通社", "the canadian press", "canadian press"),
    "Anadolu": ("阿纳多卢通讯社", "阿纳多卢社", "anadolu", "anadolu agency"),
    "IRNA": ("伊通社", "伊朗伊斯兰共和国通讯社", "irna"),
    "MENA": ("中东社", "中东通讯社", "middle east news agency"),
    "Efe-Latam": ("拉美社", "prensa latina"),
}
"""By displayed name: the agency's names in credits, in lower case."""

HEAD_CHARS: Final = 160
"""A dateline is at the very beginning of a text, or after a headline that was extracted with it."""

_ALL_NAMES: Final = {name: agency for agency, names in AGENCIES.items() for name in names}
_CHINESE: Final = "|".join(re.escape(name) for name in sorted(_ALL_NAMES, key=len, reverse=True) if not name.isascii())
_LATIN: Final = "|".join(re.escape(name) for name in sorted(_ALL_NAMES, key=len, reverse=True) if name.isascii())
_MONTH: Final = r"(?: \d{1,2}+ | [一二三四五六七八九十]{1,3}+ ) 月"
_DAY: Final = r"(?: \d{1,2}+ | [一二三四五六七八九十廿]{1,3}+ ) 日"
_DATELINE: Final = re.compile(
    rf"""(?:^|[\n(【\[]) \s{{0,8}}
        (?P<chinese>{_CHINESE}) (?:\(微博\))? [^\s，,。:\n]{{0,12}}? \s? (?:{_MONTH})? (?:{_DAY})? (?:综合外电)?
        (?: 电 | 专电 | 讯 | 消息 ) (?![影视话子台])
      | (?:^|\n) [^\n]{{0,48}}? \( (?P<latin>{_LATIN}) \) \s? (?: -{{1,2}} | [–—] )
    """,
    re.VERBOSE,
)
"""新华社北京5月4日电, LONDON (Reuters) -"""
_PLACE: Final = r"(?:\(微博\))? [^\s,。:;!?()\d]{0,12}? \s?"
_BEHIND_A_HEADLINE: Final = re.compile(
    rf"""(?:据|综合) (?P<taken>{_CHINESE}) {_PLACE} (?:{_MONTH} {_DAY})? \s? (?:专?电|讯) (?=[\s(])
      | (?P<agency>{_CHINESE}) {_PLACE} {_MONTH} {_DAY} \s? 专?电 (?![影视话子台报])
    """,
    re.VERBOSE,
)
"""Inside a line, only certain datelines count: with a date, or 据新华社电 and a space."""
_MENTIONED: Final = frozenset(",;、“‘\"'「『《据引合又")
"""Text before an agency that a sentence quotes: “…，据新华社5月4日电，…”."""


def agency_of(credit_lines: Sequence[str], head: str = "") -> str | None:
    """Return the agency named by folded credit lines or by the dateline at the folded head of a text, if any."""
    by_dateline = _of_dateline(head[:HEAD_CHARS])
    if by_dateline is not None:
        return by_dateline
    for line in (whole[:LINE_CHARS] for whole in credit_lines):
        for name, agency in _ALL_NAMES.items():
            if name in line and credits_name(line, name, is_credit_line=True):
                return agency
    return None


def _of_dateline(head: str) -> str | None:
    found = _DATELINE.search(head)
    if found is not None:
        return _ALL_NAMES[found["chinese"] or found["latin"]]
    for glued in _BEHIND_A_HEADLINE.finditer(head):
        if head[: glued.start()].rstrip()[-1:] not in _MENTIONED:
            return _ALL_NAMES[glued["taken"] or glued["agency"]]
    return None


def rights_of(stated: Rights, *, rule: Rights, agency: str | None, own_names: Iterable[str] = ()) -> Rights:
    """Return whose text it is: the stated rights, else those of the site's rule, unless an agency is credited.

    An agency's own site credits itself: `own_names` are folded names of the site and its owner. Rights stated as
    licensed in stay so.
    """
    known = stated if stated is not Rights.UNKNOWN else rule
    if agency is None or known is Rights.LICENSED_IN:
        return known
    names = AGENCIES[agency]
    is_ours = any(name in own or own in names for own in own_names if own for name in names)
    return known if is_ours else Rights.AGENCY
