"""Letters and notices for programs, with what came back and the terms that run. The desk writes and sends them."""

from collections.abc import Sequence
from typing import Any, Final

from admin.api.asking import Caller
from admin.api.correspondence.letter_answers import AnswersAnswer, LetterItem
from admin.api.problems import refuse
from admin.api.routes import READS, Routes
from admin.letters.answer_form import law_of, terms_of_letter
from admin.web.db_session import database
from storage.errors import NotKnown
from storage.letters import answers, listing
from storage.records.correspondence.letters import LetterRecord, LetterState

LEFT: Final = frozenset({LetterState.SENT, LetterState.UNKNOWN})
"""No term runs before a letter left."""

routes = Routes("letters", "Letters to copiers, and notices to services.")


@routes.get("/<key:letter_id>", READS, answer=LetterItem)
def get_letter(_caller: Caller, _asked: dict[str, Any], letter_id: int) -> object:
    """One letter with its answers and terms."""
    return with_answers([_letter(letter_id)])[0]


@routes.get("/<key:letter_id>/answers", READS, answer=AnswersAnswer)
def answers_of_letter(_caller: Caller, _asked: dict[str, Any], letter_id: int) -> object:
    """The answers to a letter, newest first, and the terms that run after the newest."""
    (found,) = with_answers([_letter(letter_id)])
    return {"items": found["answers"], "terms": found["terms"]}


def with_answers(letters: Sequence[LetterRecord]) -> list[dict[str, Any]]:
    """The letters as their schema takes them, with one query for all answers."""
    came = answers.answers_of_letters(database(), [letter.id for letter in letters])
    return [
        {
            "letter": letter,
            "law": law_of(letter),
            "answers": came.get(letter.id, []),
            "terms": terms_of_letter(letter, came.get(letter.id, [])) if letter.state in LEFT else [],
        }
        for letter in letters
    ]


def _letter(letter_id: int) -> LetterRecord:
    try:
        return listing.get_letter(database(), letter_id)
    except NotKnown:
        refuse(404, f"There is no letter {letter_id}.")
