"""A text that a person sets aside proves nothing any more, in every comparison; withdrawn, all is as it was."""

from collections.abc import Sequence

import pytest
from sqlalchemy import Engine

from fingerprint.initials import to_initials
from fingerprint.normalize import canonicalize
from matcher.boilerplate.set_aside import MOST_CHARS, CannotSetAside, runs_of, set_aside_in
from matcher.cases.set_aside_effect import effect_of
from matcher.cases.setting_aside import LargePartOfOurs, set_aside, withdraw
from matcher.comparison import check
from matcher.explanation.explain import explain
from matcher.worker import backlog as worker
from storage.cases import actions, listing
from storage.engine import transaction
from storage.fingerprints import set_aside as stored
from storage.matches import hits
from storage.records.cases import Actor, CaseRecord
from storage.records.matches import HitRecord
from storage.records.set_aside import NewSetAside
from storage.sites import sites
from storage.types import CaseState, Rights, SetAsideScope, SiteRole
from tests.support.factories import a_site, an_article, commit, save, story, text_of

# Long enough for a case.
PARAGRAPH = (
    "窗台上的小本子欢迎留言，我们会在月底挑三封寄回明信片。山脚下的工作室养了两只猫，一只爱睡在键盘上，一只爱看雨。"
    "这里的灯会亮到晚上十一点，最后离开的人记得把门带上。我们把稿费换成了树苗，去年秋天种在了水库南岸，已经发芽。"
    "春天的时候来看看吧，坐七路车到底再走十分钟，路边有卖豆花的老人，他会告诉你往哪边拐，顺便请你尝一勺桂花糖。"
)
DISGUISED = (
    PARAGRAPH.replace("明信片", "明性片")
    .replace("水库", "水裤")
    .replace("灯会亮到", "燈會亮到")
    .replace("豆花", "豆腐花")
)


EVERYWHERE = NewSetAside(PARAGRAPH)


def around(passage: str, text: str) -> str:
    """`passage` in the midst of a text: at its edge, other pages of the host would show that it is repeated."""
    middle = len(text) // 2
    return f"{text[:middle]}\n{passage}\n{text[middle:]}"


@pytest.fixture(autouse=True)
def shops(engine: Engine) -> None:
    """Two articles of ours and two pages of others that have one paragraph, and a real copy with it."""
    with transaction(engine) as session:
        ours = a_site(session, "河畔", owner="河畔", role=SiteRole.ORIGINAL, host="ours.example", rights=Rights.OWN)
        one, two = (a_site(session, name, owner=name, host=f"{name}.example") for name in ("one", "two"))
        save(
            session,
            an_article("https://ours.example/1", around(PARAGRAPH, text_of(1)), site_id=ours.id),
            an_article("https://ours.example/2", around(PARAGRAPH, story()), site_id=ours.id),
            an_article("https://one.example/1", around(PARAGRAPH, text_of(3)), hours=3, site_id=one.id),
            an_article("https://two.example/1", around(DISGUISED, text_of(4)), hours=4, site_id=two.id),
            an_article("https://two.example/2", around(PARAGRAPH, story()[200:700]), hours=5, site_id=two.id),
        )
    work(engine)


def work(engine: Engine) -> None:
    assert worker.work_off(engine, should_stop=lambda: False).failed == 0


def hits_of(engine: Engine) -> list[HitRecord]:
    with transaction(engine) as session:
        return hits.list_hits(session)


def urls(found: Sequence[HitRecord]) -> set[tuple[str, str]]:
    return {(hit.copy.url, hit.source.url) for hit in found}


def cases_of(engine: Engine) -> list[CaseRecord]:
    with transaction(engine) as session:
        return listing.list_cases(session)


def states(engine: Engine) -> dict[int, CaseState]:
    return {case.id: case.state for case in cases_of(engine)}


def put_aside(engine: Engine, new: NewSetAside = EVERYWHERE, *, is_confirmed: bool = False) -> int:
    with transaction(engine) as session:
        return set_aside(session, new, actor_id=None, actor="周", is_confirmed=is_confirmed).set_aside_id


def test_what_a_text_that_is_set_aside_proves_is_taken_back_and_a_real_copy_stays(engine: Engine) -> None:
    before = urls(hits_of(engine))
    assert len(before) > 1
    with transaction(engine) as session:
        effect = effect_of(session, EVERYWHERE)

    put_aside(engine)
    at_once = states(engine)
    work(engine)

    (left,) = hits_of(engine)
    assert (left.copy.url, left.source.url) == ("https://two.example/2", "https://ours.example/2")
    kept = {(one.theirs.url, one.ours.url) for one in effect.pairs if one.is_hit}
    gone = {frozenset((one.theirs.url, one.ours.url)) for one in effect.pairs if not one.is_hit}
    assert kept == {("https://two.example/2", "https://ours.example/2")}
    assert gone == {frozenset(pair) for pair in before - urls([left])}
    assert set(effect.cases_gone) <= {number for number, state in at_once.items() if state is CaseState.WITHDRAWN} | {
        number for number, state in at_once.items() if state is CaseState.NEW
    }
    assert states(engine) == at_once


def test_the_preview_says_how_much_of_each_hit_rests_on_the_text(engine: Engine) -> None:
    with transaction(engine) as session:
        effect = effect_of(session, EVERYWHERE)

    shares = {(one.theirs.url, one.ours.url): one.share for one in effect.pairs}
    assert shares["https://one.example/1", "https://ours.example/1"] > 0.95
    assert shares["https://two.example/2", "https://ours.example/2"] < 0.5
    assert not effect.is_cut


