"""Who copies whom is counted right, by parties; and what another rule would change is what it would."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import Engine, update
from sqlalchemy.orm import Session

from matcher.judgement.overlap import chars_shared
from matcher.worker.backlog import work_off
from storage.accounts.accounts import add_account
from storage.analytics import copying, fingerprint_health, precision, threshold_preview
from storage.analytics.copying import CopyingFilter, Party
from storage.analytics.fingerprint_health import ComparisonsOfDate
from storage.analytics.threshold_preview import Rule, Verdicts
from storage.engine import transaction
from storage.fingerprints import boilerplate
from storage.models.cases import CasePage
from storage.models.pages import PageVersion
from storage.records.candidates import BoilerplateRun
from storage.records.cases import Actor
from storage.types import AccountRole, CaseState, Credit, Dismissal, Precision
from tests.support.case_actions import a_case, move, set_columns
from tests.support.desk_client import COPY, PUBLISHED, SOURCE, Side, store_hit
from tests.support.factories import an_article, commit, save, text_of

OTHER_COPY = replace(COPY, url="https://copier.example/b", text=COPY.text + "后来又下了一场雨。")
STRANGER = Side("https://stranger.example/a", COPY.text + "天晴了。", published_at=None)
OTHER_SOURCE = replace(SOURCE, url="https://county.example/tea", text=SOURCE.text + "又及。")


@pytest.fixture
def told(session: Session) -> list[int]:
    """Three hits: 抄写公司 has two articles of 县报社, a host without an owner has one."""
    return [
        store_hit(session, copy=COPY, source=SOURCE),
        store_hit(session, copy=OTHER_COPY, source=OTHER_SOURCE, credit=Credit.LINKED),
        store_hit(session, copy=STRANGER, source=SOURCE),
    ]


def party(session: Session, asked: CopyingFilter) -> Party:
    found = copying.party(session, asked, edges=9, hits=9)
    assert found is not None
    return found


def test_parties_are_owners_or_hosts_and_edges_count_what_one_has_from_another(
    session: Session, told: list[int]
) -> None:
    edges = copying.edges(session, CopyingFilter())

    first, second = edges
    assert (first.source_name, first.source_is_ours, first.copier_name) == ("县报社", True, "抄写公司")
    assert (first.hits, first.articles, first.credited) == (2, 2, 1)
    assert first.median_h == 48
    assert (second.copier_key, second.copier_name, second.hits) == ("host:stranger.example", "stranger.example", 1)
    # Who gives no date has no delay.
    assert second.median_h is None
    assert sum(edge.hits for edge in edges) == len(told)


def test_filters_leave_out_what_they_say(session: Session, told: list[int]) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)

    assert copying.edges(session, CopyingFilter(since=later)) == []
    assert len(copying.edges(session, CopyingFilter(ours=True))) == 2
    only = CopyingFilter(copier="host:stranger.example")
    assert [edge.copier_key for edge in copying.edges(session, only)] == ["host:stranger.example"]
    assert party(session, only).hits == told[2:]
    assert len(copying.edges(session, CopyingFilter(), limit=1)) == 1


def test_copiers_are_told_with_share_credit_and_delay(session: Session, told: list[int]) -> None:
    company, stranger = copying.overview(session, CopyingFilter()).copiers

    assert (company.name, company.hits, company.articles, company.sources) == ("抄写公司", 2, 2, 1)
    assert (company.linked, company.named) == (1, 0)
    assert company.mean_share == pytest.approx(0.62)
    assert stranger.median_h is None
    assert party(session, CopyingFilter(copier=company.key)).hours == [48, 48]


def test_what_one_party_did_is_read_with_its_edges(session: Session, told: list[int]) -> None:
    company, _ = copying.overview(session, CopyingFilter()).copiers
    only = CopyingFilter(copier=company.key)

    found = party(session, only)

    assert (found.copier, found.edges) == (company, copying.edges(session, only))
    assert found.hits == told[1::-1]
    assert copying.party(session, CopyingFilter(copier="host:nobody.example"), edges=9, hits=9) is None


def test_a_copy_dated_before_its_source_has_no_delay(session: Session) -> None:
    early = replace(COPY, published_at=PUBLISHED - timedelta(days=9))
    store_hit(session, copy=early, source=SOURCE)

    assert copying.overview(session, CopyingFilter()).copiers[0].median_h is None
    (hours,) = party(session, CopyingFilter()).hours
    assert hours == -7 * 24


def test_a_month_is_no_date_to_count_hours_from(session: Session) -> None:
    store_hit(session, copy=replace(COPY, precision=Precision.MONTH), source=SOURCE)

    assert party(session, CopyingFilter()).hours == []


def test_articles_come_by_how_many_have_them(session: Session, told: list[int]) -> None:
    bridge, tea = copying.overview(session, CopyingFilter()).articles

    assert (bridge.url, bridge.title, bridge.copies, bridge.copiers) == (SOURCE.url, SOURCE.title, 2, 2)
    assert (tea.url, tea.copies, tea.credited, tea.first_h) == (OTHER_SOURCE.url, 1, 1, 48)


def test_an_empty_store_has_nothing_to_tell(session: Session) -> None:
    assert copying.edges(session, CopyingFilter()) == []
    assert copying.overview(session, CopyingFilter()).copiers == []
    assert copying.overview(session, CopyingFilter()).articles == []
    assert not copying.has_more(session)
    assert fingerprint_health.band_skew(session) == []
    assert fingerprint_health.seed_skew(session).texts == 0
    assert precision.precision_by_threshold(session) == []
    assert threshold_preview.verdicts_under(session, Rule(1, 0.0)) == Verdicts(0, 0, 0, 0)


def test_skew_says_how_many_texts_a_look_up_meets(session: Session) -> None:
    save(session, *(an_article(f"h{number}", text_of(number)) for number in range(8)))
    even = fingerprint_health.band_skew(session)
    opening = text_of(99, chars=300)
    save(session, *(an_article(f"s{number}", opening + text_of(200 + number)) for number in range(8)))

    skewed = fingerprint_health.seed_skew(session)

    assert [one.texts for one in even] == [8] * 4
    assert all(1 <= one.met <= 8 and one.even == pytest.approx(1, abs=0.001) for one in even)
    assert (skewed.texts, skewed.frequent[0].texts) == (16, 8)
    assert skewed.met > 1.5
    assert fingerprint_health.slice_skew(session).keys > 0


def test_what_was_learned_stands_beside_its_seed(session: Session) -> None:
    opening = text_of(99, chars=300)
    save(session, *(an_article(f"s{number}", opening + text_of(200 + number)) for number in range(4)))
    seed = fingerprint_health.seed_skew(session).frequent[0].key
    boilerplate.save_verdicts(session, [BoilerplateRun(None, seed, True, b"u", "本文仅代表作者观点", 40, 30, 6)])

    frequent = {one.key: one for one in fingerprint_health.seed_skew(session).frequent}
    (run,) = fingerprint_health.learned_runs(session, limit=9)

    assert (frequent[seed].sample, frequent[seed].proves_nothing) == ("本文仅代表作者观点", True)
    assert (run.site, run.texts, run.families, run.owners) == (None, 40, 30, 6)


def test_days_of_comparing_add_up(session: Session) -> None:
    day = date(2026, 3, 1)
    for cut in (2, 3):
        fingerprint_health.note_comparisons(session, day, compared=10, matched=1, failed=0, cut=cut)

    assert fingerprint_health.comparisons_by_date(session, day) == [ComparisonsOfDate(day, 20, 2, 0, 5)]
    assert fingerprint_health.comparisons_by_date(session, day + timedelta(days=1)) == []


@pytest.fixture
def decided(session: Session) -> dict[str, int]:
    """Four cases: two right ones, a wrong one, one that waits; with scores and sizes."""
    account = add_account(session, name="审核员", password_hash="x", role=AccountRole.REVIEWER)
    who = Actor(account.id, account.name)
    cases = {name: a_case(session, number) for number, name in enumerate(("sure", "weak", "wrong", "waiting"))}
    for name, score, chars, share in (("sure", 0.97, 900, 0.9), ("weak", 0.6, 200, 0.2), ("wrong", 0.75, 160, 0.1),
                                      ("waiting", 0.8, 170, 0.15)):  # fmt: skip
        set_columns(session, cases[name], score=score, chars=chars, our_share=share, their_share=share)
        values = {"chars": chars, "our_share": share, "their_share": share}
        session.execute(update(CasePage).where(CasePage.case_id == cases[name]).values(**values))
    move(session, cases["sure"], CaseState.CONFIRMED, who)
    move(session, cases["weak"], CaseState.CONFIRMED, who)
    move(session, cases["wrong"], CaseState.DISMISSED, who, because=Dismissal.COMMON_WORDING)
    return cases


def test_precision_is_counted_from_each_score_on(session: Session, decided: dict[str, int]) -> None:
    everywhere, *_sites = precision.precision_by_threshold(session)

    assert (everywhere.site, everywhere.decided) == (None, 3)
    found = {step.threshold: (step.right, step.wrong) for step in everywhere.steps}
    assert found == {0.0: (2, 1), 0.5: (2, 1), 0.7: (1, 1), 0.8: (1, 0), 0.9: (1, 0), 0.95: (1, 0)}


def test_false_cases_are_counted_by_the_day_of_the_viewer(session: Session, decided: dict[str, int]) -> None:
    for case_id in decided.values():
        set_columns(session, case_id, opened_at=datetime(2026, 3, 1, 18, tzinfo=UTC))
    since = datetime(2026, 1, 1, tzinfo=UTC)

    (found,) = precision.cases_by_day(session, since, "Asia/Shanghai")

    assert (found.day, found.opened, found.wrong) == (date(2026, 3, 2), 4, 1)


def test_another_rule_is_tried_on_what_was_decided_and_what_waits(session: Session, decided: dict[str, int]) -> None:
    as_now, stricter = Rule(150, 0.3), Rule(300, 0.3)

    assert threshold_preview.verdicts_under(session, as_now) == Verdicts(2, 1, 0, 0)
    assert threshold_preview.verdicts_under(session, stricter) == Verdicts(1, 0, 1, 1)
    assert threshold_preview.verdicts_under(session, replace(as_now, min_score=0.7)) == Verdicts(1, 1, 1, 0)
    assert threshold_preview.closing(session, as_now).numbers == ()
    closing = threshold_preview.closing(session, stricter)
    assert (closing.numbers, closing.read) == ((decided["waiting"],), 1)


def test_a_looser_rule_names_the_hits_that_make_no_case_yet(session: Session) -> None:
    hit = store_hit(session, copy=COPY, source=SOURCE)

    # Whose text it is nobody has said: no rule makes a case of it.
    assert threshold_preview.opening(session, Rule(1, 0.0), chars_shared) == []
    session.execute(update(PageVersion).values(rights="own"))
    assert threshold_preview.opening(session, Rule(1, 1.0), chars_shared) == [hit]
    assert threshold_preview.opening(session, Rule(10_000, 0.99), chars_shared) == []
    assert threshold_preview.opening(session, Rule(1, 1.0, min_score=1.0), chars_shared) == []


def test_comparing_is_counted(engine: Engine) -> None:
    commit(engine, [an_article("a", text_of(1)), an_article("b", text_of(1))])
    work_off(engine, should_stop=lambda: False)

    with transaction(engine) as session:
        (day,) = fingerprint_health.comparisons_by_date(session, date(2026, 1, 1))
    assert (day.compared, day.failed) == (2, 0)
    assert day.matched >= 1
