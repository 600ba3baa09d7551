"""Why two pages were matched or not: every step, gate and number is said in the reader's language."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_babel import Babel, force_locale, gettext
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from admin.cases.labels import CASE_TABLES
from admin.hits.explanation_text import FIGURES, STEPS, direction_reasons, figure_in_words, gate_in_words, step_in_words
from admin.hits.labels import HIT_TABLES
from admin.pages.labels import PAGE_TABLES
from admin.web.labels import install
from fingerprint.compute import fingerprint_text
from matcher.cases.permissions import Permission
from matcher.explanation.explain import Explanation, explain
from matcher.explanation.page_steps import Retrieval, licence_step, look_up_step
from matcher.explanation.sentences import GATES, Sentence, StepKind, gate_name
from matcher.explanation.text_steps import Step
from matcher.judgement.gates import Gate, GateKind
from matcher.retrieval.candidates import Candidate
from storage.engine import transaction
from storage.pages import pages, saving
from storage.records.pages import Declared, FingerprintedArticle, NewArticle
from storage.types import DateOrigin, FoundBy, LicenceTerm, Precision, Standing
from tests.admin.hits.test_views import Markup
from tests.support.desk_client import COPY, PUBLISHED, SOURCE, client_of_person, store_hit
from tests.support.factories import a_site, text_of

ENGLISH = {"the", "is", "of", "are", "both", "and", "no", "was", "none"}


@pytest.fixture
def in_chinese() -> Iterator[None]:
    app = Flask("admin")
    install(app, CASE_TABLES, HIT_TABLES, PAGE_TABLES)
    Babel(app, default_timezone="Asia/Shanghai")
    with app.test_request_context(), force_locale("zh"):
        yield


def save(session: Session, url: str, text: str, *, site_id: int | None = None, days: int = 0, credit: str = "") -> None:
    declared = Declared(PUBLISHED + timedelta(days=days), Precision.MINUTE, DateOrigin.META)
    article = NewArticle(
        url=url, text=text, found_by=FoundBy.SPIDER, fetched_at=PUBLISHED, title="老桥", declared=declared,
        site_id=site_id, credit_lines=(credit,) if credit else (),
    )  # fmt: skip
    saving.save_pages(session, [FingerprintedArticle(article, fingerprint_text(text))])


OURS, COPIED, OTHER = "https://ours.example/a", "https://copy.example/a", "https://other.example/a"
SAME, SECOND = "https://same.example/a", "https://ours.example/b"


@pytest.fixture
def stored(session: Session) -> Session:
    site = a_site(session, "县报")
    long = "".join(text_of(number) for number in range(3))
    save(session, OURS, long, site_id=site.id)
    save(session, SECOND, text_of(8), site_id=site.id)
    save(session, COPIED, long[: len(long) // 2], days=3, credit="来源：县报")
    save(session, SAME, long, days=4)
    save(session, OTHER, text_of(9))
    return session


PAIRS = [(OURS, COPIED), (COPIED, OURS), (OURS, OTHER), (OURS, SAME), (OURS, SECOND), (OURS, OURS)]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_every_step_gate_and_number_is_said_in_chinese(
    stored: Session, in_chinese: None, left: str, right: str
) -> None:
    explained = explain(stored, left, right)

    for step in explained.steps:
        assert step.kind in STEPS, step.kind
        assert set(step.figures) <= set(FIGURES), step.kind
        said = step_in_words(step, explained)
        assert said != step.said
        assert not ENGLISH & set(said.replace(".", " ").lower().split()), said
    for gate in explained.texts.judgement.gates:
        assert gate_in_words(gate) != gate_name(gate)


def test_what_a_match_means_is_reported(stored: Session, in_chinese: None) -> None:
    explained = explain(stored, COPIED, OURS)
    said = {step.kind: step_in_words(step, explained) for step in explained.steps}

    assert explained.is_match
    assert said[StepKind.DIRECTION].startswith("第二篇在先，可信度 ")
    assert "来源：县报" in said[StepKind.CREDIT]
    assert said[StepKind.LICENCE] == "没有授权涉及此转载。"
    assert "第一篇注明了对方：来源：县报" in direction_reasons(explained)


def test_why_not_names_the_step_at_which_two_were_lost(stored: Session, in_chinese: None) -> None:
    lost = explain(stored, OURS, OTHER)
    own = explain(stored, OURS, SECOND)
    itself = explain(stored, OURS, OURS)

    def failed(explained: Explanation) -> dict[str, str]:
        return {step.kind: step_in_words(step, explained) for step in explained.steps if step.passed is False}

    assert not lost.is_match
    assert "重合太少" in failed(lost)["gates"]
    assert "同一主体" in failed(own)["owner"]
    assert "同一个页面" in failed(itself)["owner"]
    assert direction_reasons(lost) == []


def a_look_up(explained: Explanation, *, is_same_text: bool = False, **fields: Any) -> Step:
    found: dict[str, Any] = {"asked": explained.left.url, "rank": 3, "place": 3, "candidates": 9, "cut": 0}
    found |= {"candidate": Candidate(7, 1.0, 1, 1, None), "was_aligned": False, "is_listed": False}
    return look_up_step(Retrieval(**(found | fields)), other=explained.right.url, is_same_text=is_same_text)


def test_each_way_to_be_lost_among_the_candidates_has_its_words(stored: Session, in_chinese: None) -> None:
    explained = explain(stored, OURS, OTHER)
    cases: tuple[dict[str, Any], ...] = (
        {},
        {"place": None},
        {"rank": None, "candidate": None},
        {"is_listed": True},
        {"was_aligned": True},
        {"is_same_text": True},
    )

    said = [step_in_words(a_look_up(explained, **figures), explained) for figures in cases]

    assert len(set(said)) == len(cases)
    assert said[0] == "从第一个页面查找：在 9 个候选中排第 3，未轮到对齐。"


def test_a_broken_licence_names_its_terms(stored: Session, in_chinese: None) -> None:
    explained = explain(stored, OURS, OTHER)
    broken = licence_step(Permission(Standing.BREACH, 7, (LicenceTerm.NO_CREDIT, LicenceTerm.TOO_EARLY)))

    assert step_in_words(broken, explained) == "违反授权 7：未注明来源 · 发布过早。"


def test_the_gate_of_scrambled_texts_is_known(in_chinese: None) -> None:
    assert gate_in_words(Gate(GateKind.REORDERED, 0.0, 1.0)) == "文字相同而次序不同（单元数）"


def test_figures_are_written_for_readers(in_chinese: None) -> None:
    written = [figure_in_words(value) for value in (None, "", True, False, 12_345, 0.25, "own")]

    assert written == ["—", "—", "是", "否", "12,345", "0.25", "own"]


def test_every_step_sentence_and_gate_has_words_for_the_desk(in_chinese: None) -> None:
    assert set(STEPS) == set(StepKind)
    assert set(GATES) == set(GateKind)
    # Keys are compared outside the store only; what a credit says is quoted.
    without = {sentence for sentence in Sentence if not sentence.desk or gettext(sentence.desk) == sentence.desk}
    assert without == {Sentence.KEYS, Sentence.CREDIT}


@pytest.fixture
def client(engine: Engine) -> FlaskClient:
    return client_of_person(engine)


def test_the_form_takes_addresses_and_numbers(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        hit_id = store_hit(session)
        copy, source = (pages.get_page(session, side.url) for side in (COPY, SOURCE))
        assert copy is not None
        assert source is not None

    by_number = Markup(client.get(f"/why?left={copy.id}&right={source.id}").text)
    by_address = Markup(client.get("/why", query_string={"left": COPY.url, "right": f" {SOURCE.url} "}).text)

    for shown in (by_number, by_address):
        assert "逐步判断" in shown.text
        assert f"/hits/{hit_id}" in shown.links()
    assert f"/why?left={copy.id}&right={source.id}" in Markup(client.get(f"/hits/{hit_id}").text).links()


def test_a_page_that_is_not_stored_is_named_beside_its_field(client: FlaskClient, engine: Engine) -> None:
    with transaction(engine) as session:
        store_hit(session)

    for unknown in ("https://nowhere.example/", "999", "\x00", "9" * 40, "x" * 5_000):
        shown = client.get("/why", query_string={"left": COPY.url, "right": unknown})
        assert shown.status_code == 200
        assert ("库中没有此网址或编号的页面" in shown.text) is bool(unknown.strip("\x00")), unknown[:20]
        assert "逐步判断" not in shown.text


def test_without_pages_it_says_what_it_is_for(client: FlaskClient) -> None:
    assert "任选两个页面" in client.get("/why").text
