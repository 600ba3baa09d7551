"""The report of a case as one HTML page that needs nothing else: for a lawyer, a committee, or the other side."""

import base64
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from flask import render_template
from flask_babel import force_locale

from admin.dossier import Copy, Dossier
from admin.language import LANGUAGES
from admin.passages import PassagePair
from admin.printouts import STYLE
from crawler.evidence.files import EvidenceFolder
from crawler.evidence.pictures import picture_in
from storage.evidence_records import EvidenceKind

SHOWN_COPIES: Final = 10
"""Copies whose passages are printed; the others are in the table."""
SHOWN_PAIRS: Final = 12
"""Passages of one copy, longest first."""
MOST_PICTURES: Final = 4
MOST_PICTURE_BYTES: Final = 3_000_000

NO_TELLING: Final = 0.6
"""Below this confidence nobody should say who was first."""
SURE: Final = 0.85


@dataclass(frozen=True, slots=True)
class ShownCopy:
    number: int
    copy: Copy
    pairs: tuple[PassagePair, ...]
    left_out: int

    @property
    def first_known(self) -> datetime:
        """The earliest time at which the copy is known to have stood there: as declared, else as seen."""
        return self.copy.page.declared.at or self.copy.page.first_seen_at

    @property
    def certainty(self) -> str:
        """What may be said of who was first: `theirs`, `none`, `probably` or `surely`."""
        if self.copy.hit is None or self.copy.hit.confidence < NO_TELLING:
            return "none"
        if not self.copy.is_ours_the_source:
            return "theirs"
        return "surely" if self.copy.hit.confidence >= SURE else "probably"


@dataclass(frozen=True, slots=True)
class Picture:
    number: int
    url: str
    at: datetime
    source: str
    """A data: address with the picture in it."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a reader has to know who reads nothing else."""

    pages: int
    standing: int
    """Of these, pages that hold a copy as far as is known."""
    most_chars: int
    most_share: float
    credits: tuple[tuple[str, int], ...]
    since: datetime | None
    certainty: str


def report_html(dossier: Dossier, language: str, *, folder: EvidenceFolder | None, stands_alone: bool = True) -> str:
    """The report in `language`, whatever language the viewer reads. `stands_alone`: with its style inside."""
    copies = shown_copies(dossier)
    with force_locale(language):
        return render_template(
            "report.html",
            dossier=dossier,
            summary=_summary(dossier, copies),
            copies=copies,
            pictures=_pictures(dossier, folder),
            style=STYLE.read_text("utf-8") if stands_alone else None,
            chosen_language=language,
        )


def reports(dossier: Dossier, folder: EvidenceFolder | None) -> dict[str, str]:
    """In every language there is."""
    return {language: report_html(dossier, language, folder=folder) for language in LANGUAGES}


def shown_copies(dossier: Dossier) -> tuple[ShownCopy, ...]:
    shown = []
    for number, copy in enumerate(dossier.copies, start=1):
        pairs, left_out = dossier.pairs_of(copy, SHOWN_PAIRS) if number <= SHOWN_COPIES else ((), 0)
        shown.append(ShownCopy(number, copy, pairs, left_out))
    return tuple(shown)


def _summary(dossier: Dossier, copies: tuple[ShownCopy, ...]) -> Summary:
    found = [shown.copy.found for shown in copies]
    standing = [one for one in found if one.stands]
    certainties = Counter(shown.certainty for shown in copies)
    worst = next((name for name in ("theirs", "none", "probably", "surely") if certainties[name]), "none")
    return Summary(
        pages=len(found) + dossier.copies_left_out,
        standing=len(standing),
        most_chars=max((one.chars for one in found), default=0),
        most_share=max((one.our_share for one in found), default=0.0),
        credits=tuple(sorted(Counter(one.credit.value for one in found).items())),
        since=min((shown.first_known for shown in copies), default=None),
        certainty=worst,
    )


def _pictures(dossier: Dossier, folder: EvidenceFolder | None) -> list[Picture]:
    """The newest screenshots that are kept."""
    found: list[Picture] = []
    for entry in reversed(dossier.entries):
        is_picture = entry.kind is EvidenceKind.SCREENSHOT and entry.record is not None and entry.removed_by is None
        if folder is None or not is_picture or entry.record is None or len(found) == MOST_PICTURES:
            continue
        data = picture_in(folder.read(entry.record) or b"", max_bytes=MOST_PICTURE_BYTES)
        if data is not None:
            source = f"data:image/png;base64,{base64.b64encode(data).decode('ascii')}"
            found.append(Picture(entry.number, entry.url, entry.at, source))
    return found
