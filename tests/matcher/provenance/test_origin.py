"""The likely origin of a story: by all clocks, not by the order of our visits."""

from datetime import timedelta

import pytest

from matcher.provenance.origin import likely_origin
from matcher.provenance.page_facts import PageFacts
from storage.records.pages import Declared
from storage.types import DateOrigin, Precision
from tests.support.factories import SEEN, facts


def page(name: str, *, seen: float, said: float | None = None, credits: str = "") -> PageFacts:
    at = None if said is None else SEEN + timedelta(hours=said)
    return facts(
        name,
        site_name=f"{name}晚报",
        first_seen_at=SEEN + timedelta(hours=seen),
        declared=Declared(at, Precision.MINUTE if at else Precision.NONE, DateOrigin.META if at else DateOrigin.NONE),
        credit_lines=(f"来源：{credits}晚报",) if credits else (),
    )


def test_where_nothing_else_tells_the_first_seen_is_the_origin() -> None:
    assert likely_origin([page("乙城", seen=5), page("甲城", seen=1), page("丙城", seen=9)]) == 1


def test_an_earlier_date_counts_more_than_an_earlier_visit() -> None:
    assert likely_origin([page("甲城", seen=1, said=-2), page("乙城", seen=50, said=-90), page("丙城", seen=9)]) == 1


def test_a_chain_leads_back_to_who_credits_nobody() -> None:
    chain = [page("丙城", seen=1, credits="乙城"), page("乙城", seen=2, credits="甲城"), page("甲城", seen=3)]

    assert likely_origin(chain) == 2
    assert likely_origin(chain[::-1]) == 0


def test_one_page_is_its_own_origin_and_none_has_none() -> None:
    assert likely_origin([page("甲城", seen=1)]) == 0
    with pytest.raises(ValueError, match="no pages"):
        likely_origin([])
