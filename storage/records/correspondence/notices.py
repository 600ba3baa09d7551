"""Records of notices: their forms, drafts, the consent of a second person, and signed statements."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final


class NoticeForm(StrEnum):
    """To whom a letter is addressed, which decides the elements that it must have."""

    LETTER = "letter"
    """To the copier, in a wording of ours."""
    REGULATION = "regulation"
    """To a service provider in China: 信息网络传播权保护条例, Article 14."""
    WECHAT = "wechat"
    TOUTIAO = "toutiao"
    BAIDU = "baidu"
    DMCA = "dmca"
    """To a service provider in the United States: 17 U.S.C. 512(c)(3)."""
    DSA = "dsa"
    """To a hosting service in the European Union: Regulation (EU) 2022/2065, Article 16."""
    SEARCH = "search"
    """To a search engine, with lists of addresses: 17 U.S.C. 512(d)(3)."""


STATEMENTS: Final[Mapping[NoticeForm, int]] = {
    NoticeForm.LETTER: 0,
    NoticeForm.REGULATION: 1,
    NoticeForm.WECHAT: 1,
    NoticeForm.TOUTIAO: 1,
    NoticeForm.BAIDU: 1,
    NoticeForm.DMCA: 2,
    NoticeForm.DSA: 1,
    NoticeForm.SEARCH: 2,
}
"""How many statements the signer makes, each time that the notice is sent."""


class GateReason(StrEnum):
    """Why a second person must consent before a notice is sent."""

    LICENCE = "licence"
    """A licence is recorded for a named page, and its terms are broken."""
    CREDIT = "credit"
    """A named page names or links its source."""
    DIRECTION = "direction"
    """That ours was first has a confidence below `admin.letters.gate.SURE`."""
    MEANING = "meaning"
    """Of a named page, only the meaning is similar."""


class ConsentWay(StrEnum):
    SECOND_PERSON = "second-person"
    LATER = "later"
    """The same person, some time later, where nobody else may send."""


@dataclass(frozen=True, slots=True)
class Signed:
    """What a person stated. `signer`: the name typed as electronic signature; `wordings`: of the ticked statements."""

    signer: str
    wordings: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class StatementRecord:
    """`sending`: 1 for the first time that the letter was sent, 2 for the next."""

    sending: int
    position: int
    wording: str
    signer: str
    ticked_by: str
    ticked_at: datetime


@dataclass(frozen=True, slots=True)
class Consented:
    """What a letter needs consent for, and the text that was consented to: the beginning of its body."""

    reasons: frozenset[GateReason]
    text: str


@dataclass(frozen=True, slots=True)
class DraftRecord:
    """`inputs`: fields that a person filled in. `letter_id`: the letter that was made of it."""

    id: int
    case_id: int
    form: NoticeForm
    language: str
    inputs: Mapping[str, str]
    changed_at: datetime
    changed_by_id: int | None
    changed_by: str
    letter_id: int | None


@dataclass(frozen=True, slots=True)
class ConsentRecord:
    """That consent to a text was requested, and who gave it. `reasons`: values of `GateReason`, joined by commas."""

    id: int
    draft_id: int
    sha256: bytes
    reasons: str
    asked_at: datetime
    asked_by_id: int | None
    asked_by: str
    given_at: datetime | None
    given_by_id: int | None
    given_by: str
    way: ConsentWay | None
