"""Which matches make a case of ours, and what the licences say: pure rules on facts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from matcher.cases.case_rule import Because, CaseRule, would_open_case
from matcher.cases.permissions import UNLICENSED, Permission, permission_for
from matcher.cases.rights import WITNESSES, is_wire_story, may_be_wire_story
from matcher.judgement.overlap import Overlap
from matcher.provenance.direction import Direction
from matcher.provenance.page_facts import PageFacts
from storage.records.cases import LicenceRecord, LicenceTerms
from storage.records.pages import Declared
from storage.types import (
    CaseQueue,
    Credit,
    DateOrigin,
    FoundBy,
    LicenceTerm,
    Precision,
    Rights,
    SiteRole,
    Standing,
)
from tests.support.factories import SEEN, facts

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WE_FIRST, THEY_FIRST = Direction(True, 0.9, ()), Direction(False, 0.9, ())
MUCH = Overlap(chars=800, our_share=0.9, their_share=0.9)


def ours(**fields: Any) -> PageFacts:
    plain = {"role": SiteRole.ORIGINAL, "rights": Rights.OWN, "owner_id": 1, "owner_key": "owner:1", "author": "王记者"}
    return facts("ours", **(plain | fields))


def theirs(**fields: Any) -> PageFacts:
    return facts("theirs", **({"role": SiteRole.WATCHED, "owner_id": 2, "owner_key": "owner:2"} | fields))


def dated(at: datetime, precision: Precision = Precision.MINUTE) -> Declared:
    return Declared(at, precision, DateOrigin.META)


def because(left: PageFacts, right: PageFacts, direction: Direction = WE_FIRST, **fields: Any) -> tuple[bool, Because]:
    found = would_open_case(left, right, direction, fields.pop("taken", MUCH), **fields)
    return found.opens, found.because


def test_a_copy_of_ours_makes_a_case() -> None:
    found = would_open_case(ours(), theirs(), WE_FIRST, MUCH)

    assert (found.opens, found.because, found.queue) == (True, Because.COPIED, CaseQueue.COPIED)
    assert (found.ours, found.theirs) == (ours(), theirs())


def test_whichever_page_is_asked_about_the_decision_is_the_same() -> None:
    found = would_open_case(theirs(), ours(), THEY_FIRST, MUCH)

    assert (found.opens, found.queue, found.ours) == (True, CaseQueue.COPIED, ours())


def test_where_they_were_first_we_may_be_the_copier() -> None:
    found = would_open_case(ours(), theirs(), THEY_FIRST, MUCH, permission=Permission(Standing.LICENSED, 3))

    assert (found.opens, found.queue, found.permission) == (True, CaseQueue.WE_MAY_BE_COPIER, UNLICENSED)
    assert because(ours(), theirs(), Direction(False, 0.5, ())) == (True, Because.COPIED)


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        (theirs(), theirs(owner_key="owner:3"), Because.NOT_OURS),
        (ours(), theirs(owner_key="owner:1"), Because.SAME_OWNER),
        (ours(rights=Rights.AGENCY), theirs(), Because.WIRE_STORY),
        (ours(credit_lines=("来源：新华社",)), theirs(), Because.WIRE_STORY),
        (ours(text="新华社北京5月4日电（记者 李四）老桥通车了。"), theirs(), Because.WIRE_STORY),
        (ours(rights=Rights.LICENSED_IN), theirs(), Because.NO_RIGHTS),
        (ours(rights=Rights.UNKNOWN), theirs(), Because.NO_RIGHTS),
    ],
)
def test_what_is_not_ours_to_claim_makes_no_case(left: PageFacts, right: PageFacts, reason: Because) -> None:
    assert because(left, right) == (False, reason)


def test_where_nothing_was_said_of_an_article_its_sites_rule_holds() -> None:
    assert because(ours(rights=Rights.UNKNOWN, site_rights=Rights.OWN), theirs()) == (True, Because.COPIED)


def test_a_copier_who_credits_an_agency_does_not_take_our_story_from_us() -> None:
    assert because(ours(), theirs(rights=Rights.AGENCY, credit_lines=("来源：新华社",))) == (True, Because.COPIED)


@pytest.mark.parametrize(
    ("taken", "opens"),
    [
        (Overlap(150, 0.1, 0.05), True),
        (Overlap(149, 0.1, 0.05), False),
        (Overlap(60, 0.3, 0.05), True),
        (Overlap(60, 0.05, 0.3), True),
        (Overlap(60, 0.29, 0.29), False),
    ],
)
def test_from_150_characters_or_30_percent_on_it_is_a_case(taken: Overlap, opens: bool) -> None:
    assert would_open_case(ours(), theirs(), WE_FIRST, taken).opens is opens


def test_the_bounds_are_settings() -> None:
    strict = CaseRule(min_chars=1000, min_share=0.95)

    assert because(ours(), theirs(), rule=strict) == (False, Because.TOO_LITTLE)


def test_a_licensed_copy_makes_no_case_and_a_breach_makes_one() -> None:
    broken = Permission(Standing.BREACH, 3, (LicenceTerm.NO_LINK,))

    assert because(ours(), theirs(), permission=Permission(Standing.LICENSED, 3)) == (False, Because.LICENSED)
    assert because(ours(), theirs(), permission=broken) == (True, Because.BREACH)


def witness(number: int, **fields: Any) -> PageFacts:
    return facts(f"wire{number}", owner_key=f"owner:{10 + number}", credit_lines=("来源：新华社",), **fields)


def test_an_older_page_that_credits_an_agency_makes_the_story_the_agencys() -> None:
    assert is_wire_story(ours(), [witness(1, first_seen_at=SEEN - HOUR)])
    assert is_wire_story(ours(declared=dated(SEEN)), [witness(1, declared=dated(SEEN - DAY), first_seen_at=SEEN + DAY)])
    assert because(ours(), theirs(), is_wire=True) == (False, Because.WIRE_STORY)


def test_a_later_page_that_credits_an_agency_proves_nothing() -> None:
    assert not is_wire_story(ours(), [witness(number, first_seen_at=SEEN + HOUR) for number in range(9)])
    assert not is_wire_story(ours(), [facts("older", owner_key="owner:9", first_seen_at=SEEN - HOUR)])


def test_several_owners_who_credit_an_agency_prove_it_where_no_date_tells_who_was_first() -> None:
    imported = [witness(number, found_by=FoundBy.IMPORT) for number in range(WITNESSES)]

    assert is_wire_story(ours(), imported)
    assert not is_wire_story(ours(), imported[:-1])
    assert not is_wire_story(ours(), imported[:-1] * 5)


def test_one_other_owner_who_credits_an_agency_makes_a_person_look_first() -> None:
    undated = witness(1, found_by=FoundBy.IMPORT)

    assert may_be_wire_story(ours(), theirs(), [undated])
    assert not may_be_wire_story(ours(), theirs(), [witness(1, first_seen_at=SEEN + HOUR)]), "later than ours"
    assert not may_be_wire_story(ours(), theirs(), [replace(undated, owner_key=theirs().owner_key)]), "the copier"
    assert not may_be_wire_story(ours(), theirs(), [replace(undated, owner_key=ours().owner_key)]), "ourselves"
    assert not may_be_wire_story(ours(), theirs(), [replace(undated, credit_lines=())])


PUBLISHED = datetime(2026, 3, 1, 8, tzinfo=UTC)
SOURCE = replace(ours(declared=dated(PUBLISHED)), url="https://ours.example/news/1")
COPY = theirs(declared=dated(PUBLISHED + 2 * DAY))


def licence(number: int = 1, *, owner_id: int | None = 1, copier_id: int | None = 2, **terms: Any) -> LicenceRecord:
    return LicenceRecord(number, owner_id, copier_id, LicenceTerms(**terms))


def permitted(*granted: LicenceRecord, copy: PageFacts = COPY, credit: Credit = Credit.NONE) -> Permission:
    return permission_for(copy, SOURCE, credit, granted)


@pytest.mark.parametrize(
    "granted",
    [
        licence(),
        licence(copier_id=None),
        licence(owner_id=None, author="王记者"),
        licence(owner_id=None, article_url="https://ours.example/news/1", copier_id=None),
        licence(columns=("/news/",)),
        licence(columns=("/sport", "NEWS")),
        licence(delay_days=2),
        licence(valid_from=PUBLISHED + DAY, valid_until=PUBLISHED + 3 * DAY),
    ],
)
def test_a_licence_that_fits_makes_it_a_licensed_repost(granted: LicenceRecord) -> None:
    assert permitted(granted) == Permission(Standing.LICENSED, 1)


@pytest.mark.parametrize(
    "granted",
    [
        licence(owner_id=9),
        licence(copier_id=9),
        licence(owner_id=None, author="李记者"),
        licence(owner_id=None, article_url="https://ours.example/news/2"),
        licence(copier_id=None, columns=("/sport/",)),
        licence(copier_id=None, valid_until=PUBLISHED),
        licence(copier_id=None, valid_from=PUBLISHED + 9 * DAY),
    ],
    ids=[
        "other owner's",
        "other copier",
        "other author",
        "other article",
        "elsewhere",
        "ended for all",
        "later for all",
    ],
)
def test_a_licence_that_is_not_about_it_is_none(granted: LicenceRecord) -> None:
    assert permitted(granted) == UNLICENSED


@pytest.mark.parametrize(
    ("terms", "credit", "broken"),
    [
        ({"requires": Credit.NAMED}, Credit.NONE, LicenceTerm.NO_CREDIT),
        ({"requires": Credit.LINKED}, Credit.NAMED, LicenceTerm.NO_LINK),
        ({"requires": Credit.LINKED}, Credit.NONE, LicenceTerm.NO_LINK),
        ({"delay_days": 3}, Credit.NONE, LicenceTerm.TOO_EARLY),
        ({"valid_from": PUBLISHED + 3 * DAY}, Credit.NONE, LicenceTerm.NOT_BEGUN),
        ({"valid_until": PUBLISHED + DAY}, Credit.NONE, LicenceTerm.EXPIRED),
        ({"columns": ("/sport/", "/new")}, Credit.NONE, LicenceTerm.OUTSIDE_COLUMNS),
    ],
)
def test_a_partner_who_does_otherwise_breaks_the_term_that_is_named(
    terms: dict[str, Any], credit: Credit, broken: LicenceTerm
) -> None:
    assert permitted(licence(**terms), credit=credit) == Permission(Standing.BREACH, 1, (broken,))


def test_a_link_is_more_than_the_name_that_is_asked_for() -> None:
    assert permitted(licence(requires=Credit.NAMED), credit=Credit.LINKED).standing is Standing.LICENSED


def test_all_broken_terms_are_named() -> None:
    strict = licence(requires=Credit.LINKED, delay_days=9, valid_until=PUBLISHED, columns=("sport",))

    assert permitted(strict).broken == (
        *(LicenceTerm.NO_LINK, LicenceTerm.TOO_EARLY, LicenceTerm.EXPIRED, LicenceTerm.OUTSIDE_COLUMNS),
    )


def test_of_several_licences_the_one_that_suits_best_counts() -> None:
    strict, lax, broken_less = licence(1, requires=Credit.LINKED, delay_days=9), licence(2), licence(3, delay_days=9)

    assert permitted(strict, lax) == Permission(Standing.LICENSED, 2)
    assert permitted(strict, broken_less) == Permission(Standing.BREACH, 3, (LicenceTerm.TOO_EARLY,))


def test_only_what_is_certain_is_held_against_anybody() -> None:
    day = theirs(declared=dated(PUBLISHED.replace(hour=0) + 3 * DAY, Precision.DAY))
    imported = theirs(found_by=FoundBy.IMPORT)

    assert permitted(licence(delay_days=3), copy=day).standing is Standing.LICENSED
    assert permitted(licence(valid_until=PUBLISHED, delay_days=99), copy=imported).standing is Standing.LICENSED
    assert permitted(licence(valid_until=PUBLISHED), copy=theirs()).standing is Standing.BREACH
