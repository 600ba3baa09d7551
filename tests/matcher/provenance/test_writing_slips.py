"""Slips that writers make in both directions never tell who was first; a disguise still does."""

from itertools import permutations

import pytest

from fingerprint.compute import analyse
from fingerprint.normalize import canonicalize
from matcher.boilerplate.classifier import gram_index
from matcher.judgement.judge import judge
from matcher.provenance.copy_damage import FEW_REPLACED, CopyDamage, copy_damage_of
from matcher.provenance.direction import direction_between
from matcher.provenance.writing_slips import GROUPS, slip_between
from storage.records.pages import Declared
from storage.types import DateOrigin, Precision, Rights, SiteRole
from tests.support.disguises import swap_homophones
from tests.support.factories import SEEN, STORIES, facts, story

BROKEN = CopyDamage(40, left_words=900, right_words=700, left_cut=True)
"""Words of the left text are broken, and it breaks off: as much as a wording can say."""


def worn(left: str, right: str) -> CopyDamage:
    return copy_damage_of(
        judge(analyse(left).initials, analyse(right).initials, boilerplate=gram_index(())), left, right
    )


def with_slips(text: str) -> tuple[str, int]:
    """Every 的, 在, 做, 他, 那 as somebody else might have typed it, and how many these are."""
    slips = str.maketrans("的在做作他她那地", "地再作做她他哪的")
    changed = text.translate(slips)
    return changed, sum(one != other for one, other in zip(text, changed, strict=True))


@pytest.mark.parametrize("slug", STORIES)
def test_slips_are_no_replaced_characters_in_either_direction(slug: str) -> None:
    text = story(slug)
    slipped, count = with_slips(text)

    assert count > 20
    assert worn(slipped, text).replaced == worn(text, slipped).replaced == 0


@pytest.mark.parametrize("slug", STORIES)
def test_a_disguise_among_slips_is_still_seen(slug: str) -> None:
    text = story(slug)
    disguised = swap_homophones(with_slips(text)[0], share=0.2, seed=3)
    found = worn(text, disguised)

    assert found.replaced > 10 * FEW_REPLACED
    assert found.left_words < found.right_words
    assert worn(disguised, text) == CopyDamage(found.replaced, found.right_words, found.left_words), "the same mirrored"


@pytest.mark.parametrize("group", GROUPS)
def test_all_of_a_group_are_slips_of_each_other_in_both_scripts(group: str) -> None:
    assert len(group) > 1
    assert all(canonicalize(char).text == char for char in group), "written as texts are compared"
    assert all(slip_between(one, other) for one, other in permutations(group, 2))
    assert {slip_between(one, other) for one, other in permutations(group, 2)} <= set("".join(GROUPS))
    assert slip_between("後", "候") == slip_between("候", "後") == slip_between("后", "候")
    assert slip_between("桥", "乔") is None


@pytest.mark.parametrize(
    "original",
    [{"role": SiteRole.ORIGINAL}, {"rights": Rights.OWN}, {"site_rights": Rights.OWN}],
    ids=["original site", "own article", "own by the site's rule"],
)
def test_no_clue_of_the_wording_outweighs_a_registered_original_of_ours(original: dict[str, object]) -> None:
    """D5: a draft without any date was taken for the origin, at 90 %, of an article that is registered as ours."""
    ours = facts("ours", **original, text="老桥通车。\n点击阅读原文")
    draft = facts("draft", is_stored=False, first_seen_at=SEEN.replace(year=2027))
    mirrored = CopyDamage(BROKEN.replaced, BROKEN.right_words, BROKEN.left_words, right_cut=True)

    for found in (
        direction_between(ours, draft, BROKEN).left_is_source,
        not direction_between(draft, ours, mirrored).left_is_source,
    ):
        assert found


def test_where_the_draft_has_a_date_or_ours_is_none_the_wording_counts() -> None:
    ours = facts("ours", role=SiteRole.ORIGINAL)
    dated = Declared(SEEN, Precision.DAY, DateOrigin.META)

    assert not direction_between(ours, facts("page"), BROKEN).left_is_source
    assert not direction_between(ours, facts("draft", is_stored=False, declared=dated), BROKEN).left_is_source
    assert not direction_between(facts("other"), facts("draft", is_stored=False), BROKEN).left_is_source


def test_the_first_reason_is_one_that_speaks_for_the_answer() -> None:
    dated = Declared(SEEN, Precision.MINUTE, DateOrigin.JSON_LD)
    later = Declared(SEEN.replace(month=9), Precision.MINUTE, DateOrigin.JSON_LD)
    found = direction_between(
        facts("left", declared=dated, role=SiteRole.ORIGINAL), facts("right", declared=later), CopyDamage(40, 900, 700)
    )

    assert found.left_is_source
    assert found.is_by_time
    assert "dated" in found.reasons[0], "though a single other clue is stronger"
    assert "they break words of" in found.reasons[-1]
    assert not direction_between(facts("left"), facts("right"), CopyDamage(40, 700, 900)).is_by_time
    assert not direction_between(facts("a"), facts("b")).is_by_time
