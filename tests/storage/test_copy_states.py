"""What looks at a page come to: a table, and what holds for every row of looks."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from storage.records.copy_states import RECHECKS_APART, CopyStanding, after_recheck
from storage.types import CopyState, Sight

START = datetime(2026, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)
LOOKS = st.lists(st.tuples(st.sampled_from(list(Sight)), st.integers(1, 72)), min_size=1, max_size=12)


def after(*sights: Sight, apart: timedelta = DAY) -> CopyStanding:
    standing: CopyStanding | None = None
    for number, sight in enumerate(sights):
        standing = after_recheck(standing, sight, START + number * apart)
    assert standing is not None
    return standing


def test_two_looks_that_found_nothing_make_a_removed_copy_and_not_before_their_time() -> None:
    assert after(Sight.THERE, Sight.ABSENT).state is CopyState.MISSING
    assert after(Sight.ABSENT, Sight.ABSENT).state is CopyState.REMOVED
    assert after(Sight.ABSENT, Sight.ABSENT, apart=RECHECKS_APART - timedelta(seconds=1)).state is CopyState.MISSING
    assert after(Sight.ABSENT, Sight.UNREADABLE, Sight.ABSENT).state is CopyState.REMOVED
    assert after(Sight.ABSENT, Sight.EDITED, Sight.ABSENT).state is CopyState.MISSING


def test_a_state_that_lasts_keeps_its_beginning() -> None:
    assert after(Sight.UNREADABLE, Sight.UNREADABLE, Sight.UNREADABLE).since == START
    assert after(Sight.ABSENT, Sight.ABSENT, Sight.ABSENT).since == START + DAY


@given(LOOKS)
def test_removed_needs_two_looks_apart_that_said_so_with_no_article_between(looks: list[tuple[Sight, int]]) -> None:
    standing, at = None, START
    said_so: list[datetime] = []
    for sight, hours in looks:
        at += timedelta(hours=hours)
        standing = after_recheck(standing, sight, at)
        if sight in (Sight.THERE, Sight.EDITED):
            said_so.clear()
        elif sight is Sight.ABSENT:
            said_so.append(at)
        is_removed = bool(said_so) and said_so[-1] - said_so[0] >= RECHECKS_APART
        assert (standing.state is CopyState.REMOVED) == is_removed
        assert standing.since <= at
