"""Cases of retellings that the program opens from a score on, and what a comparison of wording does to them."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine, func, select, update

from matcher.cases.case_rule import CaseRule
from matcher.cases.cases_by_meaning import follow_up_retellings
from storage.cases import actions, detail, licences, listing, page_pairs
from storage.engine import transaction
from storage.models.alerts import AlertEvent
from storage.models.cases import Case
from storage.models.sites import Site
from storage.records.alerts import AlertKind
from storage.records.cases import CaseRecord, LicenceTerms
from storage.records.retellings import RetellingRecord
from storage.types import CaseKind, CaseState, Relation, RetellingState, Rights, SiteRole
from tests.support.desk_client import COPY, SOURCE
from tests.support.meaning.retellings import OUR_SIDE, THEIR_SIDE, retelling_now, stored_retelling


def followed_up(engine: Engine, found: RetellingRecord, *, least_score: float | None = 0.8, **rule: float) -> list[int]:
    with transaction(engine) as session:
        session.execute(update(Site).where(Site.role == SiteRole.ORIGINAL).values(rights=Rights.OWN))
        wanted = CaseRule(**{"min_chars": 20, **rule})  # type: ignore[arg-type]  # its fields
        follow_up_retellings(session, found.copy.text_id, least_score=least_score, rule=wanted)
        return list(session.scalars(select(Case.id)))


def case_of(engine: Engine, case_id: int) -> CaseRecord:
    with transaction(engine) as session:
        return actions.get_case(session, case_id)


def test_no_case_opens_by_itself(engine: Engine) -> None:
    found = stored_retelling(engine, score=0.99)

    assert followed_up(engine, found, least_score=None) == []
    with transaction(engine) as session:
        assert session.scalars(select(AlertEvent.kind)).all() == [AlertKind.RETELLING_FOUND]


def test_a_setting_opens_cases_from_a_score_on_once(engine: Engine) -> None:
    found = stored_retelling(engine, score=0.83)

    assert followed_up(engine, found, least_score=0.84) == []
    (case_id,) = followed_up(engine, found)
    assert followed_up(engine, found) == [case_id]

    now, case = retelling_now(engine, found.id), case_of(engine, case_id)
    assert (now.state, now.case_id, now.decided_by) == (RetellingState.CASE, case_id, None)
    assert (case.kind, case.state) == (CaseKind.RETOLD, CaseState.NEW)
    with transaction(engine) as session:
        (opened,) = actions.history(session, case_id)
        kinds = session.scalars(select(AlertEvent.kind)).all()
    assert (opened.actor, opened.details["by"]) == ("", "meaning")
    assert kinds == [AlertKind.RETELLING_FOUND], "a case by meaning is no new copy"


@pytest.mark.parametrize(
    "changed",
    [
        {"relation": Relation.BOTH_FROM_THIRD},
        {"source": replace(OUR_SIDE, role=COPY.role)},
        {"copy": replace(THEIR_SIDE, site="子刊", owner=SOURCE.owner)},
        {"source": replace(OUR_SIDE, text="（新华社北京5月24日电）" + OUR_SIDE.text), "sentences": ()},
    ],
)
def test_the_rule_admits_only_what_it_admits_of_copies(engine: Engine, changed: dict[str, object]) -> None:
    assert followed_up(engine, stored_retelling(engine, **changed)) == []


def test_too_little_is_no_case(engine: Engine) -> None:
    found = stored_retelling(engine)

    assert followed_up(engine, found, min_chars=10_000, min_share=1.0) == []


def test_a_licence_covers_retellings_too(engine: Engine) -> None:
    found = stored_retelling(engine)
    with transaction(engine) as session:
        licences.add_licence(session, LicenceTerms(owner=SOURCE.owner, copier=COPY.owner))

    assert followed_up(engine, found) == []


def test_a_comparison_of_wording_does_not_withdraw_it(engine: Engine) -> None:
    found = stored_retelling(engine)
    (case_id,) = followed_up(engine, found)

    with transaction(engine) as session:
        held = [(found.copy.page_id, found.copy.text_id), (found.source.page_id, found.source.text_id)]
        assert page_pairs.live_pairs(session, held) == {}
        assert detail.count_pages_of_case(session, case_id) == 1
        assert session.scalar(select(func.count()).select_from(Case)) == 1
        assert listing.get_case(session, case_id) is not None
