"""The steps about meaning: does a look-up by meaning find the other page, and does one text retell the other."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from matcher.explanation.sentences import Sentence, StepKind
from matcher.explanation.text_steps import SHOWN_DIGITS, Figure, Step
from matcher.meaning.encoders.encoder import EncoderUnavailable
from matcher.retellings.judge_pair import judge_pair
from storage.types import RetellingKind

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from matcher.meaning.retelling import Retelling
    from matcher.retellings.check_by_meaning import OpenSearch
    from storage.records.pages import PageRecord


def meaning_steps(
    session: "Session",
    left: tuple["PageRecord", str],
    right: tuple["PageRecord", str],
    open_search: "OpenSearch",
) -> Iterator[Step]:
    """Yield the steps of the comparison of two pages, with their texts, by meaning. One that was not made is one step
    that says why.
    """
    try:
        found = judge_pair(session, open_search(session), left, right)
    except EncoderUnavailable as error:
        yield Step.of(StepKind.MEANING, None, Sentence.NO_MEANING, {}, why=str(error))
        return
    rank = found.rank
    sentence = Sentence.NO_MEANING_CANDIDATE if rank is None else Sentence.MEANING_CANDIDATE
    yield Step.of(StepKind.MEANING_LOOK_UP, rank is not None, sentence, {"rank": rank, "encoder": found.encoder})
    yield proof_step(found.retelling, found.kind)


def proof_step(retelling: "Retelling | None", kind: RetellingKind | None) -> Step:
    """Return what the proof says of two texts; a guard that holds back a high score is named."""
    if retelling is None:
        return Step.of(StepKind.MEANING, False, Sentence.NOT_ALIKE, {})
    shared, most = retelling.figures
    figures: dict[str, Figure] = {
        "score": round(retelling.score, SHOWN_DIGITS),
        "needed": retelling.needed,
        "sentences": len(retelling.stretch.pairs),
        "in_order": retelling.stretch.in_order,
        "figures_shared": shared,
        "figures_most": most,
        "particulars": len(retelling.particulars),
        "a_share": round(retelling.left_share, SHOWN_DIGITS),
        "b_share": round(retelling.right_share, SHOWN_DIGITS),
    }
    return Step.of(StepKind.MEANING, retelling.is_retold, _sentence(retelling, kind), figures)


def _sentence(retelling: "Retelling", kind: RetellingKind | None) -> Sentence:
    if retelling.is_retold:
        return Sentence.TRANSLATED if kind is RetellingKind.TRANSLATED else Sentence.RETOLD
    if retelling.score >= retelling.needed:
        return Sentence.OTHER_FIGURES if retelling.has_other_figures else Sentence.ONE_SENTENCE
    return Sentence.NOT_RETOLD
