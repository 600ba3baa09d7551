"""What proves a retelling, in words: in English for command line and JSON, and as msgids for the desk. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from storage.messages import N_
from storage.records.retellings import AlikeSentences

NAMED: Final = 8
"""Particulars that a sentence lists; the others are counted."""
Figure: TypeAlias = int | str


class ProofKind(StrEnum):
    """Kinds of proof; a kind never changes its meaning."""

    SENTENCES = "sentences"
    ORDER = "order"
    FIGURES = "figures"
    NO_FIGURES = "no-figures"
    PARTICULARS = "particulars"
    LEFT_OUT = "left-out"


PROOF: Final[Mapping[ProofKind, str]] = {
    ProofKind.SENTENCES: N_("sentences with a counterpart in the other text: %(count)s"),
    ProofKind.ORDER: N_("of these in the same order in both: %(count)s"),
    ProofKind.FIGURES: N_("figures in them that agree: %(count)s of %(most)s"),
    ProofKind.NO_FIGURES: N_("no figures in them that could agree"),
    ProofKind.PARTICULARS: N_(
        "names, terms and figures of both that texts on the same subject seldom have: %(count)s (%(named)s)"
    ),
    ProofKind.LEFT_OUT: N_("sentences of the source in between without a counterpart: %(count)s"),
}
"""In English; the desk translates them."""


@dataclass(frozen=True, slots=True)
class ProofReason:
    """One thing that proves a retelling, with its counts."""

    kind: ProofKind
    facts: Mapping[str, Figure]

    @property
    def said(self) -> str:
        """The sentence in English."""
        return PROOF[self.kind] % self.facts


def proof_of(
    sentences: Sequence[AlikeSentences],
    *,
    in_order: int,
    figures: tuple[int, int],
    particulars: Collection[str],
    left_out: int = 0,
) -> tuple[ProofReason, ...]:
    """Return what proves a retelling. `figures`: those that agree, and the most that could. `left_out`: sentences of
    the source.
    """
    shared, most = figures
    found = [ProofReason(ProofKind.SENTENCES, {"count": len(sentences)})]
    if in_order:
        found.append(ProofReason(ProofKind.ORDER, {"count": in_order}))
    if most:
        found.append(ProofReason(ProofKind.FIGURES, {"count": shared, "most": most}))
    else:
        found.append(ProofReason(ProofKind.NO_FIGURES, {}))
    if particulars:
        named = ", ".join(list(particulars)[:NAMED]) + ("…" if len(particulars) > NAMED else "")
        found.append(ProofReason(ProofKind.PARTICULARS, {"count": len(particulars), "named": named}))
    if left_out:
        found.append(ProofReason(ProofKind.LEFT_OUT, {"count": left_out}))
    return tuple(found)
