"""Of what both tell, the source has more names and figures: who lacks some has it from the other."""

from typing import Any

import numpy as np
import pytest

from matcher.meaning.encoded_text import EncodedText
from matcher.meaning.particulars import particulars_of
from matcher.meaning.retelling import Retelling
from matcher.meaning.sentence_pairs import SentencePair
from matcher.meaning.sentences import Sentence
from matcher.meaning.stretches import Stretch
from matcher.retellings.particulars_clue import OwnParticulars, RetoldPairs, own_particulars
from storage.matches.direction_reasons import Reason, ReasonCode
from storage.records.pages import Declared, PageRecord
from storage.types import FoundBy, Rights, SiteRole
from tests.support.factories import SEEN, facts


def a_text(*sentences: str) -> EncodedText:
    spans, at = [], 0
    for sentence in sentences:
        spans.append(Sentence(at, at + len(sentence)))
        at += len(sentence)
    nothing = np.zeros((len(spans), 8), dtype=np.float32)
    return EncodedText("".join(sentences), spans, nothing, nothing[:, 0], [particulars_of(one) for one in sentences])


def a_retelling(*pairs: tuple[int, int]) -> Retelling:
    found = tuple(SentencePair(left, right, 0.3, ()) for left, right in pairs)
    return Retelling(Stretch(found, 0, 1, 1.0), 0.9, 0.5, 0.5, (), (0, 0))


def a_page(role: SiteRole | None = None) -> PageRecord:
    fields: dict[str, Any] = {
        **{"id": 1, "url": "https://other.example/a", "host": "other.example", "site_id": None, "site_name": None},
        **{"owner_id": None, "role": role, "found_by": FoundBy.SPIDER, "first_seen_at": SEEN, "gone_at": None},
        **{"version_id": 1, "text_id": 1, "chars": 1, "fetched_at": SEEN, "title": "", "author": "", "language": ""},
        **{"declared": Declared(), "rights": Rights.UNKNOWN, "credit_lines": (), "credit_links": ()},
        **{"canonical_link": None, "last_modified": None},
    }
    return PageRecord(**fields)


SOURCE = a_text("引子 1999。", "箱子重 2500 克，花了 36 元。", "CSV 与 JSON 都能读。", "一共 17 天。", "尾声 2031。")


def test_what_stands_between_the_paired_sentences_counts() -> None:
    copy = a_text("箱子花了 36 元。", "一共 17 天，用了 88 度电。")
    found = own_particulars(a_retelling((1, 0), (3, 1)), SOURCE, copy)
    assert found == OwnParticulars(3, 1)  # 2500, csv, json; 88
    assert found.more == 2


def test_what_the_other_text_has_elsewhere_does_not_count() -> None:
    copy = a_text("箱子花了 36 元。", "一共 17 天。", "CSV、JSON、2500。")
    assert own_particulars(a_retelling((1, 0), (3, 1)), SOURCE, copy) == OwnParticulars(0, 0)


@pytest.mark.parametrize(("own", "left_is_source"), [(OwnParticulars(5, 1), True), (OwnParticulars(1, 5), False)])
def test_the_side_that_has_more_is_the_source(own: OwnParticulars, left_is_source: bool) -> None:
    page = a_page()
    pair = RetoldPairs(facts("query"), "", own).of(page)
    assert pair.direction.left_is_source is left_is_source
    (reason,) = [one for one in pair.direction.reasons if isinstance(one, Reason)]
    assert reason.code is ReasonCode.MORE_PARTICULARS
    assert reason.facts["count"] == 4


def test_one_more_tells_nothing() -> None:
    assert OwnParticulars(2, 1).more == 0


def test_no_clue_of_the_wording_speaks_against_a_registered_original() -> None:
    """The author of a submitted draft may have planted it."""
    page = a_page(SiteRole.ORIGINAL)
    query = facts("query", is_stored=False)
    pair = RetoldPairs(query, "", OwnParticulars(9, 0)).of(page)
    assert not pair.direction.left_is_source
