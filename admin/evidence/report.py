"""The report of a case as one self-contained HTML page: for a lawyer, a committee, or the other side."""

import base64
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from flask import render_template
from flask_babel import force_locale

from admin.evidence.dossier import Copy, Dossier
from admin.evidence.pdf import style
from admin.evidence.precedence import EVEN, Precedence, documented
from admin.identity.language import LANGUAGES
from admin.passages.alike_sentences import AlikeTexts
from admin.passages.passage_pairs import PassagePair
from crawler.evidence.pictures import picture_in
from crawler.evidence.record_files import EvidenceFolder
from storage.evidence.screenshots import PICTURED
from storage.records.differences import DifferenceType
from storage.types import BY_MEANING, Precision

SHOWN_COPIES: Final = 10
"""Copies whose passages are printed; all copies are in the table."""
SHOWN_PAIRS: Final = 12
"""Passages of one copy, the longest ones."""
MOST_PICTURES: Final = 4
MOST_PICTURE_BYTES: Final = 3_000_000

NO_TELLING: Final = 0.6
"""Confidence below which the report does not say who was first."""
SURE: Final = 0.85


@dataclass(frozen=True, slots=True)
class ShownCopy:
    number: int
    copy: Copy
    pairs: tuple[PassagePair, ...]
    left_out: int
    precedence: Precedence | None
    """None where the pair does not match any more."""
    alike: AlikeTexts | None = None
    """What the two texts say in other words."""

    @property
    def first_known(self) -> tuple[datetime, Precision]:
        """The earliest time at which the copy is known to have existed: as declared, else as first seen."""
        declared = self.copy.page.declared
        return (
            (self.copy.page.first_seen_at, Precision.MINUTE)
            if declared.at is None
            else (declared.at, declared.precision)
        )

    @property
    def certainty(self) -> str:
        """How clearly the report may say who was first: `theirs`, `none`, `probably` or `surely`."""
        ours_first = self._ours_first
        if ours_first <= 1 - NO_TELLING:
            return "theirs"
        if ours_first < NO_TELLING:
            return "none"
        return "surely" if ours_first >= SURE else "probably"

    @property
    def confidence(self) -> float:
        """Confidence in the page that is said to be first; 0.5 where nothing is known."""
        return max(self._ours_first, 1 - self._ours_first)

    @property
    def _ours_first(self) -> float:
        if self.precedence is None:
            return EVEN
        source_first = self.precedence.source_first
        return source_first if self.copy.is_ours_the_source else 1 - source_first


@dataclass(frozen=True, slots=True)
class Picture:
    number: int
    url: str
    at: datetime
    source: str
    """The picture as a data: URL."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary at the top of the report."""

    pages: int
    standing: int
    """Pages that still hold a copy, as far as is known."""
    listed: int
    """Pages listed; for `captured` of them a response is kept."""
    captured: int
    most_chars: int
    most_share: float
    """Of the copies that wording proves; where there is none, of the retellings."""
    is_by_meaning: bool
    credits: tuple[tuple[str, int], ...]
    since: tuple[datetime, Precision] | None
    certainty: str


def report_html(dossier: Dossier, language: str, *, folder: EvidenceFolder | None, stands_alone: bool = True) -> str:
    """The report in `language`, whatever the viewer's language is. `stands_alone`: with its style sheet inside."""
    copies = shown_copies(dossier)
    with force_locale(language):
        return render_template(
            "evidence/report.html",
            dossier=dossier,
            summary=_summary(dossier, copies),
            copies=copies,
            pictures=_pictures(dossier, folder),
            differences=[kind for kind in DifferenceType if kind is not DifferenceType.SAME],
            style=style() if stands_alone else None,
            chosen_language=language,
        )


def reports(dossier: Dossier, folder: EvidenceFolder | None) -> dict[str, str]:
    """The report in every language."""
    return {language: report_html(dossier, language, folder=folder) for language in LANGUAGES}


def shown_copies(dossier: Dossier) -> tuple[ShownCopy, ...]:
    shown = []
    for number, copy in enumerate(dossier.copies, start=1):
        pairs, left_out = dossier.pairs_of(copy, SHOWN_PAIRS) if number <= SHOWN_COPIES else ((), 0)
        found = copy.hit or copy.retelling
        precedence = None if found is None else documented(found)
        alike = dossier.alike_of(copy) if number <= SHOWN_COPIES else None
        shown.append(ShownCopy(number, copy, pairs, left_out, precedence, alike))
    return tuple(shown)


def _summary(dossier: Dossier, copies: tuple[ShownCopy, ...]) -> Summary:
    found = [shown.copy.found for shown in copies]
    standing = [one for one in found if one.stands]
    certainties = Counter(shown.certainty for shown in copies)
    worst = next((name for name in ("theirs", "none", "probably", "surely") if certainties[name]), "none")
    proved = [one for one in found if one.kind not in BY_MEANING]
    measured = proved or found
    return Summary(
        pages=len(found) + dossier.copies_left_out,
        standing=len(standing),
        listed=len(found),
        captured=sum(one.evidence.is_kept for one in found),
        most_chars=max((one.chars for one in measured), default=0),
        most_share=max((one.our_share for one in measured), default=0.0),
        is_by_meaning=bool(found) and not proved,
        credits=tuple(sorted(Counter(one.credit.value for one in found).items())),
        since=min((shown.first_known for shown in copies), key=lambda known: known[0], default=None),
        certainty=worst,
    )


def _pictures(dossier: Dossier, folder: EvidenceFolder | None) -> list[Picture]:
    """The newest kept screenshots."""
    found: list[Picture] = []
    for entry in reversed(dossier.entries):
        is_picture = entry.kind in PICTURED and entry.record is not None and entry.removed_by is None
        if folder is None or not is_picture or entry.record is None or len(found) == MOST_PICTURES:
            continue
        data = picture_in(folder.read(entry.record) or b"", max_bytes=MOST_PICTURE_BYTES)
        if data is not None:
            source = f"data:image/png;base64,{base64.b64encode(data).decode('ascii')}"
            found.append(Picture(entry.number, entry.url, entry.at, source))
    return found
