"""An explanation is the trace of the comparison: it reports the gates by which the pair was judged."""

from itertools import permutations

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from fingerprint.compute import analyse
from matcher.comparison.compare_with_store import compare_with_store
from matcher.comparison.query import query_of_page
from matcher.explanation.explain import explain
from matcher.explanation.sentences import StepKind, gate_name
from matcher.judgement.gates import Gate
from matcher.worker.backlog import work_off
from storage.engine import transaction
from storage.matches import hits
from storage.pages import pages
from tests.support.factories import an_article, commit, story, text_of

FOOTER = "窗台上的小本子欢迎留言，我们会在月底挑三封寄回明信片。山脚下的工作室养了两只猫，一只爱睡在键盘上。" * 2
STORED = {
    "https://source.example/1": story(),
    "https://excerpt.example/1": f"{text_of(1)}\n{story()[200:500]}",
    "https://edited.example/1": story().replace("的", "之").replace("，", "；"),
    "https://phrase.example/1": f"{text_of(2)}\n{story()[300:330]}\n{text_of(3)}",
    "https://other.example/1": text_of(4),
    **{f"https://footed{n % 2}.example/{n}": f"{text_of(10 + n)}\n{FOOTER}" for n in range(4)},
}


def judged_gates(session: Session, url: str, other: str) -> tuple[Gate, ...] | None:
    """The gates of the pair when `url` is compared with the store; None where the other is not aligned."""
    page, found = pages.get_page(session, url), pages.get_page(session, other)
    assert page is not None
    assert found is not None
    compared = compare_with_store(session, query_of_page(page, analyse(STORED[url])))
    judgement = compared.search.prepared_query.traced(found.text_id, analyse(STORED[other]).initials)
    return None if judgement is None else judgement.gates


def test_an_explanation_reports_the_gates_by_which_the_pair_was_judged(engine: Engine) -> None:
    commit(engine, [an_article(url, text, hours=5 * n) for n, (url, text) in enumerate(STORED.items())])
    assert work_off(engine, should_stop=lambda: False).failed == 0

    with transaction(engine) as session:
        matched = {frozenset((hit.copy.url, hit.source.url)) for hit in hits.list_hits(session)}
        assert 2 <= len(matched) < len(STORED)
        for left, right in permutations(STORED, 2):
            explained = explain(session, left, right)
            gates = explained.texts.judgement.gates
            decided = [judged_gates(session, left, right), judged_gates(session, right, left)]
            assert gates in decided or decided == [None, None]
            assert explained.is_match == (frozenset((left, right)) in matched)
            (step,) = [step for step in explained.steps if step.kind is StepKind.GATES]
            passed = [gate_name(gate) for gate in gates if gate.passed]
            assert step.passed is bool(passed)
            assert all(name in step.said for name in passed)
