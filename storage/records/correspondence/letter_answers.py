"""Records of answers to letters, and the law by which their terms are counted."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from storage.records.correspondence.letters import ReplyKind


class NoticeLaw(StrEnum):
    """The law under which the notice was made that is answered."""

    CHINA = "cn"
    """信息网络传播权保护条例."""
    DMCA = "us-dmca"
    """17 U.S.C. 512."""
    DSA = "eu-dsa"
    """Regulation (EU) 2022/2065."""
    OTHER = "other"
    """None of these, or unknown: no term is computed."""


@dataclass(frozen=True, slots=True)
class AnswerDates:
    """`received`: the day on which it reached us. `dated`: the date that it bears. `provider_received`: of a
    counter-notice, the day on which it reached the service; terms of 512(g) count from it.
    """

    received: date
    law: NoticeLaw = NoticeLaw.OTHER
    dated: date | None = None
    provider_received: date | None = None


@dataclass(frozen=True, slots=True)
class NewAnswer:
    kind: ReplyKind
    words: str
    dates: AnswerDates


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    id: int
    letter_id: int
    kind: ReplyKind
    words: str
    law: NoticeLaw
    dated: date | None
    received: date
    provider_received: date | None
    noted_at: datetime
    noted_by: str
