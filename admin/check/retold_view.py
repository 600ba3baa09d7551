"""A text that is similar in meaning, as the page of a check shows it."""

from dataclasses import dataclass
from typing import Final

from flask_babel import gettext as _

from admin.hits.direction_text import reason_in_words
from matcher.provenance.direction import Direction
from matcher.retellings.proof_words import PROOF, ProofReason
from matcher.retellings.retold_match import RetoldMatch
from storage.matches.direction_reasons import Reason
from storage.records.pages import PageRecord

SHOWN_SENTENCES: Final = 60
"""Pairs of sentences shown of one text."""


@dataclass(frozen=True, slots=True)
class AlikePair:
    """Two sentences that say the same."""

    left: str
    right: str
    particulars: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetoldView:
    """A text that says the same, in other words or in another language. `beside`: whether wording was found, too."""

    number: int
    found: RetoldMatch
    page: PageRecord
    beside: bool
    pairs: tuple[AlikePair, ...]
    left_out: int
    """Pairs left out."""

    @property
    def is_earlier(self) -> bool:
        """Whether the stored text is the earlier one, as far as is known."""
        return not self.found.direction.left_is_source

    @property
    def why_later(self) -> str | None:
        """As of `SourceView`."""
        return why_later(self.found.direction, self.page)

    @property
    def reasons(self) -> list[str]:
        """What proves it, in the viewer's language."""
        return [_proof_in_words(reason) for reason in self.found.proof]


def retold_view(number: int, match: RetoldMatch, text: str, *, beside: bool) -> RetoldView:
    """The view of a match by meaning of the checked `text`."""
    pairs = tuple(
        AlikePair(
            text[one.left_start : one.left_end], match.stored.body[one.right_start : one.right_end], one.particulars
        )
        for one in match.sentences[:SHOWN_SENTENCES]
    )
    return RetoldView(number, match, match.pages[0], beside, pairs, len(match.sentences) - len(pairs))


def why_later(direction: Direction, page: PageRecord) -> str | None:
    """What decided that the stored text is not the source; None where a date or the order of sightings did."""
    if direction.is_by_time:
        return None
    reason = direction.reasons[0]
    addresses = [reason.facts.get(name) for name in ("page", "other")] if isinstance(reason, Reason) else []
    names = {str(one): _("the checked text") for one in addresses if one} | {page.url: _("the source")}
    return reason_in_words(reason, names)


def _proof_in_words(reason: ProofReason) -> str:
    return str(_(PROOF[reason.kind], **reason.facts))
