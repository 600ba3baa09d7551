"""A text that is similar in meaning, as the page of a check shows it."""

from dataclasses import dataclass
from typing import Final

from flask_babel import gettext as _

from admin.hits.direction_text import reason_in_words
from matcher.retellings.proof_words import PROOF, ProofKind
from storage.intake.check_records import CheckedPage, CheckedRetelling
from storage.matches.direction_reasons import Reason, decoded

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
    """A text that says the same, in other words or in another language. `is_there`: whether it is still stored."""

    number: int
    found: CheckedRetelling
    pairs: tuple[AlikePair, ...]
    left_out: int
    """Pairs left out."""
    is_there: bool = True

    @property
    def page(self) -> CheckedPage:
        return self.found.pages[0]

    @property
    def why_later(self) -> str | None:
        """As of `SourceView`."""
        return why_later(self.found.why_later, self.page.url)

    @property
    def reasons(self) -> list[str]:
        """What proves it, in the viewer's language."""
        return [str(_(PROOF[ProofKind(kind)], **facts)) for kind, facts in self.found.proof]


def retold_view(number: int, found: CheckedRetelling, text: str, body: str | None) -> RetoldView:
    """The view of a match by meaning of the checked `text`. `body`: of the stored one; None if it was removed."""
    if body is None:
        return RetoldView(number, found, (), 0, is_there=False)
    pairs = tuple(
        AlikePair(text[one.left_start : one.left_end], body[one.right_start : one.right_end], one.particulars)
        for one in found.sentences[:SHOWN_SENTENCES]
    )
    return RetoldView(number, found, pairs, len(found.sentences) - len(pairs))


def why_later(stored: str | None, url: str) -> str | None:
    """What decided that the stored text, at `url`, is not the source. `stored`: the clue as it is kept."""
    if stored is None:
        return None
    reason = decoded(stored)
    addresses = [reason.facts.get(name) for name in ("page", "other")] if isinstance(reason, Reason) else []
    names = {str(one): _("the checked text") for one in addresses if one} | {url: _("the source")}
    return reason_in_words(reason, names)