def test_disguised_forms_of_the_text_prove_nothing_either(engine: Engine) -> None:
    put_aside(engine)
    work(engine)
    asked = around(DISGUISED, text_of(77))

    with transaction(engine) as session:
        found = check.check(session, an_article("asked", asked), against=check.compared_with(session))

    assert (found.verdict, found.matches) == ("original", ())


def test_why_not_says_that_what_they_share_proves_nothing(engine: Engine) -> None:
    number = put_aside(engine)
    work(engine)

    with transaction(engine) as session:
        why = explain(session, "https://one.example/1", "https://ours.example/1")

    assert not why.is_match
    assert why.texts.judgement.boilerplate_units > 100
    (step,) = (step for step in why.steps if "set_aside" in step.figures)
    assert step.figures["set_aside"] == f"#{number}"
    assert f"people have set some of it aside (#{number})" in step.said


def test_withdrawn_everything_is_as_it_was(engine: Engine) -> None:
    before, found = states(engine), urls(hits_of(engine))
    number = put_aside(engine)
    work(engine)
    commit(engine, [an_article("late", around(PARAGRAPH, text_of(9)), hours=9)])
    work(engine)

    with transaction(engine) as session:
        withdrawn = withdraw(session, number, by="周")
    assert withdrawn is not None
    assert states(engine) == before
    work(engine)

    assert states(engine).items() >= before.items()
    assert urls(hits_of(engine)) >= found
    assert any("late" in url for pair in urls(hits_of(engine)) for url in pair)
    with transaction(engine) as session:
        assert withdraw(session, number, by="周") is None
        assert stored.list_set_aside(session) == []
        assert [one.withdrawn_by for one in stored.list_set_aside(session, withdrawn=True)] == ["周"]


def test_a_case_that_somebody_looks_at_goes_too_and_one_that_is_decided_rests_on_it(engine: Engine) -> None:
    with transaction(engine) as session:
        mine = effect_of(session, EVERYWHERE).cases_gone
    decided, looked_at = mine[0], mine[1]
    with transaction(engine) as session:
        person = Actor(None, "周")  # type: ignore[arg-type]  # no account is needed
        actions.move_case(session, decided, CaseState.CONFIRMED, expected=CaseState.NEW, actor=person)
        actions.move_case(session, looked_at, CaseState.REVIEWING, expected=CaseState.NEW, actor=person)
    before = {case.id: case for case in cases_of(engine)}

    number = put_aside(engine)
    work(engine)

    after = {case.id: case for case in cases_of(engine)}
    assert after[decided] == before[decided]
    assert after[looked_at].state is CaseState.WITHDRAWN
    with transaction(engine) as session:
        record = stored.get(session, number)
    assert (record.taken_back, record.resting) == (len(mine) - 1, 1)
    with transaction(engine) as session:
        withdraw(session, number, by="周")
    assert states(engine) == {case_id: case.state for case_id, case in before.items()}


def test_for_one_site_it_holds_there_alone(engine: Engine) -> None:
    with transaction(engine) as session:
        site = sites.get_site(session, "one")
    put_aside(engine, NewSetAside(PARAGRAPH, SetAsideScope.SITE, site_id=site.id))
    work(engine)

    found = {url for pair in urls(hits_of(engine)) for url in pair}
    assert "https://one.example/1" not in found
    assert "https://two.example/1" in found


def test_for_one_owner_it_holds_on_all_that_is_theirs(engine: Engine) -> None:
    with transaction(engine) as session:
        key = f"owner:{sites.get_site(session, 'two').owner_id}"
    put_aside(engine, NewSetAside(PARAGRAPH, SetAsideScope.OWNER, owner_key=key))
    work(engine)

    found = urls(hits_of(engine))
    assert ("https://two.example/2", "https://ours.example/2") in found
    assert "https://two.example/1" not in {url for pair in found for url in pair}
    assert "https://one.example/1" in {url for pair in found for url in pair}


def test_a_large_part_of_an_article_of_ours_asks_for_a_second_confirmation(engine: Engine) -> None:
    most = story()[:600]

    with pytest.raises(LargePartOfOurs, match=r"ours\.example/2") as refused, transaction(engine) as session:
        set_aside(session, NewSetAside(most), actor_id=None, actor="周")

    (first,) = refused.value.effect.large_parts
    assert first.share > 0.33
    assert put_aside(engine, NewSetAside(most), is_confirmed=True)


@pytest.mark.parametrize("body", ["", "短", "。" * 400, "\0" * 30, "字" * (MOST_CHARS + 1)])
def test_a_text_that_is_too_short_or_too_long_is_refused(engine: Engine, body: str) -> None:
    with pytest.raises(CannotSetAside, match="cannot be set aside"), transaction(engine) as session:
        effect_of(session, NewSetAside(body))


def test_a_long_text_is_cut_into_runs_that_leave_no_gap() -> None:
    body = text_of(5, chars=3_000)
    codes = to_initials(canonicalize(body)).codes

    runs = runs_of(body, set_aside_id=7)

    assert len({run.units for run in runs}) > 3
    assert len(runs) == len({run.seed for run in runs})
    (found,) = set_aside_in(codes, runs)
    assert found.set_aside_id == 7
    assert set_aside_in(to_initials(canonicalize(text_of(6, chars=3_000))).codes, runs) == []
